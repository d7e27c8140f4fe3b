// Owns making text fit for the database: what no encoding can carry (half a surrogate pair) and what PostgreSQL cannot
// store (NUL) becomes U+FFFD. Never throws: it is used where something has already gone wrong.
const UNFIT = /[\p{Surrogate}\0]/gu;
const REPLACEMENT = '\ufffd';

/** The text as PostgreSQL can store it. */
export function storableText(text: string): string {
  return text.replace(UNFIT, REPLACEMENT);
}

function storable(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'string') return storableText(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [storableText(key), each]));
}

/** The value as JSON that jsonb can hold: keys and texts made storable, big integers as text. */
export function storableJson(value: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(value, (_, each: unknown) => storable(each));
}
