// No birth is lost or counted twice, although twelve writers commit in another order than that of ids and
// times and the sessions of the tail are killed at random. The test uses a fixed seed, and compares with an
// independent recount at random rounds.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isConnectionLoss } from '../../src/db/index.js';
import { markAllGroups, type TailRound } from '../../src/inventory/tail/index.js';
import { advance } from '../../src/record/cursor/index.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { addedIds, openTail, type Tail } from '../support/tail.js';

const SEED = 2_026;
const WRITERS = 12;
/** Number of rounds per part: births and updates; deletions as well; births only. */
const ROUNDS = { mixed: 90, deleting: 30, births: 90 };

let estate: Estate;
let tail: Tail;
beforeAll(async () => {
  estate = await createEstate('installed');
  // Small ranges of ids, so that updates find births inside and behind them.
  await asHost(
    estate.url,
    `update governance_setting set setting_value = setting_value || '{"range_rows": 60}' where setting_key = 'tail.limits'`,
  );
  tail = await openTail(estate.url);
  await tail.wide();
});
afterAll(async () => {
  await tail?.close();
  await estate?.close();
});

function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

type Part = keyof typeof ROUNDS | 'done';
const now: { part: Part } = { part: 'mixed' };
const COLLECTIONS = ['orders', 'articles', 'comments', 'dot_tools'];
const mark = randomBytes(3).toString('hex');
let births = 0;

function birthSql(random: () => number): string {
  births += 1;
  const collection = COLLECTIONS[Math.floor(random() * COLLECTIONS.length)] ?? 'orders';
  const bornAt = ['now()', "'1970-01-01'", "'2999-12-31'", "now() - interval '3 hours'"][
    Math.floor(random() * 4)
  ];
  // Some keys have several births, in any order of ids; not in the last part, which allows no recomputation.
  const number = now.part === 'mixed' && random() < 0.1 ? Math.ceil(random() * births) : births;
  return `insert into birth_registry (entity_code, collection_name, born_at) values ('L-${mark}-${number}', '${collection}', ${bornAt})`;
}

/** A random row that a writer inserted. */
const someRow = (random: () => number) =>
  `(select min(id) from birth_registry where entity_code = 'L-${mark}-${1 + Math.floor(random() * births)}')`;

function changeSql(random: () => number): string {
  const kind = random();
  if (now.part === 'births' || now.part === 'done' || births < 50 || kind < 0.5) return birthSql(random);
  if (now.part === 'deleting' && kind < 0.6)
    return `delete from birth_registry where id = ${someRow(random)}`;
  if (kind < 0.75) return `update birth_registry set certified = not certified where id = ${someRow(random)}`;
  return `update birth_registry set collection_name = '${random() < 0.5 ? 'orders' : 'articles'}' where id = ${someRow(random)}`;
}

/** A transaction with savepoints, exceptions, pauses, rollbacks and two-phase commit. */
async function transact(client: pg.Client, random: () => number, name: string): Promise<void> {
  const sleep = () => `select pg_sleep(${(random() * random() * 0.15).toFixed(3)})`;
  await client.query('begin');
  for (let step = Math.ceil(random() * 3); step > 0; step -= 1) {
    const kind = random();
    if (kind < 0.3) {
      await client.query(`savepoint s; ${changeSql(random)}; ${sleep()}`);
      await client.query(random() < 0.3 ? 'rollback to s' : 'release s');
    } else if (kind < 0.45) {
      await client.query(`do $$ begin
        begin ${changeSql(random)}; ${random() < 0.4 ? 'perform 1 / 0;' : ''} exception when division_by_zero then null; end;
      end $$`);
    } else await client.query(changeSql(random));
    await client.query(sleep());
  }
  const end = random();
  if (end < 0.15) await client.query('rollback');
  else if (end < 0.3) {
    await client.query(`prepare transaction '${name}'`);
    await client.query(sleep());
    await client.query(`${random() < 0.3 ? 'rollback' : 'commit'} prepared '${name}'`);
  } else await client.query('commit');
}

