// Owns how values cross the wire. INVARIANT: a timestamp stays text (a Date drops microseconds), a 64-bit
// integer becomes a BigInt, a numeric and a json value stay text; nothing is rounded on the way.
import pg from 'pg';

const OID = { bool: 16, int8: 20, int2: 21, int4: 23, oid: 26, float4: 700, float8: 701 };
const ARRAY_OID = {
  bool: 1000,
  name: 1003,
  int2: 1005,
  int4: 1007,
  text: 1009,
  int8: 1016,
  timestamptz: 1185,
  uuid: 2951,
};

const asText = (text: string): string => text;
const splitAnyArray = pg.types.getTypeParser(ARRAY_OID.text) as (text: string) => (string | null)[];

/** The server quotes whatever could be mistaken for anything else, nothing included; what has no quotes is what it looks like. */
const UNQUOTED = /^\{[^"{}]+\}$/;
const splitArray = (text: string): (string | null)[] =>
  UNQUOTED.test(text)
    ? text
        .slice(1, -1)
        .split(',')
        .map((item) => (item === 'NULL' ? null : item))
    : splitAnyArray(text);

/** How many lists are remembered, and how long a text may be for that. */
const [FEW_LISTS, SHORT] = [16, 1_000];

/**
 * Taking a list apart costs more than the rest of a row, and the rows of one answer often have the same: it is then one and the same
 * list, which nobody can change.
 */
function arrayOf<T>(parse: (text: string) => T): (text: string) => readonly (T | null)[] {
  const known = new Map<string, readonly (T | null)[]>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const list = Object.freeze(splitArray(text).map((item) => (item === null ? null : parse(item))));
    if (text.length > SHORT) return list;
    if (known.size >= FEW_LISTS) known.clear();
    known.set(text, list);
    return list;
  };
}

const parsers = new Map<number, (text: string) => unknown>([
  [OID.bool, (text) => text === 't'],
  [OID.int8, BigInt],
  [OID.int2, Number],
  [OID.int4, Number],
  [OID.oid, Number],
  [OID.float4, Number],
  [OID.float8, Number],
  [ARRAY_OID.bool, arrayOf((text) => text === 't')],
  [ARRAY_OID.int2, arrayOf(Number)],
  [ARRAY_OID.int4, arrayOf(Number)],
  [ARRAY_OID.int8, arrayOf(BigInt)],
  [ARRAY_OID.text, arrayOf(asText)],
  [ARRAY_OID.name, arrayOf(asText)],
  [ARRAY_OID.uuid, arrayOf(asText)],
  [ARRAY_OID.timestamptz, arrayOf(asText)],
]);

/** An escape that JSON has and an array of the server has not, or what looks like one. */
const OTHER_ESCAPE = /\\[^"\\]/;

/**
 * A list of texts as the server reads it, made at once where the driver would go through every text three times. Everything else, and a list that
 * is written differently, is left to the driver.
 */
export function toWire(value: unknown): unknown {
  if (!Array.isArray(value) || !value.every((item) => item === null || typeof item === 'string'))
    return value;
  const text = JSON.stringify(value);
  return OTHER_ESCAPE.test(text) ? value : `{${text.slice(1, -1)}}`;
}

/** The driver's parser table: what is not listed above stays text. */
export const wireTypes = {
  getTypeParser(oid: number): (text: string) => unknown {
    return parsers.get(oid) ?? asText;
  },
};
