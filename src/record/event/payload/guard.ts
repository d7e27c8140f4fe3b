// Owns the payload guard: no signal of any family may contain contents, secrets, binary data, or long or
// deeply nested values. It returns a copy of exactly the values that it checked, so that they cannot change
// between the check and the write.
import { eventErrors } from '../errors.js';

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

/** A lone surrogate: a JSON column cannot store it. */
const LONE_SURROGATE = /\p{Surrogate}/u;

const LIMITS = { text: 500, items: 100, keys: 100, depth: 6, key: 100 } as const;

/**
 * Words for contents or secrets. A key that contains one as a whole word is refused, in any spelling:
 * `rawBody`, `RAW_BODY`, `raw-body`.
 */
const WORDS = new Set(
  (
    'body bodies content contents raw vector vectors embedding embeddings secret secrets token tokens password passwords ' +
    'passwd pwd passphrase ssn credential credentials pii blob'
  ).split(' '),
);
/** Refused anywhere in a key after its separators are removed: `p_a_s_s_word`, `userPersonalData`. */
const PARTS = [
  'password',
  'passwd',
  'secret',
  'embedding',
  'personaldata',
  'apikey',
  'privatekey',
  'credential',
];

function isForbidden(key: string): boolean {
  const plain = key.normalize('NFKC');
  const words = plain
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u);
  const joined = plain.toLowerCase().replaceAll(/[^\p{L}]/gu, '');
  return (
    WORDS.has(joined) || words.some((word) => WORDS.has(word)) || PARTS.some((part) => joined.includes(part))
  );
}

function refuse(path: string, why: string): never {
  throw eventErrors.payload_refused(`\`${path}\` ${why}`, { facts: { path } });
}

function checkText(text: string, path: string, limit: number): string {
  if (text.length > limit) refuse(path, `is ${text.length} characters long; at most ${limit} are allowed`);
  if (text.includes('\0') || LONE_SURROGATE.test(text)) refuse(path, 'is not well-formed text');
  return text;
}

function copyArray(items: readonly unknown[], path: string, ancestors: readonly object[]): Json[] {
  if (items.length > LIMITS.items)
    refuse(path, `has ${items.length} items; at most ${LIMITS.items} are allowed`);
  return Array.from(items, (item, index) => {
    if (item === undefined) refuse(`${path}[${index}]`, 'is undefined');
    return copyValue(item, `${path}[${index}]`, ancestors);
  });
}

function copyObject(value: object, path: string, ancestors: readonly object[]): Json {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    const name = (value.constructor as { name?: string } | undefined)?.name ?? 'object';
    refuse(path, `is a ${name}, not a plain object`);
  }
  const entries = Object.entries(value);
  if (entries.length > LIMITS.keys)
    refuse(path, `has ${entries.length} keys; at most ${LIMITS.keys} are allowed`);
  const copy: Record<string, Json> = {};
  for (const [key, item] of entries) {
    const place = `${path}.${key.slice(0, LIMITS.key)}`;
    checkText(key, place, LIMITS.key);
    if (key === '__proto__' || isForbidden(key)) refuse(place, 'is a key that is not allowed in a signal');
    if (item !== undefined) copy[key] = copyValue(item, place, ancestors);
  }
  return copy;
}

function copyValue(value: unknown, path: string, ancestors: readonly object[]): Json {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string') return checkText(value, path, LIMITS.text);
  if (typeof value === 'bigint') return checkText(value.toString(), path, LIMITS.text);
  if (typeof value === 'number')
    return Number.isFinite(value) ? value : refuse(path, 'is not a finite number');
  if (typeof value !== 'object') return refuse(path, `is a ${typeof value}`);
  if (ancestors.includes(value)) refuse(path, 'is circular');
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof SharedArrayBuffer)
    refuse(path, 'is binary');
  if (value instanceof Date) refuse(path, 'is a Date; pass times as text');
  const deeper = [...ancestors, value];
  if (deeper.length > LIMITS.depth) refuse(path, `is nested deeper than ${LIMITS.depth} levels`);
  return Array.isArray(value) ? copyArray(value, path, deeper) : copyObject(value, path, deeper);
}

/** A checked copy of `payload` that can be stored as JSON; throws `payload_refused` with the place. */
export function guardPayload(payload: unknown): { readonly [key: string]: Json | undefined } {
  const copy = copyValue(payload, 'payload', []);
  if (copy === null || typeof copy !== 'object' || Array.isArray(copy)) refuse('payload', 'is not an object');
  return copy as { readonly [key: string]: Json };
}
