// Canonical JSON: one text per value, and exact numbers only.
import { describe, expect, it } from 'vitest';
import { canonicalJson, domainHash, parseExactJson } from '../../src/kernel/index.js';

const canonical = (text: string) => canonicalJson(parseExactJson(text));

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

  it('writes equal numbers as the same text', () => {
    for (const one of ['1', '1.0', '1.00', '1e0', '10e-1', '0.1E1', '0.001e+3'])
      expect(canonical(one)).toBe('1');
    for (const zero of ['0', '-0', '0.000', '0e9']) expect(canonical(zero)).toBe('0');
    expect(canonical('0.50')).toBe('{"$decimal":"0.5"}');
    expect(canonical('-12.3400e1')).toBe('{"$decimal":"-123.4"}');
    expect(canonical('5e-3')).toBe('{"$decimal":"0.005"}');
  });

  it('distinguishes numbers that a float would merge', () => {
    expect(canonical('9007199254740991')).toBe('9007199254740991');
    expect(canonical('9007199254740992')).toBe('{"$decimal":"9007199254740992"}');
    expect(canonical('9007199254740993')).not.toBe(canonical('9007199254740992'));
    expect(canonical('0.1')).not.toBe(canonical('0.1000000000000000055511151231257827'));
    expect(canonical('1e400')).toBe('{"$decimal":"1e400"}');
    expect(canonical(`1${'0'.repeat(400)}`)).toBe('{"$decimal":"1e400"}');
    expect(canonical('1e999999999999999999')).toBe('{"$decimal":"1e999999999999999999"}');
  });

  it('never writes a string or an object like a number', () => {
    expect(canonical('"1"')).not.toBe(canonical('1'));
    expect(canonical('{"$decimal":"0.5"}')).not.toBe(canonical('0.5'));
    expect(canonical('{"$decimal":"0.5"}')).toBe('{"$$decimal":"0.5"}');
    expect(canonical('{"$$decimal":"0.5"}')).toBe('{"$$$decimal":"0.5"}');
    expect(canonical('"a 1.50 \\" 2.0 \\\\"')).toBe('"a 1.50 \\" 2.0 \\\\"');
    expect(canonical('{"n1":"n1","__proto__":{"s":1.0}}')).toBe('{"__proto__":{"s":1},"n1":"n1"}');
  });

  it('refuses values that have no exact form', () => {
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

  it('includes the domain in the hash', () => {
    expect(domainHash('a', 'b')).toMatch(/^[0-9a-f]{64}$/);
    expect(domainHash('a', 'b')).not.toBe(domainHash('ab', ''));
    expect(domainHash('a', 'é')).toBe(domainHash('a', Buffer.from('é')));
  });
});
