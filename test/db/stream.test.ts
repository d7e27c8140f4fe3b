// A stream of rows: pages through a cursor of the server, in one read-only transaction.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { statement, type Transaction } from '../../src/db/index.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { until } from '../support/wait.js';

const numbers = statement<{ readonly last: number }, { readonly n: number; readonly pid: number }>({
  name: 'test.numbers',
  sql: 'select n, pg_backend_pid() as pid from generate_series(1, $1::integer) n',
  params: ['last'],
});
const failing = statement<Record<never, never>, { readonly n: number }>({
  name: 'test.failing',
  sql: 'select 10 / (1500 - n) as n from generate_series(1, 3000) n',
});

describe('a stream', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database.close());

  const streamed = async (work: (tx: Transaction) => AsyncIterable<{ readonly n: number }>) => {
    const found: number[] = [];
    for await (const row of database.db.stream({ isolation: 'repeatable read' }, work)) found.push(row.n);
    return found;
  };

  it.each([0, 1, 999, 1_000, 1_001, 2_500])('yields each of %i rows once, in order', async (last) => {
    expect(await streamed((tx) => tx.stream(numbers, { last }))).toEqual(
      Array.from({ length: last }, (_, index) => index + 1),
    );
  });

  it('runs several statements in one transaction, also while another one is read', async () => {
    const pairs = await streamed(async function* (tx) {
      for await (const row of tx.stream(numbers, { last: 3 }, 1)) {
        yield row;
        yield* tx.stream(numbers, { last: 2 }, 1);
      }
    });
    expect(pairs).toEqual([1, 1, 2, 2, 1, 2, 3, 1, 2]);
  });

  it('fails where the server fails, after the rows before', async () => {
    const found: number[] = [];
    const whole = async () => {
      for await (const row of database.db.stream({ isolation: 'repeatable read' }, (tx) =>
        tx.stream(failing, {}),
      ))
        found.push(row.n);
    };
    await expect(whole()).rejects.toMatchObject({ code: 'database_error' });
    expect(found).toHaveLength(1_000);
    expect(await streamed((tx) => tx.stream(numbers, { last: 1 }))).toEqual([1]);
  });

  it('refuses to write', async () => {
    const create = statement<Record<never, never>, { readonly n: number }>({
      name: 'test.create',
      sql: "select nextval('s')::integer as n",
    });
    await database.db.transaction({ isolation: 'read committed' }, (tx) => tx.script('create sequence s'));
    await expect(streamed((tx) => tx.stream(create, {}))).rejects.toMatchObject({
      facts: { sqlstate: '25006' },
    });
  });

  it('closes the transaction when the consumer stops early', async () => {
    const { db } = database;
    let pid = 0;
    for await (const row of db.stream({ isolation: 'repeatable read' }, (tx) =>
      tx.stream(numbers, { last: 5_000 }),
    )) {
      pid = row.pid;
      break;
    }
    const open = statement<{ readonly pid: number }, { readonly sessions: number }>({
      name: 'test.sessions',
      sql: `select count(*)::integer as sessions from pg_stat_activity where pid = $1 and state = 'idle in transaction'`,
      params: ['pid'],
    });
    await until('the session has ended', async () => {
      const { sessions } = await db.transaction({ isolation: 'read committed' }, (tx) =>
        tx.one(open, { pid }),
      );
      return sessions === 0;
    });
  });
});
