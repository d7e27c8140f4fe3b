// What once stopped GCOS, at full size: many findings, one large load of the host's log, and a year of
// history beside an idle worker. GCOS_IDLE_S says how long an idle worker is watched.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { type Running, startGcos } from '../chaos/process.js';
import { buildEstate } from '../src/demo/index.js';
import type { Gcos } from '../src/index.js';
import { asHost, createDatabase, openDatabase } from '../test/support/database.js';
import { openAt } from '../test/support/estate.js';
import { FOR_EVER, keepHistory, writeHistory } from '../test/support/old-history.js';
import { keepRulesInForce } from '../test/support/ruleset-in-force.js';
import { startServer, type TestServer } from '../test/support/server.js';
import { until } from '../test/support/wait.js';
import { exponentOf } from './growth-plot.js';
import { expectNoSlowStatement } from './growth-runs.js';
import { timed } from './measure.js';
import { measureGcos } from './measured-process.js';
import { shareOfCore } from './share-of-core.js';

const IDLE_S = Number(process.env['GCOS_IDLE_S'] ?? '180');
const HOUR_MS = 3_600_000;
const SETTINGS = {
  max_wal_size: '8GB',
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.max': '10000',
};

let server: TestServer | undefined;
let gcos: Gcos | undefined;
let worker: Running | undefined;
afterEach(async () => {
  worker?.signal('SIGKILL');
  await gcos?.close();
  await server?.stop();
  worker = undefined;
  gcos = undefined;
  server = undefined;
});

/** A demo estate whose ledger has closed. */
async function scanned(births: number): Promise<{ url: string; folder: string }> {
  server = await startServer({ settings: SETTINGS });
  const db = openDatabase(server.url, { statementTimeoutMs: 600_000 });
  await buildEstate(db, { rows: births });
  await db.close();
  await asHost(server.url, 'create extension pg_stat_statements');
  await asHost(server.url, 'vacuum analyze');
  gcos = await openAt(server.url);
  await gcos.init();
  await keepRulesInForce(gcos);
  await gcos.backfills.run({});
  await gcos.scans.run({ mode: 'full' });
  return server;
}

/** A home with a list of assets that lack an owner: the time that a backfill needs to say so. */
async function findingsTime(home: TestServer, assets: number): Promise<number> {
  const { url } = await createDatabase({ serverUrl: home.url });
  const folder = mkdtempSync(join(tmpdir(), 'gcos-findings-'));
  const path = join(folder, 'assets.csv');
  writeFileSync(path, `id,team\n${Array.from({ length: assets }, (_, n) => `asset-${n},\n`).join('')}`);
  const command = async (...args: string[]) => {
    const done = await measureGcos(...args, '--database-url', url, '--quiet');
    expect(done.exit, done.errors).toBe(0);
    return done;
  };
  await command('init', '--with', 'host');
  await command(
    'source',
    'add',
    'list',
    'file',
    path,
    '--class',
    'asset',
    '--code',
    'id',
    '--link',
    'owner=team',
  );
  await command('source', 'sync', 'list');
  await asHost(
    url,
    `insert into governance_responsibility_scope (scope_code) values ('execution');
     insert into governance_registry (code, name) values ('GOV-COUNCIL', 'Council'), ('GOV-SIV', 'Integrity');
     insert into coverage_profile (profile_code, class_pattern, risk_class, ttl, required_links)
     values ('CP-ASSET', 'asset', 'write_low', '7 days', '{"execution": ["owner"]}');
     update gcos_trust.governance_setting set setting_value = '10000000' where setting_key = 'finding.ceiling'`,
  );
  const own = await openAt(url);
  await keepRulesInForce(own);
  await own.close();
  await asHost(url, 'analyze');
  const { ms, peakMb } = await command('backfill', 'run');
  const [found] = await asHost(
    url,
    `select count(*)::int as n from system_issues where source = 'gcos' and status = 'open' and entity_code like 'asset-%'`,
  );
  console.log(
    `  ${String(found?.['n'])} findings of ${assets} assets: backfill ${(ms / 1_000).toFixed(1)} s, ${peakMb?.toFixed(0)} MB`,
  );
  expect(found?.['n']).toBeGreaterThanOrEqual(assets);
  rmSync(folder, { recursive: true });
  return ms;
}

