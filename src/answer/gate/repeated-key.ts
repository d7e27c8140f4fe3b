// Owns finding a key that JSON text writes twice in one object. Parsers keep one of the two values and drop
// the other: a manifest that a person read as strict could be checked as lenient.

/** Strings and the marks of structure; everything else is not needed to find keys. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/gs;

/** The first key that occurs twice in one object of `text`, which must be valid JSON; undefined: none. */
export function repeatedKey(text: string): string | undefined {
  /** The keys of each object that is open; undefined: a list. */
  const open: (Set<string> | undefined)[] = [];
  let last = '';
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') {
      // Parsed, because one key can be written in several forms: "a" and "\u0061".
      const key = JSON.parse(last) as string;
      const keys = open.at(-1);
      if (keys?.has(key)) return key;
      keys?.add(key);
    }
    last = token;
  }
  return undefined;
}
