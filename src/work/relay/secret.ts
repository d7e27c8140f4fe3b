// Owns where the address and the secrets of a webhook come from. INVARIANT: what the database stores of a
// secret is its place; its value stays in the process that signs.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { webhookErrors } from './errors.js';

const PLACE = /^(env|file):(.+)$/s;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const PREFIX = 'whsec_';

/** The place as it is stored: a path becomes absolute. Undefined: `text` names no place. */
export function placeOf(text: string): string | undefined {
  const [, kind, rest = ''] = PLACE.exec(text) ?? [];
  if (kind === 'file') return `file:${resolve(rest)}`;
  if (kind !== 'env') return undefined;
  if (NAME.test(rest)) return text;
  throw webhookErrors.webhook_invalid(`\`${rest}\` is no name of an environment variable`);
}

/** What is at a place, without the line end. The message of an error names the place only. */
export function readPlace(place: string, what: string): string {
  const [, kind, rest = ''] = PLACE.exec(place) ?? [];
  if (kind === 'env') {
    const value = process.env[rest]?.trim();
    if (value !== undefined && value !== '') return value;
    throw webhookErrors.webhook_invalid(`${what}: the environment variable ${rest} is not set`, {
      help: `set ${rest}, also where the worker runs`,
    });
  }
  try {
    return readFileSync(rest, 'utf8').trim();
  } catch (error) {
    throw webhookErrors.webhook_invalid(`${what} cannot be read from \`${rest}\``, { cause: error });
  }
}

/** The key of a secret in the form of Standard Webhooks: `whsec_` and base64. */
export function readKey(place: string): Buffer {
  const text = readPlace(place, 'the secret');
  const key = Buffer.from(text.slice(PREFIX.length), 'base64');
  if (!text.startsWith(PREFIX) || key.length < 24 || key.length > 64)
    throw webhookErrors.webhook_invalid(
      `the secret at \`${place}\` is not whsec_ with 24 to 64 bytes in base64`,
    );
  return key;
}

/** The address of a webhook: as it is stored, or what is at its place. */
export function readLocation(location: string): URL {
  const text = PLACE.test(location) ? readPlace(location, 'the address') : location;
  // INVARIANT: the message does not repeat the address, which may hold a secret.
  if (!URL.canParse(text)) throw webhookErrors.webhook_invalid('the address of the webhook is not a URL');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '')
    throw webhookErrors.webhook_invalid('the address of the webhook holds a password', {
      help: 'put the address into an environment variable and give env:NAME, without user and password in it',
    });
  return url;
}
