// Owns the canonical form of every value that GCOS hashes: canonical JSON (RFC 8785) in UTF-8, then SHA-256
// with a domain prefix. INVARIANT: equal values give equal bytes, different values give different bytes, and
// no number passes through a float that cannot represent it exactly.
import { createHash, hash } from 'node:crypto';
import { defineErrors } from './errors.js';

export const canonicalErrors = defineErrors({
  json_not_canonical: {
    exit: 3,
    when: 'a value has no canonical JSON form: not JSON, not valid Unicode, nested too deeply, or a number that is not exact',
    help: 'correct the row or setting that the message names',
  },
});

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** Far deeper than any JSON written by hand, and far below the call-stack limit. */
const DEEPEST = 200;

function refuse(why: string): never {
  throw canonicalErrors.json_not_canonical(`the value has no canonical form: ${why}`);
}

function spellText(text: string): string {
  if (!text.isWellFormed()) refuse('a lone surrogate');
  return JSON.stringify(text);
}

/**
 * Serialises in one pass, because one run serialises thousands of groups. Keys are sorted by UTF-16 code
 * units, which is the default order of `sort`.
 */
function spell(value: unknown, depth: number): string {
  if (depth > DEEPEST) refuse(`nested more than ${DEEPEST} levels deep`);
  if (value === null || value === true || value === false) return String(value);
  if (typeof value === 'string') return spellText(value);
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) refuse(`\`${value}\` is not a whole number that a float holds exactly`);
    return String(value === 0 ? 0 : value);
  }
  if (typeof value !== 'object') refuse(`a ${typeof value} is not JSON`);
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) text += `${text === '' ? '' : ','}${spell(item, depth + 1)}`;
    return `[${text}]`;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) refuse('an instance of a class is not JSON');
  const items = value as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(items).sort())
    text += `${text === '' ? '' : ','}${spellText(key)}:${spell(items[key], depth + 1)}`;
  return `{${text}}`;
}

/**
 * The canonical text of `value`, which must be JSON. Numbers must be safe integers; pass other numbers as
 * text.
 */
export function canonicalJson(value: unknown): string {
  return spell(value, 0);
}

/**
 * SHA-256 over `domain`, a zero byte and `bytes`, as hex. Equal bytes in different domains have different
 * hashes.
 */
export function domainHash(domain: string, bytes: string | Uint8Array): string {
  // One call for text: a run hashes thousands of groups, and a hash object per group costs more than the
  // hashing.
  if (typeof bytes === 'string') return hash('sha256', `${domain}\0${bytes}`, 'hex');
  return createHash('sha256').update(`${domain}\0`).update(bytes).digest('hex');
}

/** The longest number written without an exponent. */
const LONGEST_PLAIN = 64;

/**
 * One spelling per number: `1.0`, `1.00`, `10e-1` and `1` become `1`. Works on the digits, never on a float.
 */
function spellNumber(literal: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal);
  if (match === null) return refuse(`\`${literal}\` is not a number`);
  const [, sign = '', whole = '', fraction = '', power = '0'] = match;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const coefficient = digits.replace(/0+$/, '');
  if (coefficient === '') return '0';
  const exponent = BigInt(power) - BigInt(fraction.length) + BigInt(digits.length - coefficient.length);
  const point = BigInt(coefficient.length) + exponent;
  const plainLength = exponent >= 0n ? point : point > 0n ? BigInt(coefficient.length + 1) : 2n - exponent;
  if (plainLength > BigInt(LONGEST_PLAIN)) return `${sign}${coefficient}e${exponent}`;
  const at = Number(point);
  if (exponent >= 0n) return `${sign}${coefficient.padEnd(at, '0')}`;
  return at > 0
    ? `${sign}${coefficient.slice(0, at)}.${coefficient.slice(at)}`
    : `${sign}0.${'0'.repeat(-at)}${coefficient}`;
}

/** A safe integer stays a number; any other number becomes an object that no JSON text can produce. */
function exactNumber(literal: string): JsonValue {
  const spelled = spellNumber(literal);
  const value = Number(spelled);
  return Number.isSafeInteger(value) && String(value) === spelled ? value : { $decimal: spelled };
}

/**
 * Removes the marks of `parseExactJson`: `n` before numbers, `s` before texts and keys. Doubles a leading `$`
 * of keys.
 */
function unmark(value: unknown, depth: number): JsonValue {
  if (depth > DEEPEST) refuse(`nested more than ${DEEPEST} levels deep`);
  if (typeof value === 'string') return value.startsWith('n') ? exactNumber(value.slice(1)) : value.slice(1);
  if (Array.isArray(value)) return value.map((item) => unmark(item, depth + 1));
  if (typeof value !== 'object' || value === null) return value as boolean | null;
  return Object.fromEntries(
    Object.entries(value).map(([marked, item]) => {
      const key = marked.slice(1);
      return [key.startsWith('$') ? `$${key}` : key, unmark(item, depth + 1)];
    }),
  );
}

/**
 * Parses JSON text into a value that has a canonical form. Whole numbers up to 2⁵³ − 1 stay numbers; every
 * other number becomes `{"$decimal": "…"}` in one spelling. A key that starts with `$` gets a second `$`, so
 * that no key of the input can equal `$decimal`.
 */
export function parseExactJson(text: string): JsonValue {
  try {
    JSON.parse(text);
  } catch (cause) {
    throw canonicalErrors.json_not_canonical('the text is not JSON', { cause });
  }
  const marked = text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    token.startsWith('"') ? `"s${token.slice(1)}` : `"n${token}"`,
  );
  return unmark(JSON.parse(marked), 0);
}

/** The reverse of `parseExactJson`, as `JSON.parse` would have read the text. */
export function plainJson(value: JsonValue): unknown {
  if (Array.isArray(value)) return value.map(plainJson);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [first] = entries;
  if (first?.[0] === '$decimal') return Number(first[1]);
  return Object.fromEntries(
    entries.map(([key, item]) => [key.startsWith('$$') ? key.slice(1) : key, plainJson(item)]),
  );
}
