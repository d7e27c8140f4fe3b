// Owns making text storable in the database. Lone surrogates, which UTF-8 cannot encode, and NUL, which
// PostgreSQL cannot store, become U+FFFD. Never throws, because callers use it while they handle another
// error.
const UNFIT = /[\p{Surrogate}\0]/gu;
const REPLACEMENT = '\ufffd';

/** `text` in a form that PostgreSQL can store. */
export function storableText(text: string): string {
  return text.replace(UNFIT, REPLACEMENT);
}

function storable(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'string') return storableText(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [storableText(key), each]));
}

/**
 * `value` as JSON that a jsonb column can store: keys and texts are made storable, big integers become text.
 */
export function storableJson(value: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(value, (_, each: unknown) => storable(each));
}
