// Measures how the commands and the worker grow with the number of groups and of objects that count one by
// one: births of one class that does not inherit, with many different statuses. Real `gcos` processes with
// the default settings. GCOS_GROUPS_SIZES lists pairs of objects and statuses, and GCOS_GROUPS_TRAFFIC_S says
// how long the worker runs beside traffic.
import { afterAll, expect, it } from 'vitest';
import { type Running, startGcos } from '../chaos/process.js';
import type { Gcos } from '../src/index.js';
import { asHost } from '../test/support/database.js';
import { openAt } from '../test/support/estate.js';
import { keepRulesInForce } from '../test/support/ruleset-in-force.js';
import { startServer, type TestServer } from '../test/support/server.js';
import { until } from '../test/support/wait.js';
import { expectNoSlowStatement, peakMbOf, Runs } from './growth-runs.js';
import { timed } from './measure.js';

const SIZES = (process.env['GCOS_GROUPS_SIZES'] ?? '2000:100,30000:700,132000:2946')
  .split(',')
  .map((pair) => pair.split(':').map(Number) as [number, number]);
const TRAFFIC_S = Number(process.env['GCOS_GROUPS_TRAFFIC_S'] ?? '120');
const BIRTHS = 100_000;
const MOST_MB = 500;
const HOUR_MS = 3_600_000;
const VERDICTS = ['governance_candidate_state', 'governance_candidate_object', 'governance_verdict_history'];

const runs = new Runs(MOST_MB);
let server: TestServer | undefined;
let gcos: Gcos | undefined;
const running: Running[] = [];
const dba = async (text: string) => asHost(server?.url ?? '', text);

afterAll(async () => {
  for (const each of running) each.signal('SIGKILL');
  await gcos?.close();
  await server?.stop();
});

const waits = async () => {
  const [row] = await dba(
    `select count(*)::int as n from (
       select from governance_candidate_state where row_state = 'active' and dirty
       union all select from governance_candidate_object where row_state = 'active' and dirty) as d`,
  );
  return Number(row?.['n']);
};

/** The id of the next transaction; a new server has not begun to count again. */
const nextTransaction = async () =>
  Number((await dba('select pg_snapshot_xmax(pg_current_snapshot())::text as id'))[0]?.['id']);

/** How many rows of verdicts have been written since a transaction. */
async function writtenSince(id: number): Promise<number> {
  const counts = VERDICTS.map(
    (table) => `select count(*) as n from ${table} where xmin::text::bigint >= ${id}`,
  );
  const [row] = await dba(`select sum(n)::int as n from (${counts.join(' union all ')}) as each`);
  return Number(row?.['n']);
}

it.each(SIZES)('%d objects with %d statuses', async (objects, statuses) => {
  server = await startServer({
    settings: {
      max_connections: '50',
      max_wal_size: '8GB',
      shared_preload_libraries: 'pg_stat_statements',
      'pg_stat_statements.max': '10000',
    },
  });
  const { url } = server;
  const command = (name: string, ...args: readonly string[]) => runs.command(url, objects, name, ...args);
  await command('demo build', 'demo', 'build', '--rows', String(BIRTHS), '--yes', '--quiet');
  await dba(
    `insert into birth_registry (entity_code, collection_name, species_code, composition_level, dot_origin, governance_role, certified, status)
     select 'DV-M' || n, 'devices', 'SP-DEVICE', 'atom', 'DOT-103', 'governed', false, 'state-' || n % ${statuses}
     from generate_series(1, ${objects}) as n`,
  );
  await dba('create extension pg_stat_statements');
  await dba('vacuum analyze');
  gcos = await openAt(url);
  await gcos.init();
  await keepRulesInForce(gcos);
  await dba('select pg_stat_statements_reset()');

  await command('backfill run', 'backfill', 'run', '--quiet');
  const [count] = await dba(
    `select (select count(*) from governance_group)::int as groups,
       (select count(*) from governance_candidate_object where row_state = 'active')::int as rows`,
  );
  console.log(`\n${String(count?.['groups'])} groups, ${String(count?.['rows'])} rows of objects`);
  await command('full scan', 'scan', 'run', '--mode', 'full', '--quiet');
  await command('incremental scan, nothing to do', 'scan', 'run', '--quiet');
  await command('status', 'status');
  await command('ledger show', 'ledger', 'show');
  await command('finding list --by-fix', 'finding', 'list', '--by-fix');
  await command('explain', 'explain', 'devices', 'DV-M1');
  await dba(`update coverage_profile set ttl = ttl + interval '1 hour'`);
  await command('ruleset plan', 'ruleset', 'plan');
  runs.note(objects, 'ruleset change', await timed(() => keepRulesInForce(gcos as Gcos)));
  await command('scan after the change', 'scan', 'run', '--quiet');

  const worker = startGcos(url, 'worker', 'run', '--port', 'off');
  running.push(worker);
  await until('nothing waits', async () => (await waits()) === 0, HOUR_MS);
  const before = await nextTransaction();
  const born = performance.now();
  await dba(
    `insert into birth_registry (entity_code, collection_name, species_code, composition_level, dot_origin, governance_role, certified, status)
     values ('DV-ONE', 'devices', 'SP-DEVICE', 'atom', 'DOT-103', 'governed', false, 'state-1')`,
  );
  await until(
    'the birth has verdicts',
    async () =>
      (
        await dba(
          `select count(*)::int as n from governance_candidate_object where entity_code = 'DV-ONE' and not dirty`,
        )
      )[0]?.['n'] === 6,
    HOUR_MS,
  );
  runs.note(
    objects,
    'one birth, until it has verdicts',
    performance.now() - born,
    `${await writtenSince(before)} rows of verdicts written`,
  );
  const traffic = startGcos(url, 'demo', 'traffic', '--rate', '20', '--for', `${TRAFFIC_S}s`, '--quiet');
  running.push(traffic);
  expect(await traffic.ended).toBe(0);
  const drained = performance.now();
  await until('nothing waits after the traffic', async () => (await waits()) === 0, HOUR_MS);
  runs.note(objects, 'until nothing waits after traffic', performance.now() - drained);
  const peak = peakMbOf(worker.child.pid ?? 0);
  console.log(`  the worker needed ${peak.toFixed(0)} MB`);
  worker.signal('SIGTERM');
  expect(await worker.ended).toBe(0);
  const [failed] = await dba(`select count(*)::int as n from candidate_scan_run where status = 'failed'`);
  console.log(`  failed runs: ${String(failed?.['n'])}`);
  await expectNoSlowStatement(url);
  await gcos.close();
  gcos = undefined;
  await server.stop();
  server = undefined;
  expect(peak).toBeLessThan(MOST_MB);
  expect(failed?.['n']).toBe(0);
});

it('prints the exponents by the number of objects', () => runs.printExponents());
