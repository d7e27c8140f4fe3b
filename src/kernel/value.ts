// Owns the check of every value that a caller gives, before a statement sees it: names that must exist,
// times, ids, whole numbers, texts. The verbs of the library and the command line use the same checks.
import { defineErrors, type ErrorDetail, type GcosError } from './errors.js';
import { nearestName } from './nearest.js';

export const valueErrors = defineErrors({
  value_unknown: {
    exit: 3,
    when: 'a filter or an argument names something that does not exist: a type, a scope, an owner, a link',
    help: 'the error lists what there is',
  },
  value_invalid: {
    exit: 3,
    when: 'a time, an id, a number or a text has the wrong form, or is out of range',
    help: '`gcos COMMAND --help` shows the form of every value',
  },
});

/** How many names an error lists. */
const LISTED = 20;

/** `the scopes are a, b, c and 12 more`. */
function listText(what: string, known: readonly string[]): string {
  if (known.length === 0) return `there is no ${what}`;
  const shown = known.slice(0, LISTED).join(', ');
  const rest = known.length - LISTED;
  return `there ${known.length === 1 ? 'is' : 'are'}: ${shown}${rest > 0 ? ` and ${rest} more` : ''}`;
}

export interface KnownNames {
  /** What the name stands for, in the singular: `finding type`. */
  readonly what: string;
  readonly known: readonly string[];
  /** Where all of them are listed, for a reader. */
  readonly more?: string;
  /** Default: value_unknown. */
  readonly error?: (message: string, detail?: ErrorDetail) => GcosError;
}

/** The error for a name that does not exist: it suggests the nearest one, and lists what there is. */
export function unknownName(text: string, { what, known, more, error }: KnownNames): GcosError {
  const near = nearestName(text, known);
  const names = [...new Set(known)].sort();
  return (error ?? valueErrors.value_unknown)(
    `there is no ${what} \`${text}\`${near === undefined ? '' : `: did you mean \`${near}\`?`}`,
    {
      help: `${listText(what, names)}${more === undefined ? '' : `; ${more}`}`,
      facts: { value: text, known: names.slice(0, LISTED) },
    },
  );
}

/** `text` as one of `known`; otherwise an error that lists them. */
export function requireKnown<T extends string>(
  text: string,
  names: Omit<KnownNames, 'known'> & { readonly known: readonly T[] },
): T {
  const found = names.known.find((each) => each === text);
  if (found === undefined) throw unknownName(text, names);
  return found;
}

const invalid = (name: string, text: string, form: string, help?: string): GcosError =>
  valueErrors.value_invalid(`${name}: \`${text}\` is not ${form}`, help === undefined ? {} : { help });

const LARGEST_ID = 9_223_372_036_854_775_807n;

/** A positive 64-bit integer: the id of a row. */
export function requireId(name: string, value: string | bigint | number): bigint {
  const text = String(value);
  if (!/^\d{1,19}$/.test(text)) throw invalid(name, text, 'an id: a whole number from 1 on');
  const id = BigInt(text);
  if (id < 1n || id > LARGEST_ID) throw invalid(name, text, 'an id: a whole number from 1 on');
  return id;
}

/** A position to continue after; 0 is the start. */
export function requirePosition(name: string, value: string | bigint | number): bigint {
  return String(value) === '0' ? 0n : requireId(name, value);
}

/** A whole number between two others, written in digits, which `,` and `_` may group. */
export function requireWhole(name: string, value: string | number, least: number, most: number): number {
  const text = String(value);
  const number = /^-?\d[\d,_]*$/.test(text) ? Number(text.replaceAll(/[,_]/g, '')) : Number.NaN;
  if (!Number.isSafeInteger(number) || number < least || number > most)
    throw invalid(name, text, `a whole number from ${least} to ${most}`);
  return number;
}

/** The longest page of any list. */
export const LONGEST_PAGE = 10_000;
export const requireLimit = (limit: string | number): number => requireWhole('limit', limit, 1, LONGEST_PAGE);

/** Whether the day and the time of day exist, and the zone is one. */
function exists(text: string): boolean {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = (
    text.slice(0, 19).match(/\d+/g) ?? []
  ).map(Number);
  const [, zoneHour = '0', zoneMinute = '0'] = /[+-](\d\d):?(\d\d)?$/.exec(text.slice(10)) ?? [];
  return (
    year >= 1 &&
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= new Date(Date.UTC(year === 0 ? 4 : year + 400, month, 0)).getUTCDate() &&
    hour < 24 &&
    minute < 60 &&
    second < 60 &&
    Number(zoneHour) <= 15 &&
    Number(zoneMinute) < 60
  );
}

const TIME = /^\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d(:?\d\d)?))?$/;

/**
 * A date, or a time with its zone, as text for the database, which keeps microseconds; a date alone is
 * midnight UTC.
 */
export function requireTime(name: string, text: string): string {
  if (!TIME.test(text) || !exists(text))
    throw invalid(name, text, 'a time such as 2027-01-31 or 2027-01-31T12:00:00Z');
  return text.length === 10 ? `${text}T00:00:00Z` : text;
}

const LONGEST_TEXT = 2_000;

/** A text that is not blank, such as a reason. */
export function requireText(name: string, text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw valueErrors.value_invalid(`${name}: the text is empty`);
  if (trimmed.length > LONGEST_TEXT)
    throw valueErrors.value_invalid(`${name}: the text is longer than ${LONGEST_TEXT} characters`);
  if (/[\0\p{Surrogate}]/u.test(trimmed))
    throw valueErrors.value_invalid(`${name}: the text has characters that a database cannot store`);
  return trimmed;
}

/** What can name an address of this machine; whether it is one, serving on it shows. */
export const OWN_ADDRESS = /^[\w.:-]{1,253}$/;
export const OWN_ADDRESS_FORM = 'an IP address or a host name of this machine, such as 0.0.0.0 or ::1';

/** An address of this machine to serve on. */
export function requireAddress(name: string, text: string): string {
  if (!OWN_ADDRESS.test(text)) throw invalid(name, text, OWN_ADDRESS_FORM);
  return text;
}

/** A code or a name in the form of `pattern`, such as GEX-0001. */
export function requireForm(name: string, text: string, pattern: RegExp, example: string): string {
  if (!pattern.test(text)) throw invalid(name, text, `of the form ${example}`);
  return text;
}
