// Owns what a moment is: one state of the database that several transactions read, also those of other
// processes; and the opaque text by which a client names it.
import { createHash } from 'node:crypto';
import { dbErrors } from './errors.js';

/** One state of the database. */
export interface Moment {
  /** The server's time when it was taken: nothing in it is younger. */
  readonly at: string;
  /** The name under which the server imports it. */
  readonly snapshot: string;
  /** A hash of what it sees: a restarted server may give an old name to another snapshot. */
  readonly content: string;
  /** A transaction of this process keeps it for as long as it is used. */
  readonly isKept?: boolean;
}

const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00$/;
const SNAPSHOT = /^[0-9A-F]{8}-[0-9A-F]{8}-[1-9]\d{0,5}$/;
const CONTENT = /^[0-9a-f]{32}$/;
const LONGEST = 200;

/** A hash of what pg_current_snapshot() shows. Equal ones see the same rows. */
export const contentOf = (snapshot: string): string =>
  createHash('sha256').update(snapshot).digest('hex').slice(0, 32);

/** The opaque text of a moment. */
export const momentText = ({ at, snapshot, content }: Moment): string =>
  Buffer.from([at, snapshot, content].join('~')).toString('base64url');

/** The server's time of the moment of a text. */
export const momentTime = (text: string): string => parseMoment(text).at;

/** The moment of a text. INVARIANT: nothing but what these patterns allow reaches a statement. */
export function parseMoment(text: string): Moment {
  const decoded = text.length > LONGEST ? '' : Buffer.from(text, 'base64url').toString('latin1');
  const [at = '', snapshot = '', content = '', ...rest] = decoded.split('~');
  const moment = { at, snapshot, content };
  const isOne = TIME.test(at) && SNAPSHOT.test(snapshot) && CONTENT.test(content) && rest.length === 0;
  // Base64 has several texts for the same bytes; a moment has one.
  if (!isOne || momentText(moment) !== text)
    throw dbErrors.as_of_invalid('as_of: the text is not one that GCOS returned');
  return moment;
}
