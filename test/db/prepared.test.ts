// Prepared statements: on a direct connection only, and replaced when the server no longer accepts them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, statement } from '../../src/db/index.js';
import { asHost, createDatabase, openDatabase, type TestDatabase } from '../support/database.js';
import { startPooler } from '../support/pooler.js';

const READ_ONLY = { isolation: 'repeatable read' } as const;
const readLabel = statement<{ readonly id: number }, { readonly label: string }>({
  name: 'test.readLabel',
  sql: 'select label from item where id = $1::int4',
  params: ['id'],
});
const listPrepared = statement<Record<never, never>, { readonly name: string }>({
  name: 'test.listPrepared',
  sql: 'select name from pg_prepared_statements order by name',
});

describe('a prepared statement', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase();
    await asHost(
      database.url,
      `create table item (id int primary key, label text); insert into item values (1, 'one')`,
    );
  });
  afterAll(() => database.close());

  const label = (db: Database) =>
    db.transaction(READ_ONLY, async (tx) =>
      (await tx.runPrepared(readLabel, { id: 1 })).map((row) => row.label),
    );
  const prepared = (db: Database) =>
    db.transaction(READ_ONLY, async (tx) => (await tx.run(listPrepared, {})).map((row) => row.name));

  it('is prepared once per connection', async () => {
    const db = openDatabase(database.url, { poolSize: 1 });
    expect(await label(db)).toEqual(['one']);
    expect(await label(db)).toEqual(['one']);
    expect(await prepared(db)).toEqual(['gcos.test.readLabel']);
    await db.close();
  });

  it('is not prepared behind a pooler: the next transaction may reach another server process', async () => {
    const pooler = await startPooler(database.url);
    const db = openDatabase(pooler.url, { poolSize: 1 });
    expect(await label(db)).toEqual(['one']);
    expect(await prepared(db)).toEqual([]);
    await db.close();
    await pooler.stop();
  });

  it.each([
    [
      'the type of a column changed',
      'alter table item alter column label type varchar(40)',
      'alter table item alter column label type text',
      'select 1',
    ],
    ['the session discarded it', 'select 1', 'select 1', 'deallocate all'],
  ])('fails once, and then uses a new connection: %s', async (_, change, changeBack, inSession) => {
    const db = openDatabase(database.url, { poolSize: 1 });
    expect(await label(db)).toEqual(['one']);
    await asHost(database.url, change);
    await db.transaction(READ_ONLY, (tx) => tx.script(inSession));
    await expect(label(db)).rejects.toMatchObject({ code: 'database_error' });
    expect(await label(db)).toEqual(['one']);
    await db.close();
    await asHost(database.url, changeBack);
  });
});
