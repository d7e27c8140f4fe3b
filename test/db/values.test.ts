// Values cross the wire without rounding.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { statement } from '../../src/db/index.js';
import { createDatabase, type TestDatabase } from '../support/database.js';

const echo = statement<
  {
    readonly big: bigint;
    readonly stamp: string;
    readonly exact: string;
    readonly document: string;
    readonly many: readonly bigint[];
    readonly words: readonly string[];
    readonly local: string;
    readonly flag: boolean;
  },
  {
    readonly big: bigint;
    readonly stamp: string;
    readonly exact: string;
    readonly document: string;
    readonly many: readonly bigint[];
    readonly words: readonly string[];
    readonly local: string;
    readonly flag: boolean;
    readonly nothing: bigint | null;
  }
>({
  name: 'test.echo',
  sql: `select $1::int8 as big, $2::timestamptz as stamp, $3::numeric as exact, $4::jsonb as document, $5::int8[] as many,
    $6::text[] as words, $7::timestamp as local, $8::bool as flag, null::int8 as nothing`,
  params: ['big', 'stamp', 'exact', 'document', 'many', 'words', 'local', 'flag'],
  nullable: ['nothing'],
});

describe('values on the wire', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database.close());

  it('keep microseconds, 64 bits, decimals and special characters', async () => {
    const sent = {
      big: 9_223_372_036_854_775_807n,
      stamp: '2026-02-17 03:04:05.123456+00',
      exact: '12345678901234567890.000000000000001',
      document: '{"n": 9007199254740993}',
      many: [-9_223_372_036_854_775_808n, 0n],
      words: ['a,b', '{}', '"', '\\', 'NULL', ''],
      local: '2026-02-17 03:04:05.999999',
      flag: false,
    };
    const got = await database.db.transaction({ isolation: 'read committed', readOnly: true }, (tx) =>
      tx.one(echo, sent),
    );
    expect(got).toEqual({ ...sent, nothing: null });
  });

  it('keep lists of any texts, with the fast and the general encoding', async () => {
    const both = statement<
      { readonly words: readonly string[]; readonly document: string },
      { readonly words: readonly string[]; readonly length: number | null; readonly same: boolean }
    >({
      name: 'test.lists',
      sql: `select $1::text[] as words, array_length($1::text[], 1) as length, $1::text[] = array(select w from jsonb_array_elements_text($2::jsonb)
        with ordinality as t(w, no) order by no) as same`,
      params: ['words', 'document'],
      nullable: ['length'],
    });
    const plain = ['DOT-117', 'A/2026/05', 'x'];
    const awkward = [
      'null',
      'NULL',
      'Null',
      '',
      ' ',
      'a b',
      'é',
      '\u{1F600}',
      '\u2028',
      "'",
      '$1',
      '[0:1]={a,b}',
    ];
    const escaped = ['"', '\\', '\\"', 'a\\"b', '{', '}', ','];
    const control = ['\n', '\t', '\u0001', '\u007f', '\\n', 'a\r\nb', '\\\n'];
    for (const words of [
      [],
      plain,
      [...plain, ...awkward],
      [...plain, ...escaped],
      [...awkward, ...control],
    ]) {
      const got = await database.db.transaction({ isolation: 'read committed', readOnly: true }, (tx) =>
        tx.one(both, { words, document: JSON.stringify(words) }),
      );
      expect(got).toEqual({ words, length: words.length === 0 ? null : words.length, same: true });
    }
    const holes = ['a', null, 'NULL', null] as readonly string[];
    const got = await database.db.transaction({ isolation: 'read committed', readOnly: true }, (tx) =>
      tx.one(both, { words: holes, document: '[]' }),
    );
    expect(got.words).toEqual(holes);
  });

  it('do not depend on the time zone or the date style of the server', async () => {
    const { db } = database;
    await db.transaction({ isolation: 'read committed' }, (tx) =>
      tx.script(
        'alter database ' +
          database.name +
          " set timezone = 'Asia/Ho_Chi_Minh'; alter database " +
          database.name +
          " set datestyle = 'German'",
      ),
    );
    const fresh = await createDatabase({ template: 'template0' });
    try {
      const read = statement<Record<never, never>, { readonly t: string }>({
        name: 'test.now',
        sql: "select '2026-01-01 00:00:00.000001+00'::timestamptz as t",
      });
      for (const each of [db, fresh.db]) {
        const row = await each.transaction({ isolation: 'read committed' }, (tx) => tx.one(read, {}));
        expect(row.t).toBe('2026-01-01 00:00:00.000001+00');
      }
    } finally {
      await fresh.close();
    }
  });
});
