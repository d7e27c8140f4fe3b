// Owns the coalesce key: one key per cause. INVARIANT: different parts never give the same key, and a key has
// at most 255 bytes, because hosts store it in an indexed varchar column.
import { createHash } from 'node:crypto';
import type { Observation } from './observation.js';

const KEY_BYTES = 255;
const PART_BYTES = 63;
const HASH_DIGITS = 40;
/**
 * An unescaped `:` separates parts, `~` marks a shortened part, and `*` a summary. Inside parts they are
 * escaped.
 */
const RESERVED = /[%:~*\p{Cc}]/gu;
/** Text that UTF-8 cannot encode. */
export const LONE_SURROGATE = /\p{Surrogate}/gu;

function escapePart(text: string): string {
  return text
    .replace(LONE_SURROGATE, '\ufffd')
    .replace(RESERVED, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}

/** A long part keeps its beginning for readers; a hash makes it unique. */
function shortenPart(part: string): string {
  if (Buffer.byteLength(part) <= PART_BYTES) return part;
  let start = '';
  for (const char of part) {
    if (Buffer.byteLength(start + char) > PART_BYTES - HASH_DIGITS - 1) break;
    start += char;
  }
  return `${start}~${createHash('sha256').update(part).digest('hex').slice(0, HASH_DIGITS)}`;
}

function joinKey(family: string, type: string, parts: readonly string[]): string {
  const head = `gov:${family}:${type}`;
  const key = [head, ...parts].join(':');
  return Buffer.byteLength(key) <= KEY_BYTES ? key : [head, ...parts.map(shortenPart)].join(':');
}

/** `gov:<family>:<type>:<subject>:<scope>:<root cause>` */
export function coalesceKey(
  observation: Pick<Observation, 'type' | 'subject' | 'scope' | 'rootCause'>,
  family: string,
): string {
  const { type, subject, scope = '', rootCause = '' } = observation;
  return joinKey(family, type, [subject, scope, rootCause].map(escapePart));
}

/** The key of the summary that represents the findings of one type and route above the ceiling. */
export function summaryKey(type: string, family: string, routes: readonly string[]): string {
  return joinKey(family, type, ['summary', escapePart(routes.join('+')), '*']);
}
