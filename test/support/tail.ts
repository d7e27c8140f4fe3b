// The tail as a worker runs it: with its own login, a lease, one transaction per round, and the independent
// recount for comparison.
import pg from 'pg';
import { afterEach, beforeEach } from 'vitest';
import type { Database, Transaction } from '../../src/db/index.js';
import {
  type Comparison,
  compareWithRecount,
  INTAKE,
  nearRound,
  ROUND_TRANSACTION,
  type RoundOptions,
  readRunning,
  type StartedTail,
  startTail,
  type TailRound,
  wideRound,
} from '../../src/inventory/tail/index.js';
import { acquireLease, holderName, type Lease } from '../../src/record/cursor/index.js';
import { asHost, openDatabase } from './database.js';
import { createEstate, type Estate, type PreparedEstate, prepareEstate } from './estate.js';
import { inventoryIn } from './inventory.js';
import { createPeople } from './people.js';
import { until } from './wait.js';

type Choice = Partial<RoundOptions>;

export interface Tail {
  readonly db: Database;
  readonly lease: Lease;
  readonly options: RoundOptions;
  readonly url: string;
  near(choice?: Choice): Promise<TailRound>;
  wide(choice?: Choice): Promise<TailRound>;
  start(): Promise<StartedTail>;
  compare(choice?: Partial<Parameters<typeof compareWithRecount>[2]>): Promise<Comparison>;
  /** Runs `work` in a transaction like that of a round. */
  work<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Inventory keys whose running fingerprint differs from that of the table; no writer may be active. */
  wrongGroups(): Promise<string[]>;
  close(): Promise<void>;
}

/** Inventory keys whose running fingerprint differs from the independent recount in the same snapshot. */
export async function wrongGroupsOf(db: Database): Promise<string[]> {
  return db.transaction({ isolation: 'repeatable read', readOnly: true }, async (tx) => {
    const text = (print: object & { key: string; count: bigint }) => {
      const { key, count, grainCount, maxBornAt, maxId, h1, h2 } = print as unknown as Record<
        string,
        unknown
      >;
      return [key, count, grainCount, maxBornAt, maxId, h1, h2].map(String).join(' ');
    };
    const recount = new Map((await inventoryIn(tx, db.schema)).groups.map((each) => [each.key, text(each)]));
    const running = new Map(
      (await readRunning(tx)).filter((each) => each.count !== 0n).map((each) => [each.key, text(each)]),
    );
    return [...new Set([...recount.keys(), ...running.keys()])].filter(
      (key) => recount.get(key) !== running.get(key),
    );
  });
}

/**
 * Waits until every transaction that runs now has ended, so that none holds back the horizon. The horizon
 * covers the whole server, and other tests share the server.
 */
export async function untilHorizonPasses(url: string): Promise<void> {
  const [own] = await asHost(url, 'select pg_current_xact_id()::text as xid');
  await until('no transaction elsewhere holds the horizon', async () => {
    const [now] = await asHost(
      url,
      `select pg_snapshot_xmin(pg_current_snapshot()) > '${own?.['xid']}'::xid8 as passed`,
    );
    return now?.['passed'] === true;
  });
}

/** Opens the tail as a worker with a lease, without starting it; `url` is the DBA's. */
export async function openTail(url: string, request: { ttlMs?: number } = {}): Promise<Tail> {
  const people = createPeople(url);
  const login = await people.login('tail', 'gcos_worker');
  const db = openDatabase(login.url);
  const lease = await acquireLease(db, { ...INTAKE, holder: holderName(), ttlMs: 300_000, ...request });
  if (lease === undefined) throw new Error('the lease of the tail is taken');
  const options: RoundOptions = { schema: db.schema };
  const work = <T>(each: (tx: Transaction) => Promise<T>) => lease.work(ROUND_TRANSACTION, each);
  return {
    db,
    lease,
    options,
    url: login.url,
    work,
    near: (choice = {}) => work((tx) => nearRound(tx, lease, { ...options, ...choice })),
    wide: (choice = {}) => work((tx) => wideRound(tx, lease, { ...options, ...choice })),
    start: () => work((tx) => startTail(tx, lease, options)),
    compare: (choice = {}) => compareWithRecount(db, lease, { ...options, ...choice }),
    wrongGroups: () => wrongGroupsOf(db),
    async close() {
      await lease.release();
      await db.close();
      await people.close();
    },
  };
}

/** The ids that a round added, in ascending order. */
export function addedIds(round: Pick<TailRound, 'rows' | 'runs'>): bigint[] {
  if (round.runs.length === 0) return round.rows.filter((row) => row.change === 'added').map((row) => row.id);
  return round.runs.flatMap(({ first, last }) =>
    Array.from({ length: Number(last - first) + 1 }, (_, index) => first + BigInt(index)),
  );
}

/** Inserts births as the host and returns their ids. Ids come from the sequence unless `id` is given. */
export async function bear(
  url: string,
  rows: readonly { collection?: string; code: string; id?: number; bornAt?: string; status?: string }[],
): Promise<bigint[]> {
  const values = rows.map(
    ({ collection = 'orders', code, id, bornAt = 'now', status = 'born' }) =>
      `(${id ?? "nextval(pg_get_serial_sequence('birth_registry', 'id'))"}, '${code}', '${collection}', '${bornAt}', '${status}')`,
  );
  const made = await asHost(
    url,
    `insert into birth_registry (id, entity_code, collection_name, born_at, status) values ${values.join(', ')} returning id`,
  );
  return made.map((row) => BigInt(row['id'] as number));
}

export let estate: Estate;
export let tail: Tail;
const sessions: pg.Client[] = [];

/** Provides an estate and its tail for each test of the file; a `started` tail has run one wide round. */
export function useTail(state: 'new' | 'started'): void {
  let prepared: PreparedEstate | undefined;
  if (state === 'started')
    prepared = prepareEstate('installed', async ({ url }) => {
      const first = await openTail(url);
      const round = await first.wide();
      if (round.rebased !== 'not_started' || !round.recomputed) throw new Error('the tail had been started');
      await first.close();
    });
  beforeEach(async () => {
    estate = await (prepared?.copy() ?? createEstate('installed'));
    tail = await openTail(estate.url);
  });
  afterEach(async () => {
    for (const each of sessions.splice(0)) await each.end();
    await tail?.close();
    await estate?.close();
  });
}

/** A session of the host that stays open until the test ends. */
export async function session(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: estate.url });
  await client.connect();
  sessions.push(client);
  return client;
}
export const host = (sql: string) => asHost(estate.url, sql);
let serial = 0;
/** A code that no birth has yet. */
export const code = (): string => {
  serial += 1;
  return `TAIL-${serial}`;
};
