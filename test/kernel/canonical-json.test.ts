// Canonical JSON: one spelling per value, and no number that is not exact.
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, domainHash, parseExactJson } from '../../src/kernel/index.js';

const spell = (text: string) => canonicalJson(parseExactJson(text));

describe('canonical JSON', () => {
  it('orders keys by UTF-16 code units and writes no spaces (RFC 8785 §3.2.3)', () => {
    const keys = ['\u20ac', '\r', '\ufb33', '1', '\u{1f600}', '\u0080', '\u00f6'];
    const text = canonicalJson(Object.fromEntries(keys.map((key) => [key, 0])));
    expect(Object.keys(JSON.parse(text) as object)).toHaveLength(7);
    expect([...text.matchAll(/"((?:[^"\\]|\\.)*)":/gu)].map((match) => JSON.parse(`"${match[1]}"`))).toEqual([
      '\r',
      '1',
      '\u0080',
      '\u00f6',
      '\u20ac',
      '\u{1f600}',
      '\ufb33',
    ]);
    expect(canonicalJson({ b: [1, { d: null, c: true }], a: '\u000f\n"' })).toBe(
      '{"a":"\\u000f\\n\\"","b":[1,{"c":true,"d":null}]}',
    );
  });

  it('is what others take RFC 8785 for', () => {
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
    fc.assert(
      fc.property(value, (each) => {
        expect(canonicalJson(each)).toBe(canonicalize(each));
      }),
    );
  });

  it('has one spelling for one number', () => {
    for (const one of ['1', '1.0', '1.00', '1e0', '10e-1', '0.1E1', '0.001e+3']) expect(spell(one)).toBe('1');
    for (const zero of ['0', '-0', '0.000', '0e9']) expect(spell(zero)).toBe('0');
    expect(spell('0.50')).toBe('{"$decimal":"0.5"}');
    expect(spell('-12.3400e1')).toBe('{"$decimal":"-123.4"}');
    expect(spell('5e-3')).toBe('{"$decimal":"0.005"}');
  });

  it('keeps numbers apart that a float would merge', () => {
    expect(spell('9007199254740991')).toBe('9007199254740991');
    expect(spell('9007199254740992')).toBe('{"$decimal":"9007199254740992"}');
    expect(spell('9007199254740993')).not.toBe(spell('9007199254740992'));
    expect(spell('0.1')).not.toBe(spell('0.1000000000000000055511151231257827'));
    expect(spell('1e400')).toBe('{"$decimal":"1e400"}');
    expect(spell(`1${'0'.repeat(400)}`)).toBe('{"$decimal":"1e400"}');
    expect(spell('1e999999999999999999')).toBe('{"$decimal":"1e999999999999999999"}');
  });

  it('never takes a text or an object for a number', () => {
    expect(spell('"1"')).not.toBe(spell('1'));
    expect(spell('{"$decimal":"0.5"}')).not.toBe(spell('0.5'));
    expect(spell('{"$decimal":"0.5"}')).toBe('{"$$decimal":"0.5"}');
    expect(spell('{"$$decimal":"0.5"}')).toBe('{"$$$decimal":"0.5"}');
    expect(spell('"a 1.50 \\" 2.0 \\\\"')).toBe('"a 1.50 \\" 2.0 \\\\"');
    expect(spell('{"n1":"n1","__proto__":{"s":1.0}}')).toBe('{"__proto__":{"s":1},"n1":"n1"}');
  });

  it('refuses what has no exact form', () => {
    const refused = [
      0.5,
      2 ** 53,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      '\ud800',
      undefined,
      1n,
      new Date(0),
    ];
    for (const value of refused) expect(() => canonicalJson([value])).toThrow(/no canonical form/);
    expect(() => parseExactJson('{"a":01}')).toThrow(/not JSON/);
    expect(() => parseExactJson('[1.]')).toThrow(/not JSON/);
    expect(() => parseExactJson(`${'['.repeat(5_000)}${']'.repeat(5_000)}`)).toThrow(/nested/);
  });

  it('is the same for any order of keys and any JSON writer, and different for different values', () => {
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
      spell(JSON.stringify(left)) === spell(JSON.stringify(right));
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 4 }), (left, right) => {
        // JSON text cannot tell -0 from 0.
        const [one, other] = [left, right].map((value) => JSON.parse(JSON.stringify(value)) as unknown);
        expect(same(one, shuffled(one))).toBe(true);
        expect(spell(JSON.stringify(one, null, 3))).toBe(spell(JSON.stringify(one)));
        const equal = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
        expect(same(one, other)).toBe(equal);
      }),
      { seed: 38, numRuns: 400 },
    );
  });

  it('hashes in a domain', () => {
    expect(domainHash('a', 'b')).toMatch(/^[0-9a-f]{64}$/);
    expect(domainHash('a', 'b')).not.toBe(domainHash('ab', ''));
    expect(domainHash('a', 'é')).toBe(domainHash('a', Buffer.from('é')));
  });
});

/** The same value with its keys in order: what equality means here. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, item]) => [`k${key}`, sorted(item)]);
}
