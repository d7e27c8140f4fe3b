// Owns the one form that GCOS gives to data outside: JSON with snake_case names, 64-bit integers as text and
// times in RFC 3339. TypeScript uses camelCase; the translation happens here and nowhere else, at the edge:
// `--json`, stored documents, exports.

/**
 * Values under these names are documents: the host's, a rule's, or a stored snapshot. Their own names stay as
 * they are.
 */
const VERBATIM: ReadonlySet<string> = new Set(['content', 'detail', 'document', 'payload', 'proposedAction']);

/** A time as the server prints it in UTC. */
const SERVER_TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d{1,6})?)\+00$/;

const CAMEL_CASE = /^[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+$/;
const toSnakeCase = (name: string): string =>
  CAMEL_CASE.test(name) ? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name;

type Wire = string | number | boolean | null | Wire[] | { [name: string]: Wire };

/** A copy with other names, integers as text and times in RFC 3339; undefined is left out, as in JSON. */
function translate(value: unknown, rename: ((name: string) => string) | undefined): Wire {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'string') return rename === undefined ? value : value.replace(SERVER_TIME, '$1T$2Z');
  if (Array.isArray(value)) return value.map((each) => translate(each, rename));
  if (typeof value !== 'object' || value === null) return value as Wire;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) =>
      each === undefined
        ? []
        : [[rename?.(name) ?? name, translate(each, VERBATIM.has(name) ? undefined : rename)]],
    ),
  );
}

/** The value as it leaves GCOS: what `JSON.stringify` of it prints is the public form. */
export const toWire = (value: unknown): Wire => translate(value, toSnakeCase);

/** A time that `toWire` wrote, as the server prints it: all times inside GCOS have that form. */
export const fromWireTime = (text: string): string =>
  text.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d(?:\.\d{1,6})?)Z$/, '$1 $2+00');
