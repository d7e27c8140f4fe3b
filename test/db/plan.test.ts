// Whose plans the server keeps: those of statements that say so, on a connection of their own, for as long as they are good.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, statement } from '../../src/db/index.js';
import { asHost, createDatabase, openDatabase, type TestDatabase } from '../support/database.js';
import { startPooler } from '../support/pooler.js';

const LOOK = { isolation: 'repeatable read' } as const;
const often = statement({
  name: 'test.often',
  keepPlan: 'always',
  sql: 'select label from item where id = $1::int4',
  params: { id: 'int4' },
  columns: { label: 'text' },
});
const few = statement({
  name: 'test.few',
  keepPlan: 'few',
  sql: 'select count(*) as n from item where id = any ($1::int4[])',
  params: { ids: 'int4[]?' },
  columns: { n: 'int8' },
});
const kept = statement({
  name: 'test.kept',
  sql: `select statement from pg_prepared_statements where name like 'gcos%' order by 1`,
  params: {},
  columns: { statement: 'text' },
});

describe('a plan', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase();
    await asHost(
      database.url,
      `create table item (id int primary key, label text); insert into item values (1, 'one')`,
    );
  });
  afterAll(() => database.close());

  const names = async (db: Database): Promise<string[]> =>
    (await db.transaction(LOOK, (tx) => tx.run(kept, {}))).map(
      (row) => /gcos:(\S+)/.exec(row.statement)?.[1] ?? '',
    );
  const label = (db: Database) => db.transaction(LOOK, async (tx) => (await tx.one(often, { id: 1 })).label);

  it('is kept where it is asked for, and with few values only if so', async () => {
    const db = openDatabase(database.url, { poolSize: 1 });
    expect(await label(db)).toBe('one');
    expect(await names(db)).toEqual(['test.often']);
    const count = (ids: number[] | null) => db.transaction(LOOK, (tx) => tx.one(few, { ids }));
    await count(Array.from({ length: 21 }, (_, id) => id));
    await count(null);
    expect(await names(db)).toEqual(['test.often']);
    expect(await count([1, 2])).toEqual({ n: 1n });
    expect(await names(db)).toEqual(['test.few', 'test.often']);
    await db.close();
  });

  it('is not kept behind a pooler: the next transaction may be on another server process', async () => {
    const pooler = await startPooler(database.url);
    const db = openDatabase(pooler.url, { poolSize: 1 });
    expect(await label(db)).toBe('one');
    expect(await names(db)).toEqual([]);
    await db.close();
    await pooler.stop();
  });

  it.each([
    [
      'its columns have another type',
      'alter table item alter column label type varchar(40)',
      'alter table item alter column label type text',
    ],
    ['somebody has discarded it', 'select 1', 'select 1'],
  ])('that is no longer good costs one error, and not the next one: %s', async (what, change, back) => {
    const db = openDatabase(database.url, { poolSize: 1 });
    expect(await label(db)).toBe('one');
    await asHost(database.url, change);
    if (what.includes('discarded')) await db.transaction(LOOK, (tx) => tx.script('deallocate all'));
    await expect(label(db)).rejects.toMatchObject({ code: 'database_error' });
    expect(await label(db)).toBe('one');
    await db.close();
    await asHost(database.url, back);
  });
});
