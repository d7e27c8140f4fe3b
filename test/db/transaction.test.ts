// Transactions: their limits, commit and rollback, retries and cancellation.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sqlstateOf, statement } from '../../src/db/index.js';
import { createDatabase, openDatabase, type TestDatabase } from '../support/database.js';

const write = { isolation: 'read committed' } as const;
const count = statement<Record<never, never>, { readonly n: bigint }>({
  name: 'test.count',
  sql: 'select count(*) as n from item',
});
const total = statement<Record<never, never>, { readonly n: bigint | null }>({
  name: 'test.total',
  sql: 'select sum(amount)::int8 as n from item',
  nullable: ['n'],
});
const setting = statement<{ readonly name: string }, { readonly value: string }>({
  name: 'test.setting',
  sql: 'select current_setting($1::text) as value',
  params: ['name'],
});

describe('a transaction', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createDatabase();
    await database.db.transaction(write, (tx) =>
      tx.script(
        'create table item (id int primary key, amount int not null); insert into item values (1, 10)',
      ),
    );
  });
  afterEach(() => database.close());

  const counted = () => database.db.transaction(write, async (tx) => (await tx.one(count, {})).n);

  it('commits all statements or none', async () => {
    await database.db.transaction(write, (tx) => tx.script('insert into item values (2, 20)'));
    await expect(
      database.db.transaction(write, async (tx) => {
        await tx.script('insert into item values (3, 30)');
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    expect(await counted()).toBe(2n);
  });

  it('fails if a statement failed and its error was ignored', async () => {
    await expect(
      database.db.transaction(write, async (tx) => {
        await tx.script('insert into item values (1, 1)').catch(() => undefined);
      }),
    ).rejects.toMatchObject({ code: 'transaction_lost' });
  });

  it('restores settings after a function, on success and on a rollback to a savepoint', async () => {
    await database.db.transaction(write, async (tx) => {
      const loops = async () => (await tx.one(setting, { name: 'enable_nestloop' })).value;
      expect(await tx.withoutNestedLoops(loops)).toBe('off');
      expect(await loops()).toBe('on');
      const fails = () => tx.withoutNestedLoops(() => tx.script('select 1/0'));
      await expect(tx.savepoint(fails)).rejects.toMatchObject({ facts: { sqlstate: '22012' } });
      expect(await loops()).toBe('on');
    });
  });

  it('continues after a rollback to a savepoint', async () => {
    await database.db.transaction(write, async (tx) => {
      await expect(tx.savepoint(() => tx.script('insert into item values (1, 1)'))).rejects.toMatchObject({
        facts: { sqlstate: '23505' },
      });
      await tx.savepoint(() => tx.script('insert into item values (3, 30)'));
    });
    expect(await counted()).toBe(2n);
  });

  it('leaves nothing behind in a rehearsal', async () => {
    const seen = await database.db.rehearse(write, async (tx) => {
      await tx.script('insert into item values (9, 90)');
      return (await tx.one(count, {})).n;
    });
    expect(seen).toBe(2n);
    expect(await counted()).toBe(1n);
  });

  it('applies its limits only to itself', async () => {
    const one = openDatabase(database.url, { poolSize: 1 });
    try {
      const inside = await one.transaction(
        { ...write, statementTimeoutMs: 1_234, lockTimeoutMs: 567 },
        async (tx) => [
          (await tx.one(setting, { name: 'statement_timeout' })).value,
          (await tx.one(setting, { name: 'lock_timeout' })).value,
          (await tx.one(setting, { name: 'idle_in_transaction_session_timeout' })).value,
          (await tx.one(setting, { name: 'row_security' })).value,
          (await tx.one(setting, { name: 'jit' })).value,
        ],
      );
      expect(inside).toEqual(['1234ms', '567ms', '15s', 'off', 'off']);
      const after = await one.transaction(
        write,
        async (tx) => (await tx.one(setting, { name: 'statement_timeout' })).value,
      );
      expect(after).toBe('30s');
    } finally {
      await one.close();
    }
  });

  it('cancels a slow statement and a blocked one with different error codes', async () => {
    await expect(
      database.db.transaction({ ...write, statementTimeoutMs: 50 }, (tx) => tx.script('select pg_sleep(5)')),
    ).rejects.toMatchObject({
      code: 'statement_timeout',
    });
    await database.db.transaction(write, async (holder) => {
      await holder.script('lock table item in access exclusive mode');
      await expect(
        database.db.transaction({ ...write, lockTimeoutMs: 50 }, (tx) =>
          tx.script('insert into item values (4, 4)'),
        ),
      ).rejects.toMatchObject({ code: 'lock_timeout' });
    });
  });

  it('refuses to write in a read-only transaction', async () => {
    await expect(
      database.db.transaction({ ...write, readOnly: true }, (tx) =>
        tx.script('insert into item values (5, 5)'),
      ),
    ).rejects.toMatchObject({ code: 'database_read_only' });
  });

  it('is retried after a serialization failure only if the caller sets retries', async () => {
    const ADDERS = 4;
    /** On the first attempt all transactions read before one of them writes. */
    const addAtOnce = (retries: number) => {
      let [read, go] = [0, () => {}];
      const allHaveRead = new Promise<void>((resolve) => {
        go = resolve;
      });
      const add = () =>
        database.db.transaction({ isolation: 'serializable', retries }, async (tx) => {
          const before = (await tx.one(total, {})).n ?? 0n;
          read += 1;
          if (read === ADDERS) go();
          await allHaveRead;
          await tx.script(`update item set amount = ${before + 1n} where id = 1`);
        });
      return Promise.allSettled(Array.from({ length: ADDERS }, add));
    };
    const failures = (all: readonly PromiseSettledResult<void>[]) =>
      all.flatMap((each) => (each.status === 'rejected' ? [sqlstateOf(each.reason)] : []));
    expect(failures(await addAtOnce(0))).toEqual(Array(ADDERS - 1).fill('40001'));
    expect(failures(await addAtOnce(50))).toEqual([]);
    expect(await database.db.transaction(write, (tx) => tx.one(total, {}))).toEqual({ n: 15n });
  });

  it('is cancelled on the server when the signal is aborted', async () => {
    const controller = new AbortController();
    const db = openDatabase(database.url, { signal: controller.signal });
    try {
      const running = db.transaction({ ...write, statementTimeoutMs: 60_000 }, async (tx) => {
        controller.abort(new Error('interrupted'));
        await tx.script('select pg_sleep(50)');
      });
      await expect(running).rejects.toMatchObject({ code: 'operation_cancelled', message: 'interrupted' });
      await expect(db.transaction(write, (tx) => tx.script('select 1'))).rejects.toMatchObject({
        code: 'operation_cancelled',
      });
    } finally {
      await db.close();
    }
  });
});