it('100,000 findings take time in proportion to their number', async () => {
  server = await startServer({ settings: SETTINGS });
  await asHost(server.url, 'create extension pg_stat_statements');
  const points: { size: number; ms: number }[] = [];
  for (const size of (process.env['GCOS_FINDINGS'] ?? '3000,10000,30000,100000').split(',').map(Number))
    points.push({ size, ms: await findingsTime(server, size) });
  const exponent = exponentOf({ name: 'findings', points: points.slice(-2) });
  console.log(`  n^${exponent.toFixed(2)} from 30,000 to 100,000 findings`);
  await expectNoSlowStatement(server.url);
  expect(exponent).toBeLessThan(1.2);
});

it('4.5 million lines of the changelog in one load do not stop the intake', async () => {
  const { url } = await scanned(100_000);
  worker = startGcos(url, 'worker', 'run', '--port', 'off');
  const watchedAfter = (moment: string) => async () =>
    (await asHost(url, `select gcos_watched_at() > '${moment}' as after`))[0]?.['after'] === true;
  const now = async () => String((await asHost(url, 'select clock_timestamp()::text as at'))[0]?.['at']);
  await until('the worker watches', watchedAfter(await now()));
  await asHost(url, 'select pg_stat_statements_reset()');
  const loaded = await timed(() =>
    asHost(
      url,
      `insert into registry_changelog (entity_type, entity_code, action, changed_by)
       select 'nothing', 'N-' || n, 'update', 'loader' from generate_series(1, 4500000) as n`,
    ),
  );
  const committed = await now();
  const takenIn = await timed(() => until('the load is taken in', watchedAfter(committed), HOUR_MS));
  await asHost(
    url,
    `insert into birth_registry (entity_code, collection_name, species_code, governance_role)
     select 'AFTER-THE-LOAD', collection_name, species_code, governance_role from birth_registry where collection_name = 'dot_tools' limit 1`,
  );
  const birth = await timed(() =>
    until(
      'a birth after it has verdicts',
      async () =>
        Number(
          (
            await asHost(
              url,
              `select count(*)::int as n from governance_candidate_object where entity_code = 'AFTER-THE-LOAD' and not dirty`,
            )
          )[0]?.['n'],
        ) > 0,
      HOUR_MS,
    ),
  );
  console.log(
    `  4,500,000 lines: inserted in ${(loaded / 1_000).toFixed(1)} s, a wide round that began after the load had ended ${(takenIn / 1_000).toFixed(1)} s later; a birth after it has verdicts in ${(birth / 1_000).toFixed(1)} s`,
  );
  worker.signal('SIGTERM');
  expect(await worker.ended).toBe(0);
  worker = undefined;
  await expectNoSlowStatement(url, 'insert into registry_changelog');
});

it('a year of history costs an idle worker nothing', async () => {
  const { url, folder } = await scanned(100_000);
  await asHost(url, keepHistory(FOR_EVER));
  const idle = async (what: string) => {
    await asHost(url, 'vacuum analyze');
    worker = startGcos(url, 'worker', 'run', '--port', 'off');
    // What the start itself causes ends within a minute.
    await until(
      'the worker is at rest',
      async () =>
        (
          await asHost(
            url,
            `select gcos_watched_at() < now() - interval '20 seconds' and gcos_watched_at() > now() - interval '60 seconds' as rests`,
          )
        )[0]?.['rests'] === true,
    );
    const share = await shareOfCore(folder, worker.child.pid ?? 0, () => pause(IDLE_S * 1_000));
    console.log(`  ${what}: ${share.toFixed(2)} % of a core, ${IDLE_S} s`);
    worker.signal('SIGTERM');
    expect(await worker.ended).toBe(0);
    return share;
  };
  const without = await idle('an idle worker without history');
  await writeHistory(url, 365);
  const beside = await idle('an idle worker beside a year of history');
  expect(beside).toBeLessThan(2);
  expect(beside).toBeLessThan(2 * without + 0.5);
  await asHost(url, keepHistory({ ...FOR_EVER, runs_days: 90, held_days: 7, deliveries_days: 60 }));
  await idle('an idle worker that prunes it');
});
