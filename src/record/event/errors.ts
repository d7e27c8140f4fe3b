// Owns the errors of signals and notifications.
import { defineErrors } from '../../kernel/index.js';

export const eventErrors = defineErrors({
  payload_refused: {
    exit: 3,
    when: 'the payload of a signal contains contents, secrets, binary or long values, or unknown keys',
    help: 'send addresses, references and counts only; the message names the place',
  },
  signal_invalid: {
    exit: 3,
    when: 'a signal lacks an address, or one of its fields has the wrong form',
    help: 'give a dotted type, the table of its subject, and times as timestamptz text',
  },
  event_type_invalid: {
    exit: 3,
    when: 'a signal type cannot be registered under that name',
    help: 'use lower-case words joined by dots, such as `coverage.orphan`; names that start with `gcos.` are reserved',
  },
  event_type_unknown: {
    exit: 3,
    when: 'no signal type of the governance domain has that name, or matches that pattern',
    help: '`gcos event types` lists them; `gcos event register` adds one',
  },
  event_type_foreign: {
    exit: 3,
    when: 'the command would switch a signal type that the host registered itself',
    help: 'switch it in the system that registered it; GCOS switches only types registered through GCOS',
  },
  event_stream_unknown: {
    exit: 3,
    when: 'the command names a stream that GCOS does not have',
    help: 'use one of governance.handoff, .backfill, .input, .candidate, .coverage, .lifecycle',
  },
  notification_unknown: {
    exit: 3,
    when: 'the command names a notification that the recipient does not have',
    help: '`gcos inbox list --recipient NAME --all` lists them with their ids',
  },
  subscription_unknown: {
    exit: 3,
    when: 'the recipient has no matching subscription made through GCOS',
    help: '`gcos inbox subscriptions --recipient NAME` lists them',
  },
  subscription_invalid: {
    exit: 3,
    when: 'a subscription names no recipient, or its filter is not a JSON object',
    help: 'give `--recipient NAME`, and a filter such as \'{"scope": "approval"}\'',
  },
});
