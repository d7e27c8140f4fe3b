// Owns the errors of webhooks.
import { defineErrors } from '../../kernel/index.js';

export const webhookErrors = defineErrors({
  webhook_unknown: {
    exit: 3,
    when: 'there is no webhook of that number',
    help: '`gcos webhook list` shows the webhooks',
  },
  webhook_invalid: {
    exit: 3,
    when: 'a webhook has no usable address, or no usable secret',
    help: 'the address is https://…, env:NAME or file:PATH; the secret is env:NAME or file:PATH, and its value whsec_ with 24 to 64 bytes in base64',
  },
  webhook_address_refused: {
    exit: 3,
    when: 'the address of a webhook is, or leads to, a private or link-local address, or is not encrypted',
    help: 'use a public https address; if the receiver is meant to be in your own network, add the webhook with --allow-private',
  },
  webhook_failed: {
    exit: 1,
    when: 'the receiver did not accept a test, or could not be reached',
    help: 'the message says what the receiver answered; the worker retries by itself, for three days',
  },
});
