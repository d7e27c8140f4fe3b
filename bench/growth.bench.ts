// Measures how the commands, the intake and an idle worker grow with the number of births: each size has a
// server of its own with the default settings of GCOS, and real `gcos` processes. Prints times, memory, the
// slowest statement and the exponents, and writes a plot. GCOS_GROWTH_SIZES lists the sizes,
// GCOS_GROWTH_IDLE_S says how long the idle worker is watched, and GCOS_GROWTH_PLOT names the plot
// (default docs/scale.svg).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { type Running, startGcos } from '../chaos/process.js';
import type { Gcos } from '../src/index.js';
import { readClassMap } from '../src/inventory/group/index.js';
import { readInventory } from '../src/inventory/snapshot/index.js';
import { checkout } from '../test/support/cli.js';
import { asHost, openDatabase, ROLE_PASSWORD, urlAs } from '../test/support/database.js';
import { openAt } from '../test/support/estate.js';
import { keepRulesInForce } from '../test/support/ruleset-in-force.js';
import { startServer, type TestServer } from '../test/support/server.js';
import { until } from '../test/support/wait.js';
import { plotOf } from './growth-plot.js';
import { expectNoSlowStatement, LIMIT_MS, Runs } from './growth-runs.js';
import { timed } from './measure.js';
import { processorMs } from './measured-process.js';
import { serverMs } from './share-of-core.js';

const SIZES = (process.env['GCOS_GROWTH_SIZES'] ?? '100000,1000000,10000000').split(',').map(Number);
const IDLE_S = Number(process.env['GCOS_GROWTH_IDLE_S'] ?? '300');
const PLOT = process.env['GCOS_GROWTH_PLOT'] ?? join(checkout, 'docs/scale.svg');
/** One load of the host, in one transaction. */
const LOAD = 100_000;
const HOUR_MS = 3_600_000;

const runs = new Runs(300);
let server: TestServer | undefined;
let gcos: Gcos | undefined;
let worker: Running | undefined;
const dba = async (text: string) => asHost(server?.url ?? '', text);

const note: Runs['note'] = (size, name, ms, more) => runs.note(size, name, ms, more);
const command = (size: number, name: string, ...args: readonly string[]) =>
  runs.command(server?.url ?? '', size, name, ...args);

const fingerprint = async () =>
  (
    await dba(
      `select coalesce(sum(h1), 0)::text as h1, bool_or(recompute_needed) as marked from governance_inventory`,
    )
  )[0] as { h1: string; marked: boolean };

const nearId = async () =>
  BigInt(
    String(
      (
        await dba(`select watermark_id from gov_worker_cursor where worker = 'intake' and round = 'near'`)
      )[0]?.['watermark_id'],
    ),
  );

afterAll(async () => {
  worker?.signal('SIGKILL');
  await gcos?.close();
  await server?.stop();
});

/** The time that the server has spent on each statement so far, in ms. */
async function spentByStatement(): Promise<Map<string, number>> {
  const rows = await dba(
    `select left(regexp_replace(query, '\\s+', ' ', 'g'), 90) as text, sum(total_exec_time)::float8 as ms
     from pg_stat_statements where query !~ 'pg_stat_statements' group by 1`,
  );
  return new Map(rows.map(({ text, ms }) => [String(text), Number(ms)]));
}

const watched = async () =>
  (
    await dba(
      `select gcos_watched_at()::text as at, gcos_watched_at() < now() - interval '45 seconds' as is_quiet,
         exists (select from governance_candidate_state where row_state = 'active' and dirty) as waits`,
    )
  )[0] as { at: string; is_quiet: boolean; waits: boolean };

/**
 * Waits until what the steps before caused is over: the rounds that follow a written row come every 30
 * seconds at most. So none in 45 seconds is rest; where rounds at rest are as frequent, the third one is.
 */
async function untilAtRest(): Promise<void> {
  let { at } = await watched();
  let rounds = 0;
  await until(
    'the worker is at rest',
    async () => {
      const now = await watched();
      if (now.waits) rounds = 0;
      else if (now.at !== at) rounds += 1;
      at = now.at;
      await pause(1_000);
      return !now.waits && (rounds >= 3 || now.is_quiet);
    },
    HOUR_MS,
  );
}

/** Watches a worker at rest for longer than its longest pause between wide rounds. */
async function watchIdle(pid: number): Promise<void> {
  const folder = server?.folder ?? '';
  await dba('vacuum analyze');
  await untilAtRest();
  const callsOf = async (pattern: string) =>
    Number(
      (
        await dba(
          `select coalesce(sum(calls), 0)::float8 as n from pg_stat_statements where query ~ '${pattern}' and query !~ 'pg_stat_statements'`,
        )
      )[0]?.['n'],
    );
  const calls = () => callsOf('');
  const wideRounds = () => callsOf('gcos_note_watched');
  const earlier = await spentByStatement();
  const before = {
    wide: await wideRounds(),
    calls: await calls(),
    server: serverMs(folder),
    worker: processorMs(pid),
  };
  const started = performance.now();
  await pause(IDLE_S * 1_000);
  const seconds = (performance.now() - started) / 1_000;
  const perSecond = ((await calls()) - before.calls) / seconds;
  const own = (processorMs(pid) - before.worker) / (seconds * 10);
  const inServer = (serverMs(folder) - before.server) / (seconds * 10);
  const wide = (await wideRounds()) - before.wide;
  console.log(
    `  idle worker, ${seconds.toFixed(0)} s at rest with ${wide} wide rounds: ${perSecond.toFixed(1)} statements a second; ${(own + inServer).toFixed(2)} % of a core (worker ${own.toFixed(2)}, server ${inServer.toFixed(2)})`,
  );
  const spent = [...(await spentByStatement())].map(
    ([text, ms]) => [text, ms - (earlier.get(text) ?? 0)] as const,
  );
  for (const [text, ms] of spent.sort(([, a], [, b]) => b - a).slice(0, 5))
    console.log(`    ${(ms / (seconds * 10)).toFixed(2).padStart(5)} %  ${text}`);
}

