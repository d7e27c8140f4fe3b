// Canonical JSON of random values: equal to the output of another RFC 8785 implementation, and independent of
// the order of keys and of the program that wrote the JSON text.
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { expect } from 'vitest';
import { canonicalJson, parseExactJson } from '../../src/kernel/index.js';
import { holds } from '../support/property.js';

const canonical = (text: string) => canonicalJson(parseExactJson(text));
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constantFrom(null, true, false, 0, -0),
    fc.maxSafeInteger(),
    fc.string({ unit: 'binary' }),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.string({ unit: 'binary' }), tie('value'), { maxKeys: 5, noNullPrototype: true }),
  ),
}));
const shuffled = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(shuffled)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .reverse()
            .map(([key, item]) => [key, shuffled(item)]),
        )
      : value;
const same = (left: unknown, right: unknown) =>
  canonical(JSON.stringify(left)) === canonical(JSON.stringify(right));
/** A form with sorted keys: two values are equal if their forms are equal. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, item]) => [`k${key}`, sorted(item)]);
}

holds('equals the output of another RFC 8785 implementation', {
  cases: value,
  check: (each) => {
    expect(canonicalJson(each)).toBe(canonicalize(each));
  },
  seeds: [38, 2_026],
  runs: 200,
});

holds('is the same for every order of keys and every JSON writer, and differs for different values', {
  cases: fc.tuple(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 4 })),
  check: (pair) => {
    // JSON text does not distinguish -0 from 0.
    const [one, other] = pair.map((value) => JSON.parse(JSON.stringify(value)) as unknown);
    expect(same(one, shuffled(one))).toBe(true);
    expect(canonical(JSON.stringify(one, null, 3))).toBe(canonical(JSON.stringify(one)));
    const equal = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
    expect(same(one, other)).toBe(equal);
  },
  seeds: [38, 2_026],
  runs: 400,
});
