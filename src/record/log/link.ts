// Owns the hashes of one link, computed here and not by the functions of the database, which a superuser
// could replace. docs/log.md describes them.
import { createHash } from 'node:crypto';

export const FIRST_PREVIOUS = '0'.repeat(64);

/** The parts of a link, as texts of the server. */
export interface LinkTexts {
  readonly position: bigint;
  readonly kind: string;
  /** UTC, with microseconds: 2026-01-31T12:00:00.000000Z. */
  readonly recordedText: string;
  readonly login: string;
  readonly subject: string;
  readonly previousHash: string;
  readonly payloadHash: string;
}

const digestOf = (domain: string, text: string): string =>
  createHash('sha256').update(`${domain}\0${text}`, 'utf8').digest('hex');

export const payloadHashOf = (payloadText: string): string => digestOf('gcos-log-payload', payloadText);

/**
 * PostgreSQL prints a jsonb array with a space after each comma; its strings look as `JSON.stringify` writes
 * them.
 */
export function linkHashOf(link: LinkTexts): string {
  const { position, kind, recordedText, login, subject, previousHash, payloadHash } = link;
  const texts = [kind, recordedText, login, subject, previousHash, payloadHash].map((each) =>
    JSON.stringify(each),
  );
  return digestOf('gcos-log', `[${[String(position), ...texts].join(', ')}]`);
}