it.each(SIZES)('%d births', async (size) => {
  console.log(`\n${size.toLocaleString('en-US')} births`);
  server = await startServer({
    settings: {
      max_connections: '50',
      max_wal_size: '8GB',
      shared_preload_libraries: 'pg_stat_statements',
      'pg_stat_statements.max': '10000',
    },
  });
  await command(size, 'demo build', 'demo', 'build', '--rows', String(size), '--yes', '--quiet');
  await dba('update measurement_registry set enabled = false');
  await dba('create extension pg_stat_statements');
  await dba('vacuum analyze');
  gcos = await openAt(server.url);
  await gcos.init();
  await keepRulesInForce(gcos);
  // Detectors run with the reader's login, in the commands below and in the worker.
  await dba(`alter role gcos_reader password '${ROLE_PASSWORD}'`);
  process.env['GCOS_READER_URL'] = urlAs(server.url, 'reader');
  await dba('select pg_stat_statements_reset()');
  const db = openDatabase(server.url, { statementTimeoutMs: 600_000 });
  const aggregate = () =>
    db.transaction({ isolation: 'repeatable read', readOnly: true }, async (tx) => {
      const map = await readClassMap(tx, db.schema);
      return timed(() => readInventory(tx, map, { limitMs: LIMIT_MS }));
    });
  await aggregate();
  const base = await aggregate();
  note(size, 'one aggregate of all births', base);
  await db.close();

  await command(size, 'backfill run', 'backfill', 'run', '--quiet');
  await command(size, 'full scan', 'scan', 'run', '--mode', 'full', '--quiet');
  await command(size, 'second full scan', 'scan', 'run', '--mode', 'full', '--quiet');
  await command(size, 'incremental scan, nothing to do', 'scan', 'run', '--quiet');
  await command(size, 'status', 'status');
  await command(size, 'ledger show', 'ledger', 'show');
  await command(size, 'explain', 'explain', 'dot_tools', 'DOT-117');
  await command(size, 'finding list --by-fix', 'finding', 'list', '--by-fix');
  await dba('update measurement_registry set enabled = true');
  await command(size, 'ruleset plan', 'ruleset', 'plan');
  note(size, 'ruleset change', await timed(() => keepRulesInForce(gcos as Gcos)));
  await command(size, 'full scan with detectors', 'scan', 'run', '--mode', 'full', '--quiet');
  const [skipped] = await dba(
    `select count(*)::int as n from governance_finding_key where finding_type = 'measurement_not_run'`,
  );
  console.log(`  detectors with the finding measurement_not_run: ${String(skipped?.['n'])}`);
  const questions = [{ collection: 'dot_tools', code: 'DOT-118' }];
  await gcos.gates.check(questions);
  const checks = 200;
  const checked = await timed(async () => {
    for (let turn = 0; turn < checks; turn += 1) await gcos?.gates.check(questions);
  });
  note(size, 'gate check', checked / checks);

  worker = startGcos(server.url, 'worker', 'run', '--port', 'off');
  const { pid } = worker.child;
  const [{ now: begun } = { now: null }] = await dba('select now()::text as now');
  await until('the worker watches', async () => {
    const [row] = await dba(`select gcos_watched_at() > '${String(begun)}' as watches`);
    return row?.['watches'] === true;
  });
  const start = performance.now();
  await dba(
    `insert into birth_registry (entity_code, collection_name, species_code, composition_level, dot_origin, born_at, governance_role, certified, status)
     select 'LOAD-' || n, b.collection_name, b.species_code, b.composition_level, b.dot_origin, now(), b.governance_role, b.certified, b.status
     from (select * from birth_registry where collection_name = 'invoice_lines' order by id limit 1) as b
     cross join generate_series(1, ${LOAD}) as n`,
  );
  const [{ last } = { last: 0 }] = await dba('select max(id) as last from birth_registry');
  await until('the births are taken in', async () => (await nearId()) >= BigInt(String(last)), HOUR_MS);
  note(size, `${LOAD.toLocaleString('en-US')} births inserted and taken in`, performance.now() - start);
  const before = await fingerprint();
  const updated = performance.now();
  await dba(
    `update birth_registry set governance_role = 'changed' where id = (select min(id) from birth_registry where collection_name = 'invoice_lines')`,
  );
  await until(
    'the update is counted',
    async () => {
      const now = await fingerprint();
      return now.h1 !== before.h1 && !now.marked;
    },
    HOUR_MS,
  );
  note(size, 'one UPDATE, until it is counted', performance.now() - updated);
  await until(
    'nothing waits',
    async () => {
      const [row] = await dba(
        `select exists (select from governance_candidate_state where row_state = 'active' and dirty) as waits`,
      );
      return row?.['waits'] === false;
    },
    HOUR_MS,
  );
  await watchIdle(pid ?? 0);
  worker.signal('SIGTERM');
  expect(await worker.ended).toBe(0);
  worker = undefined;

  console.log(
    `  full scan / aggregate ${(runs.of('full scan') / base).toFixed(1)}; backfill / aggregate ${(runs.of('backfill run') / base).toFixed(1)}`,
  );
  await expectNoSlowStatement(server.url);
  await gcos.close();
  gcos = undefined;
  await server.stop();
  server = undefined;
});

it('writes the exponents', () => {
  runs.printExponents();
  writeFileSync(PLOT, plotOf(runs.series(), 'Time of each step by the number of births'));
  console.log(`  the plot is in ${PLOT}`);
});
