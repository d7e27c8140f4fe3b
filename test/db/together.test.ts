// Statements that travel together: in which order they take effect, and what is left when one of them fails.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasWrittenOnly, statement, type Transaction } from '../../src/db/index.js';
import { asHost, createDatabase, openDatabase, type TestDatabase } from '../support/database.js';

const write = { isolation: 'read committed' } as const;
const look = { isolation: 'repeatable read' } as const;
const add = statement<{ readonly id: bigint }, { readonly id: bigint }>({
  name: 'test.add',
  sql: 'insert into item (id) values ($1::int8) returning id::int8 as id',
  params: ['id'],
});
const count = statement<Record<never, never>, { readonly n: bigint }>({
  name: 'test.count_items',
  sql: 'select count(*) as n from item',
});
const planMode = statement<Record<never, never>, { readonly mode: string }>({
  name: 'test.plan_mode',
  sql: `select current_setting('plan_cache_mode') as mode`,
});

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
  await asHost(
    database.url,
    'create table item (id bigint primary key); create table other (id bigint primary key)',
  );
});
afterAll(() => database.close());

describe('statements that travel together', () => {
  const countIn = async (tx: Transaction) => (await tx.one(count, {})).n;
  const counted = () => database.db.transaction(write, countIn);

  it('take effect in the order in which they were started, in one way to the server', async () => {
    const sent: number[] = [];
    const original = pg.Client.prototype.query;
    const seen = await database.db.transaction(write, async (tx) => {
      const stream = await socketOf(tx, original);
      const writev = stream._writev;
      stream._writev = (chunks, done) => {
        sent.push(chunks.length);
        return writev.call(stream, chunks, done);
      };
      try {
        return await tx.together(() => [
          tx.one(add, { id: 1n }),
          countIn(tx),
          tx.one(add, { id: 2n }),
          countIn(tx),
        ]);
      } finally {
        stream._writev = writev;
      }
    });
    expect(seen).toEqual([{ id: 1n }, 1n, { id: 2n }, 2n]);
    expect(sent, 'one packet for all four').toHaveLength(1);
  });

  it('tell the failure that came first, when all of it has ended, and leave nothing', async () => {
    const before = await counted();
    const steps: string[] = [];
    const slowly = async (tx: Transaction) => {
      await countIn(tx);
      // Elsewhere, so that the failure is known by then: what comes now must not come behind the end of the transaction.
      await asHost(database.url, 'select 1');
      steps.push('went on');
      await tx.one(add, { id: 100n });
      steps.push('and wrote');
    };
    await expect(
      database.db.transaction(write, (tx) =>
        tx.together(() => [slowly(tx), tx.one(add, { id: 50n }), tx.one(add, { id: 50n }), countIn(tx)]),
      ),
    ).rejects.toMatchObject({ facts: { sqlstate: '23505' } });
    // What was under way got as far as its next statement, and no further.
    expect(steps).toEqual(['went on']);
    expect(await counted()).toBe(before);
  });

  it('tell the cause, and not what the server refuses behind it: whoever may try again does', async () => {
    await asHost(
      database.url,
      `create sequence attempts;
       create function flaky(every bigint) returns bigint language plpgsql as $body$
       begin
         if nextval('attempts') % every > 0 then raise exception 'once more' using errcode = '40001'; end if;
         return 1;
       end $body$`,
    );
    const flaky = statement<{ readonly every: bigint }, { readonly n: bigint }>({
      name: 'test.flaky',
      sql: 'select flaky($1::int8) as n',
      params: ['every'],
    });
    // Deeper than its neighbours: they learn of their refusal before it learns of its failure.
    const deep = async (tx: Transaction): Promise<bigint> => {
      const inner = async () => (await tx.one(flaky, { every: 2n })).n;
      return inner();
    };
    for (let round = 0; round < 20; round += 1)
      for (const keptPlans of [false, true])
        expect(
          await database.db.transaction({ ...look, retries: 1 }, async (tx) => {
            const [n] = await tx.together(() => [deep(tx), tx.script('select 1'), countIn(tx)], {
              keptPlans,
            });
            return n;
          }),
        ).toBe(1n);
  });

  it('ask again for what failed behind a savepoint', async () => {
    const read = async (tx: Transaction) => {
      await tx.script('select 1');
      return 'read';
    };
    await database.db.transaction(write, async (tx) => {
      await expect(
        tx.savepoint(async () => {
          await tx.script('select 1/0').catch(() => undefined);
          return tx.once('test', () => read(tx));
        }),
      ).rejects.toMatchObject({ facts: { sqlstate: '25P02' } });
      expect(await tx.once('test', () => read(tx))).toBe('read');
    });
  });

  it('wait for what else is under way when one fails without the server', async () => {
    const before = await counted();
    const never = async () => {
      throw new Error('changed my mind');
    };
    await expect(
      database.db.transaction(write, (tx) => tx.together(() => [never(), tx.one(add, { id: 70n })])),
    ).rejects.toThrow('changed my mind');
    expect(await counted()).toBe(before);
  });

  it('use kept plans where asked to, and only there', async () => {
    const mode = async (tx: Transaction) => (await tx.one(planMode, {})).mode;
    const modes = await database.db.transaction(write, async (tx) => [
      await mode(tx),
      ...(await tx.together(() => [mode(tx), mode(tx)], { keptPlans: true })),
      await mode(tx),
    ]);
    expect(modes).toEqual(['auto', 'force_generic_plan', 'force_generic_plan', 'auto']);
  });

  it('begin with a first statement, which is part of the transaction', async () => {
    const before = await counted();
    const opened = await database.db.open(
      write,
      (tx) => tx.one(add, { id: 200n }),
      async (tx, { id }) => [id, await countIn(tx)],
    );
    expect(opened).toEqual([200n, before + 1n]);
    await expect(
      database.db.open(
        write,
        (tx) => tx.one(add, { id: 201n }),
        async () => {
          throw new Error('changed my mind');
        },
      ),
    ).rejects.toThrow('changed my mind');
    let asked = false;
    await expect(
      database.db.open(
        write,
        (tx) => tx.one(add, { id: 200n }),
        async () => {
          asked = true;
        },
      ),
    ).rejects.toMatchObject({ facts: { sqlstate: '23505' } });
    expect(asked, 'nothing is done where the first statement fails').toBe(false);
    expect(await counted()).toBe(before + 1n);
  });

  it('leave a connection that can be used again, whatever failed on it', async () => {
    const db = openDatabase(database.url, { poolSize: 1 });
    for (let round = 0; round < 5; round += 1) {
      await expect(
        db.transaction(write, (tx) => tx.together(() => [tx.one(add, { id: 1n }), countIn(tx)])),
      ).rejects.toMatchObject({ facts: { sqlstate: '23505' } });
      expect(await db.transaction(write, countIn)).toBeGreaterThan(0n);
    }
    // What was to be kept of a plan, and was not because something before it failed, is asked for again.
    const mode = (tx: Transaction) => tx.one(planMode, {});
    await expect(
      db.transaction(write, (tx) => tx.together(() => [tx.one(add, { id: 1n }), mode(tx), mode(tx)])),
    ).rejects.toMatchObject({ facts: { sqlstate: '23505' } });
    expect(await db.transaction(write, mode)).toEqual({ mode: 'auto' });
    await db.close();
  });
});

