// Links from patterns and data contracts: which counts, and what happens when places disagree.
import { describe, expect, it } from 'vitest';
import { type LinkPattern, placeLinks, readContract, withPlaces } from '../../src/source/link/index.js';
import type { SourceObject } from '../../src/source/object/index.js';

const object = (code: string, more: Partial<SourceObject> = {}): SourceObject => ({
  class: 'table',
  code,
  identity: null,
  parent: null,
  attributes: {},
  links: {},
  ...more,
});
const owner = (match: string, name: string, objectClass?: string): LinkPattern => ({
  match,
  class: objectClass,
  links: { owner: name },
});
const owned = (patterns: readonly LinkPattern[], code: string, more: Partial<SourceObject> = {}) =>
  placeLinks({ contracts: [], patterns })(object(code, more)).links['owner'];

const contract = (more = ''): string => `apiVersion: v3.1.0
kind: DataContract
id: orders
version: 1.0.0
status: active
team:
  name: team-checkout
servers:
  - server: prod
    type: postgres
    host: db.internal
    database: shop
    schema: public
schema:
  - name: orders
    physicalName: Orders
    properties:
      - name: email
        classification: personal
      - name: id
  - name: audit.entries
slaProperties:
  - property: retention
    value: 3
    unit: y
${more}`;
const read = (text: string) => readContract({ name: 'orders.yaml', text });

describe('patterns', () => {
  it('match the whole code; the last one that matches counts', () => {
    const patterns = [owner('*', 'all'), owner('public.*', 'public'), owner('public.order?', 'orders')];
    expect(owned(patterns, 'public.orders')).toBe('orders');
    expect(owned(patterns, 'public.orderss')).toBe('public');
    expect(owned(patterns, 'xpublic.orders')).toBe('all');
    expect(owned([...patterns, owner('public.*', 'last')], 'public.orders')).toBe('last');
    expect(owned([owner('public.*', 'x')], 'public_orders')).toBeUndefined();
  });

  it('are restricted to a class, and give each link by itself', () => {
    const patterns = [
      { match: '*', links: { owner: 'a', retention: 'P1Y' } },
      { match: 'public.*', class: 'view', links: { owner: 'b' } },
    ];
    const place = placeLinks({ contracts: [], patterns });
    expect(place(object('public.v', { class: 'view' })).links).toEqual({ owner: 'b', retention: 'P1Y' });
    expect(place(object('public.v')).links).toEqual({ owner: 'a', retention: 'P1Y' });
  });

  it('take every other character literally, in names that hold anything', () => {
    for (const code of [
      'a.b+c(d)[e]{f}|^$/-',
      'public."ze\ni\\x"',
      'fn(integer, text)',
      '\u{202e}x',
      'a\u{1f600}b',
    ]) {
      const literal = code.replaceAll(/[\\*?]/g, '\\$&');
      expect(owned([owner(literal, 'me')], code), code).toBe('me');
      expect(owned([owner(literal, 'me')], `${code}x`), code).toBeUndefined();
      expect(owned([owner('*', 'me')], code), code).toBe('me');
    }
    expect(owned([owner('a?b', 'me')], 'a\u{1f600}b')).toBe('me');
    expect(owned([owner('a\\*', 'me')], 'a*')).toBe('me');
    expect(owned([owner('a\\*', 'me')], 'ab')).toBeUndefined();
  });
});

