// A worker beside live traffic, with edits of rules, rewrites of birth_registry and a promoted standby:
// scanning never stops for longer than a lease, drift is open, health is degraded and not failing, and at the
// end the incremental state equals a full scan from nothing. GCOS_CHAOS_MINUTES sets how long it runs.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asHost } from '../test/support/database.js';
import { openAt, prepareInstalled } from '../test/support/estate.js';
import { catchUp, differences, readKnownState, startOver } from '../test/support/from-scratch.js';
import { type FrozenProxy, startFrozenProxy } from '../test/support/frozen-proxy.js';
import { putRulesIntoForce } from '../test/support/ruleset-in-force.js';
import { startServer, type TestServer } from '../test/support/server.js';
import { until } from '../test/support/wait.js';
import { startGcos } from './process.js';
import { type Standby, startStandby } from './standby.js';

const MINUTES = Number(process.env['GCOS_CHAOS_MINUTES'] ?? '10');
/** The lease, and a round that was under way. */
const LEASE_SECONDS = 30 + 10;
const PORT = 19_464;

let primary: TestServer;
let standby: Standby | undefined;
let proxy: FrozenProxy;
let isStopped = false;
beforeAll(async () => {
  primary = await startServer({ settings: { wal_keep_size: '2GB' } });
  await prepareInstalled(primary.url, { rows: 20_000 });
  const gcos = await openAt(primary.url);
  await putRulesIntoForce(gcos, { watchful: true });
  await gcos.backfills.run({});
  await gcos.scans.run({ mode: 'full' });
  await gcos.close();
  proxy = await startFrozenProxy(primary.url);
});
afterAll(async () => {
  await proxy?.stop();
  await standby?.stop();
  if (!isStopped) await primary?.stop();
});

const host = (text: string) => asHost(proxy.url, text);
/** Findings about workers and signals depend on what ran, not on the host. */
const ABOUT_THE_PROCESS =
  /^finding (issue_event_gap|cursor_|handoff_|audit_|backfill_|ruleset_drift|group_invalidation_storm)/;
const retrying = async <T>(work: () => Promise<T>): Promise<T | undefined> => work().catch(() => undefined);

it(`holds for ${MINUTES} minutes`, async () => {
  const worker = startGcos(proxy.url, 'worker', 'run', '--port', String(PORT));
  const startTraffic = (seed: number) =>
    startGcos(proxy.url, 'demo', 'traffic', '--rate', '20', '--seed', String(seed), '--quiet');
  let traffic = startTraffic(1);
  const until_ = Date.now() + MINUTES * 60_000;
  let edits = 0;
  let rewrites = 0;
  let promotedAt: number | undefined;
  let lastScanAt = Date.now();
  let longest = 0;
  let seen = '';
  const health: Record<string, number> = {};
  let failing = 0;
  let longestFailing = 0;
  for (let second = 0; Date.now() < until_; second += 1) {
    await pause(1_000);
    const status = await retrying(async () => {
      const answer = await fetch(`http://127.0.0.1:${PORT}/healthz`, { signal: AbortSignal.timeout(5_000) });
      return ((await answer.json()) as { state: string }).state;
    });
    const name = status ?? 'silent';
    health[name] = (health[name] ?? 0) + 1;
    failing = name === 'failing' || name === 'silent' ? failing + 1 : 0;
    longestFailing = Math.max(longestFailing, failing);
    // A successful round of the scanner, whether or not anything was due.
    const beat = await retrying(() =>
      host(
        `select metadata ->> 'last_success_at' as at from queue_heartbeat where executor_name like 'gcos_scan:%'`,
      ),
    );
    const at = String(beat?.[0]?.['at'] ?? seen);
    if (at !== seen) {
      longest = Math.max(longest, Date.now() - lastScanAt);
      lastScanAt = Date.now();
      seen = at;
    }
    if (second % 45 === 20) {
      edits += 1;
      await retrying(() =>
        host(`update coverage_profile set risk_class = case risk_class when 'read' then 'write_high' else 'read' end;
          update governance_setting set setting_value = '${60 + second}' where setting_key = 'verdict.default_ttl_seconds'`),
      );
    }
    if (second % 60 === 40) {
      rewrites += 1;
      await retrying(() =>
        host(`update birth_registry set species_code = species_code where id % 97 = ${second % 97}`),
      );
      await retrying(() => host('vacuum full birth_registry'));
    }
    if (promotedAt === undefined && Date.now() > until_ - (MINUTES * 60_000) / 2) {
      standby = await startStandby(primary);
      await until('the standby has caught up', async () => {
        const [row] = await asHost(
          primary.url,
          'select coalesce(bool_or(replay_lsn >= pg_current_wal_lsn() - 1000000), false) as near from pg_stat_replication',
        );
        return row?.['near'] === true;
      });
      await primary.stop();
      isStopped = true;
      await standby.promote();
      proxy.pointAt(standby.url);
      promotedAt = Date.now();
    }
    // Traffic gives up when its connection is lost; a host would start it again.
    if (traffic.child.exitCode !== null) traffic = startTraffic(second + 2);
  }
  longest = Math.max(longest, Date.now() - lastScanAt);
  traffic.signal('SIGTERM');
  await traffic.ended;
  const [drift] = await host(
    `select count(*)::int as n from system_issues where issue_type = 'ruleset_drift' and status = 'open'`,
  );
  worker.signal('SIGTERM');
  await worker.ended;
  const [births] = await host('select count(*)::int as n from birth_registry');
  console.log(
    JSON.stringify({
      minutes: MINUTES,
      edits,
      rewrites,
      promoted: promotedAt !== undefined,
      births: births?.['n'],
      longest_without_scan_s: Math.round(longest / 1_000),
      health,
      longest_failing_s: longestFailing,
    }),
  );
  const url = proxy.url;
  const gcos = await openAt(url);
  const now = async () => String((await asHost(url, 'select now()::text as at'))[0]?.['at']);
  await catchUp(gcos, { approve: false });
  // The scanner of a worker also resolves what it raised about verdicts that waited.
  await gcos.worker.once({ signal: new AbortController().signal, log: () => undefined, duties: ['scanner'] });
  const incremental = await readKnownState(url, await now());
  await startOver(url, gcos);
  await gcos.intakes.once();
  const wrong = differences(incremental, await readKnownState(url, await now())).filter(
    (line) => !ABOUT_THE_PROCESS.test(line),
  );
  await gcos.close();
  expect(wrong).toEqual([]);
  expect(drift?.['n']).toBe(1);
  expect(longest / 1_000).toBeLessThan(LEASE_SECONDS);
  expect(health['degraded'] ?? 0).toBeGreaterThan(MINUTES * 60 * 0.7);
}, 3_600_000);
