// Owns comparing the two sides of a detector. Each is a count or a key, and nothing else: a detector is SQL
// from a table, and any other text could carry the contents of host objects. The comparison is exact: numbers
// are compared digit by digit, never as floats. Values that cannot be compared give "not evaluated", which
// never counts as passed.
import type { Probed } from '../../db/index.js';

export type Compared =
  | { readonly outcome: 'passed' | 'violated'; readonly source: string; readonly target: string }
  | { readonly outcome: 'not_evaluated'; readonly why: string };

const DECIMAL = /^([+-]?)(\d{1,40})(?:\.(\d{1,40}))?$/;
/** A code, a name of a table, a boolean: one word of ASCII, no longer than codes are. */
const KEY = /^(?![\d.]+$)[A-Za-z0-9_][A-Za-z0-9_.:/-]{0,63}$/;

interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

function decimalOf(text: string): Decimal | undefined {
  const match = DECIMAL.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = ''] = match;
  return { digits: BigInt(`${sign === '-' ? '-' : ''}${whole}${fraction}`), scale: fraction.length };
}

/**
 * A negative, zero or positive number, as `left` is less than, equal to or greater than `right`; undefined
 * when either is not a number.
 */
function order(left: string, right: string): number | undefined {
  const [a, b] = [decimalOf(left), decimalOf(right)];
  if (a === undefined || b === undefined) return undefined;
  const scale = Math.max(a.scale, b.scale);
  const difference = a.digits * 10n ** BigInt(scale - a.scale) - b.digits * 10n ** BigInt(scale - b.scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

type Holds = (source: string, target: string) => boolean | undefined;
const ordered =
  (holds: (sign: number) => boolean): Holds =>
  (source, target) => {
    const sign = order(source, target);
    return sign === undefined ? undefined : holds(sign);
  };

/** The supported comparisons. Undefined: the two values cannot be compared by this operator. */
const COMPARISONS: Readonly<Record<string, Holds>> = {
  strict_equals: (source, target) => {
    const sign = order(source, target);
    return sign === undefined ? source === target : sign === 0;
  },
  not_equals: (source, target) => {
    const sign = order(source, target);
    return sign === undefined ? source !== target : sign !== 0;
  },
  less_than: ordered((sign) => sign < 0),
  less_or_equal: ordered((sign) => sign <= 0),
  at_most: ordered((sign) => sign <= 0),
  greater_than: ordered((sign) => sign > 0),
  greater_or_equal: ordered((sign) => sign >= 0),
  at_least: ordered((sign) => sign >= 0),
};

/**
 * A pair of values that each comparison must reject. A comparison that accepts its pair is broken, and its
 * result is not used.
 */
const KNOWN_BAD: Readonly<Record<string, readonly [string, string]>> = {
  strict_equals: ['1', '2'],
  not_equals: ['1', '1.0'],
  less_than: ['2', '2'],
  less_or_equal: ['10', '9'],
  at_most: ['10', '9'],
  greater_than: ['2', '2'],
  greater_or_equal: ['9', '10'],
  at_least: ['9', '10'],
};

function sideOf(probed: Probed | undefined): { readonly value: string } | { readonly why: string } {
  if (probed === undefined) return { why: 'not_run' };
  if (probed.outcome === 'failed') return { why: probed.why };
  const [row] = probed.rows;
  if (row === undefined || row.length !== 1 || probed.rows.length > 1 || probed.more)
    return { why: 'not_one_value' };
  const value = row[0] ?? null;
  if (value === null) return { why: 'no_value' };
  return DECIMAL.test(value) || KEY.test(value) ? { value } : { why: 'not_a_count_or_key' };
}

/** Applies `comparison` to the results of the two queries. */
export function compareSides(
  comparison: string,
  source: Probed | undefined,
  target: Probed | undefined,
): Compared {
  const holds = Object.hasOwn(COMPARISONS, comparison) ? COMPARISONS[comparison] : undefined;
  const bad = KNOWN_BAD[comparison];
  if (holds === undefined || bad === undefined)
    return { outcome: 'not_evaluated', why: 'comparison_unknown' };
  if (holds(...bad) !== false) return { outcome: 'not_evaluated', why: 'comparison_broken' };
  const [left, right] = [sideOf(source), sideOf(target)];
  if ('why' in left) return { outcome: 'not_evaluated', why: left.why };
  if ('why' in right) return { outcome: 'not_evaluated', why: right.why };
  const passed = holds(left.value, right.value);
  if (passed === undefined) return { outcome: 'not_evaluated', why: 'not_comparable' };
  return { outcome: passed ? 'passed' : 'violated', source: left.value, target: right.value };
}
