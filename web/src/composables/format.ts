// How numbers and times read: one form everywhere.
const whole = new Intl.NumberFormat('en-US');

/** A count as text; 64-bit counts arrive as text and lose nothing. */
export function formatCount(value: string | number | bigint): string {
  return whole.format(BigInt(value));
}

/** A share of 0 to 1 as a percentage, cut as the API cuts it. It is 100 % or 0 % only if it is exactly that. */
export function formatShare(part: number, total: number): string {
  if (total === 0) return '–';
  const share = (part / total) * 100;
  if (share < 0.1 && share > 0) return '0.1 %';
  return `${(Math.floor(share * 10 + 1e-9) / 10).toFixed(1).replace(/\.0$/, '')} %`;
}

const UNITS: readonly (readonly [string, number])[] = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
];

/** How long ago a time was, or how far ahead it is: `3 min ago`, `in 2 d`. */
export function formatAge(at: string, now: number): string {
  const seconds = Math.round((now - Date.parse(at)) / 1_000);
  const size = Math.abs(seconds);
  if (size < 2) return 'now';
  const [unit, length] = UNITS.find(([, each]) => size >= each) ?? ['s', 1];
  const text = `${Math.floor(size / length)} ${unit}`;
  return seconds >= 0 ? `${text} ago` : `in ${text}`;
}

/** The exact time, in UTC. */
export function formatTime(at: string): string {
  return `${at
    .replace('T', ' ')
    .replace(/(\.\d{3})\d*/, '$1')
    .replace(/Z$|\+00(:00)?$/, '')} UTC`;
}

/** The beginning of a sentence. */
export const capitalised = (text: string): string => text.replace(/^./u, (first) => first.toUpperCase());

/** `approval_path_gap` as `approval path gap`. */
export function formatWords(code: string): string {
  return code.replaceAll('_', ' ');
}
