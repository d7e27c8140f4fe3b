// Owns the one form that GCOS gives to data outside: JSON with snake_case names, 64-bit integers as text. TypeScript uses camelCase;
// the translation happens here and nowhere else, at the edge: `--json`, stored documents, exports.

/** Values under these names belong to the host or to a rule: their own names stay as they are. */
const VERBATIM: ReadonlySet<string> = new Set(['content', 'detail', 'evidence', 'payload', 'proposedAction']);

const CAMEL_CASE = /^[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+$/;
const SNAKE_CASE = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/;

const toSnakeCase = (name: string): string =>
  CAMEL_CASE.test(name) ? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name;

const toCamelCase = (name: string): string =>
  SNAKE_CASE.test(name) ? name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()) : name;

/** A copy in which objects have other names and integers are text; what JSON leaves out (undefined) is left out. */
function translate(value: unknown, rename: ((name: string) => string) | undefined): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return value.map((each) => translate(each, rename));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) =>
      each === undefined
        ? []
        : [[rename?.(name) ?? name, translate(each, VERBATIM.has(name) ? undefined : rename)]],
    ),
  );
}

/** The value as it leaves GCOS: what `JSON.stringify` of it prints is the public form. */
export const toWire = (value: unknown): unknown => translate(value, toSnakeCase);

/** What was read from a document that `toWire` made, with the names that TypeScript uses. Integers stay text. */
export const fromWire = (value: unknown): unknown => translate(value, toCamelCase);