async function writer(index: number): Promise<void> {
  const random = randomOf(SEED + index * 7_919);
  const client = new pg.Client({ connectionString: estate.url });
  await client.connect();
  try {
    for (let turn = 0; now.part !== 'done'; turn += 1) {
      try {
        await transact(client, random, `l-${mark}-${index}-${turn}`);
      } catch (error) {
        // A deadlock: two writers locked the same rows in opposite order.
        if ((error as { code?: string }).code !== '40P01') throw error;
        await client.query('rollback');
      }
    }
  } finally {
    await client.end();
  }
}

it('equals the independent recount in every comparison, and at the end without a recomputation', async () => {
  const random = randomOf(SEED);
  const reported: bigint[] = [];
  const counts = { near: 0, wide: 0, compared: 0, proved: 0, killed: 0, added: 0 };
  // A tail cannot see deletions: while one may commit, a comparison reports differences.
  let mayCompare = true;
  const record = (round: TailRound) => {
    counts.added += round.added;
    reported.push(...addedIds(round));
  };
  const step = async (): Promise<void> => {
    const kind = random();
    if (kind < 0.6) {
      record(await tail.near());
      counts.near += 1;
    } else if (kind < 0.88 || !mayCompare) {
      record(await tail.wide());
      counts.wide += 1;
    } else {
      const comparison = await tail.compare();
      for (const round of comparison.rounds) record(round);
      expect(comparison.groups.filter((group) => group.outcome === 'differs')).toEqual([]);
      counts.compared += 1;
      if (comparison.groups.every((group) => group.outcome === 'proved')) counts.proved += 1;
    }
  };
  /** Terminates the sessions of the tail that have an open transaction. */
  const kill = async (): Promise<void> => {
    const ended = await asHost(
      estate.url,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name like 'gcos:intake:%' and xact_start is not null`,
    );
    counts.killed += ended.length;
  };
  const run = async (rounds: number): Promise<void> => {
    for (let round = 0; round < rounds; round += 1) {
      const killing =
        random() < 0.25
          ? new Promise<void>((resolve) => setTimeout(resolve, random() * 40)).then(kill)
          : undefined;
      try {
        await step();
      } catch (error) {
        if (!isConnectionLoss(error)) throw error;
      }
      await killing;
    }
  };

  const writers = Promise.all(Array.from({ length: WRITERS }, (_, index) => writer(index)));
  writers.catch(() => undefined);
  try {
    await run(ROUNDS.mixed);
    // At least one session has been killed and 100 births were inserted.
    while (counts.killed === 0 || births < 100) await run(1);
    now.part = 'deleting';
    mayCompare = false;
    await run(ROUNDS.deleting);
    now.part = 'births';
    // Wait for the end of transactions that may contain deletions or updates.
    const [started] = await asHost(estate.url, 'select pg_current_xact_id()::text as xid');
    for (let ended = false; !ended; ) {
      await run(2);
      const [row] = await asHost(
        estate.url,
        `select pg_snapshot_xmin(pg_current_snapshot()) > '${started?.['xid']}'::xid8 as ended`,
      );
      ended = row?.['ended'] === true;
    }
    await tail.work(async (tx) => {
      await markAllGroups(tx);
      await advance(tx, tail.lease, 'wide', {});
    });
    record(await tail.wide());
    mayCompare = true;
    await run(ROUNDS.births);
  } finally {
    now.part = 'done';
    await writers;
  }
  const last = await tail.wide();
  record(last);
  expect(last).toMatchObject({ recomputed: false, updated: 0, rebased: null });
  expect(await tail.near()).toMatchObject({ added: 0 });
  expect(await tail.wrongGroups()).toEqual([]);
  const end = await tail.compare();
  expect(end.groups.filter((group) => group.outcome !== 'proved')).toEqual([]);
  expect(new Set(reported).size).toBe(reported.length);
  expect(reported.length).toBeGreaterThan(100);
}, 600_000);