describe('what a transaction has written', () => {
  it('is known to it, also what a savepoint undid; and nothing is, where the server does not count', async () => {
    const asked = (work: (tx: Transaction) => Promise<unknown>, url = database.url) => {
      // A connection of its own: a server tells of the transactions just before, too.
      const db = openDatabase(url, { poolSize: 1 });
      return db
        .transaction(look, async (tx) => {
          await work(tx);
          return hasWrittenOnly(tx, ['other']);
        })
        .finally(() => db.close());
    };
    expect(await asked(async () => undefined)).toBe(true);
    expect(await asked((tx) => tx.script('insert into other values (1)'))).toBe(true);
    expect(await asked((tx) => tx.script('insert into item values (901)'))).toBe(false);
    expect(await asked((tx) => tx.script('update item set id = 902 where id = 901'))).toBe(false);
    expect(await asked((tx) => tx.script('update item set id = 903 where false'))).toBe(true);
    expect(await asked((tx) => tx.script('delete from item'))).toBe(false);
    const undone = (tx: Transaction) =>
      tx
        .savepoint(async () => {
          await tx.script('insert into item values (909)');
          throw new Error('undo');
        })
        .catch(() => undefined);
    expect(await asked(undone)).toBe(false);
    await asHost(database.url, `alter role current_user set track_counts = off`);
    expect(await asked(async () => undefined)).toBe(false);
    await asHost(database.url, `alter role current_user reset track_counts`);
  });
});

interface Socket {
  _writev: (chunks: readonly unknown[], done: (error?: Error | null) => void) => void;
}

/** The socket under a transaction: the one that its next statement is sent through. */
async function socketOf(tx: Transaction, original: typeof pg.Client.prototype.query): Promise<Socket> {
  let stream: Socket | undefined;
  const spy = function (this: pg.Client, ...args: unknown[]) {
    stream = (this as unknown as { connection: { stream: Socket } }).connection.stream;
    return (original as (...all: unknown[]) => unknown).apply(this, args);
  };
  pg.Client.prototype.query = spy as typeof original;
  try {
    await tx.script('select 1');
  } finally {
    pg.Client.prototype.query = original;
  }
  if (stream === undefined) throw new Error('nothing was sent');
  return stream;
}
