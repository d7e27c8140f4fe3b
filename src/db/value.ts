// Owns the conversion of result values. INVARIANT: no value is rounded. A timestamp stays text because a Date
// drops microseconds, a 64-bit integer becomes a BigInt, and numeric and json values stay text.
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
const splitArray = pg.types.getTypeParser(ARRAY_OID.text) as (text: string) => (string | null)[];
const arrayOf =
  <T>(parse: (text: string) => T) =>
  (text: string): (T | null)[] =>
    splitArray(text).map((item) => (item === null ? null : parse(item)));

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
  [ARRAY_OID.text, splitArray],
  [ARRAY_OID.name, splitArray],
  [ARRAY_OID.uuid, splitArray],
  [ARRAY_OID.timestamptz, splitArray],
]);

/** The driver's parser table: a type that is not listed above stays text. */
export const wireTypes = {
  getTypeParser(oid: number): (text: string) => unknown {
    return parsers.get(oid) ?? asText;
  },
};