describe('a data contract', () => {
  it('gives its tables team and retention, and its columns their classification', () => {
    expect(read(contract())).toEqual([
      { kind: 'table', code: 'public."Orders"', links: { owner: 'team-checkout', retention: 'P3Y' } },
      { kind: 'column', code: 'public."Orders".email', links: { classification: 'personal' } },
      { kind: 'table', code: 'audit.entries', links: { owner: 'team-checkout', retention: 'P3Y' } },
    ]);
    expect(read(contract().replace('status: active', 'status: retired'))).toEqual([]);
  });

  it.each([
    [
      'another version of the standard',
      (text: string) => text.replace('v3.1.0', 'v3.0.2'),
      '1:13: apiVersion: only version 3.1',
    ],
    [
      'a team of the former form',
      (text: string) => text.replace('team:\n  name: team-checkout', 'team:\n  - username: x'),
      '7:3: team',
    ],
    [
      'two schemas',
      (text: string) =>
        text.replace('servers:\n', 'servers:\n  - {server: b, type: postgresql, schema: other}\n'),
      '9:3: servers: its servers have several schemas: other, public',
    ],
    [
      'a unit that it does not know',
      (text: string) => text.replace('unit: y', 'unit: m'),
      '25:11: slaProperties.0.unit: the unit of a retention',
    ],
    [
      'a retention that is no number',
      (text: string) => text.replace('value: 3', 'value: long'),
      '24:12: slaProperties.0.value',
    ],
    [
      'two retentions',
      (text: string) => `${text}  - {property: retention, value: 4, unit: y}\n`,
      '26:5: slaProperties.1: another retention than P3Y',
    ],
    ['a key twice', (text: string) => `${text}kind: DataContract\n`, '26:1: Map keys must be unique'],
    ['a broken line', (text: string) => text.replace('kind: DataContract', 'kind: [a'), '3:'],
  ])('with %s is refused with its line and column', (_, change, message) => {
    let error: unknown;
    try {
      read(change(contract()));
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ code: 'yaml_invalid', exit: 3 });
    expect(String((error as Error).message)).toContain(`orders.yaml:${message}`);
  });
});

describe('places', () => {
  const contracts = read(contract());
  const patterns = [owner('public.*', 'team-checkout'), owner('audit.*', 'team-audit')];
  const place = placeLinks({ contracts, patterns });

  it('that agree, or of which one speaks, give the link', () => {
    expect(place(object('public."Orders"'))).toEqual(
      object('public."Orders"', { links: { owner: 'team-checkout', retention: 'P3Y' } }),
    );
    expect(place(object('public.other', { links: { approval: 'https://x' } })).links).toEqual({
      approval: 'https://x',
      owner: 'team-checkout',
    });
    expect(place(object('public."Orders".email', { class: 'personal_column' })).links).toEqual({
      classification: 'personal',
      owner: 'team-checkout',
    });
  });

  it('that disagree give none, and the object carries what each says, the nearest first', () => {
    expect(place(object('audit.entries', { links: { owner: 'mine' }, attributes: { rows: 1 } }))).toEqual(
      object('audit.entries', {
        attributes: { rows: 1, link_conflicts: { owner: ['mine', 'team-checkout', 'team-audit'] } },
        links: { retention: 'P3Y' },
      }),
    );
  });

  it('of two contracts disagree, too', () => {
    const other = read(contract().replace('team-checkout', 'team-other'));
    const both = placeLinks({ contracts: [...contracts, ...other], patterns: [] });
    expect(both(object('audit.entries')).attributes).toEqual({
      link_conflicts: { owner: ['team-checkout', 'team-other'] },
    });
  });

  it('are read object by object, and the reader is closed', async () => {
    let closed = false;
    const reader = withPlaces(
      {
        describe: () => ({ classes: ['table'], links: ['approval'] }),
        async *read() {
          yield object('audit.x');
          throw new Error('the estate is gone');
        },
        close: async () => {
          closed = true;
        },
      },
      { contracts, patterns },
    );
    expect(reader.describe().links).toEqual(['approval', 'owner', 'retention', 'classification']);
    const seen: SourceObject[] = [];
    await expect(
      (async () => {
        for await (const each of reader.read()) seen.push(each);
      })(),
    ).rejects.toThrow('the estate is gone');
    expect(seen.map((each) => each.links)).toEqual([{ owner: 'team-audit' }]);
    await reader.close?.();
    expect(closed).toBe(true);
  });
});
