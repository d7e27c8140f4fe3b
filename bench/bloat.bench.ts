// Measures what a worker writes beside traffic: WAL, updated rows, the share of HOT updates and dead rows per
// changed verdict, and the size of each of GCOS's own tables against a fresh copy of the same rows.
// GCOS_BLOAT_MINUTES sets how long the traffic runs (default 2), GCOS_BLOAT_ROWS the size of the estate.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startGcos } from '../chaos/process.js';
import { buildEstate } from '../src/demo/index.js';
import { asHost, openDatabase } from '../test/support/database.js';
import { openAt } from '../test/support/estate.js';
import { keepRulesInForce } from '../test/support/ruleset-in-force.js';
import { startServer, type TestServer } from '../test/support/server.js';
import { until } from '../test/support/wait.js';

const MINUTES = Number(process.env['GCOS_BLOAT_MINUTES'] ?? '2');
const ROWS = Number(process.env['GCOS_BLOAT_ROWS'] ?? '20000');
/** How often the size of a table may exceed what its rows need. */
const MOST = 2;
/** A queue, or a few rows that change all the time: room for what dies between two rounds of autovacuum. */
const SMALL_BYTES = 512 * 1024;

interface Table {
  readonly table: string;
  readonly bytes: number;
  readonly rows: number;
  readonly inserted: number;
  readonly updated: number;
  readonly hot: number;
  readonly deleted: number;
  readonly dead: number;
}

const OWN = `c.relkind = 'r' and pg_get_userbyid(c.relowner) in ('gcos_owner', 'gcos_trust_owner')`;

let server: TestServer;
const dba = (text: string) => asHost(server.url, text);

const readTables = async () =>
  (await dba(
    `select s.relname as "table", pg_total_relation_size(s.relid)::float8 as bytes, s.n_live_tup::float8 as rows,
       s.n_tup_ins::float8 as inserted, s.n_tup_upd::float8 as updated, s.n_tup_hot_upd::float8 as hot, s.n_tup_del::float8 as deleted,
       s.n_dead_tup::float8 as dead
     from pg_stat_user_tables s join pg_class c on c.oid = s.relid where ${OWN} order by s.relname`,
  )) as unknown as readonly Table[];

/** Copies every own table: afterwards each has the size that its rows need. */
async function copyTables(): Promise<void> {
  for (const row of await dba(`select c.oid::regclass::text as name from pg_class c where ${OWN}`))
    await dba(`vacuum (full, analyze) ${String(row['name'])}`);
}

const readCounts = async () => {
  const [row] = await dba(
    `select pg_current_wal_insert_lsn()::text as lsn, (select count(*) from governance_verdict_history)::float8 as changes,
       (select count(*) from candidate_scan_run)::float8 as scans`,
  );
  return row as { lsn: string; changes: number; scans: number };
};

beforeAll(async () => {
  server = await startServer({ settings: { max_wal_size: '8GB', checkpoint_timeout: '1h' } });
  const db = openDatabase(server.url, { statementTimeoutMs: 600_000 });
  await buildEstate(db, { rows: ROWS });
  await db.close();
  const gcos = await openAt(server.url);
  await gcos.init();
  await keepRulesInForce(gcos);
  await gcos.backfills.run({});
  await gcos.scans.run({ mode: 'full' });
  await gcos.close();
});
afterAll(() => server?.stop());

it('writes in proportion to what changes, and keeps its tables near the size of their rows', async () => {
  const worker = startGcos(server.url, 'worker', 'run', '--port', 'off');
  await until(
    'the worker watches',
    async () => Number((await dba('select count(*) as n from gov_intake_watch'))[0]?.['n']) > 0,
  );
  await dba('select pg_stat_reset()');
  const before = await readCounts();
  const traffic = startGcos(server.url, 'demo', 'traffic', '--for', `${MINUTES}m`);
  expect(await traffic.ended).toBe(0);
  worker.signal('SIGTERM');
  expect(await worker.ended).toBe(0);
  const after = await readCounts();
  const [{ wal } = { wal: 0 }] = await dba(
    `select pg_wal_lsn_diff('${after.lsn}', '${before.lsn}')::float8 as wal`,
  );
  const used = await readTables();
  await copyTables();
  const fresh = new Map((await readTables()).map((each) => [each.table, each]));
  const needed = (table: string) => fresh.get(table)?.bytes ?? 0;
  const changes = after.changes - before.changes;
  const sum = (pick: (table: Table) => number) => used.reduce((total, each) => total + pick(each), 0);
  const per = (amount: number) => (amount / changes).toFixed(1);
  console.log(traffic.lines.join('\n'));
  console.log(
    `${MINUTES} minutes of traffic on ${ROWS} rows: ${changes} changed verdicts and outcomes, ${after.scans - before.scans} scans; per change:`,
  );
  console.log(
    `  ${per(wal as number)} bytes of WAL, the host's included; ${per(sum((each) => each.updated))} updates, ${((100 * sum((each) => each.hot)) / sum((each) => each.updated)).toFixed(1)} % HOT; ${per(sum((each) => each.dead))} dead rows`,
  );
  const busy = used.filter((each) => each.inserted + each.updated + each.deleted > 0);
  const kB = (bytes: number) => String(Math.round(bytes / 1024));
  const lines = busy.map(({ table, inserted, updated, hot, deleted, dead, bytes }) => [
    ...[table, String(fresh.get(table)?.rows ?? 0), String(inserted), String(updated)],
    updated === 0 ? '' : `${Math.round((100 * hot) / updated)} %`,
    ...[String(deleted), String(dead), kB(bytes), kB(needed(table))],
  ]);
  const titles = ['table', 'rows', 'inserted', 'updated', 'HOT', 'deleted', 'dead', 'kB', 'needed kB'];
  for (const line of [titles, ...lines])
    console.log(line.map((cell, at) => (at === 0 ? cell.padEnd(30) : cell.padStart(10))).join(''));
  const bloated = used.filter(({ table, bytes }) => bytes > Math.max(MOST * needed(table), SMALL_BYTES));
  expect(bloated.map(({ table }) => table)).toEqual([]);
});
