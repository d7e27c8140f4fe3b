// No unrecorded allow: eight clients ask the gate over HTTP 10,000 questions while its database is killed,
// frozen and disconnected at random moments, also after COMMIT was sent. Then every permit that a client
// received must have its recorded decision.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findBinaries } from '../src/db/index.js';
import { buildEstate } from '../src/demo/index.js';
import type { Gcos } from '../src/index.js';
import { type Cut, type CuttingProxy, startCuttingProxy } from '../test/support/cutting-proxy.js';
import { asHost, openDatabase, ROLE_PASSWORD } from '../test/support/database.js';
import { openAt } from '../test/support/estate.js';
import { type TestServer as HttpServer, startServer as startHttp } from '../test/support/http.js';
import { askManyTimes, countsOf, permittedSubjects, unrecorded } from '../test/support/permitted.js';
import { putRulesIntoForce } from '../test/support/ruleset-in-force.js';
import { startServer, type TestServer } from '../test/support/server.js';
import { until } from '../test/support/wait.js';

const CHECKS = Number(process.env['GCOS_CHAOS_CHECKS'] ?? 10_000);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

let database: TestServer;
let gcos: Gcos;
let proxy: CuttingProxy;
let server: HttpServer;
let cut: () => Cut = () => 'never';
beforeAll(async () => {
  database = await startServer({ settings: { max_connections: '60' } });
  const db = openDatabase(database.url, { statementTimeoutMs: 600_000 });
  await buildEstate(db, { rows: 20_000 });
  await db.close();
  gcos = await openAt(database.url);
  await gcos.init();
  await asHost(database.url, `alter role gcos_server login password '${ROLE_PASSWORD}'`);
  await putRulesIntoForce(gcos);
  await gcos.backfills.run({});
  await gcos.scans.run({ mode: 'full' });
  proxy = await startCuttingProxy(database.url, () => cut());
  server = await startHttp({ gcos, url: proxy.url }, { limits: { perSecond: 1_000_000, deadlineMs: 2_000 } });
});
afterAll(async () => {
  await server?.close();
  await proxy?.stop();
  await gcos?.close();
  await database?.stop();
});

const dataFolder = () => join(database.folder, 'data');
const postmaster = () => Number(readFileSync(join(dataFolder(), 'postmaster.pid'), 'utf8').split('\n')[0]);

/** The processes of the server with the postmaster as their parent: its backends and helpers. */
function children(): { readonly pid: number; readonly title: string }[] {
  const parent = postmaster();
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const after = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1) ?? '';
      const title = readFileSync(`/proc/${name}/cmdline`, 'utf8');
      return Number(after.split(' ')[1]) === parent ? [{ pid: Number(name), title }] : [];
    } catch {
      return [];
    }
  });
}
const serving = () => children().filter(({ title }) => title.includes('gcos_server'));

/** A signal to 0 or less would go to a whole group of processes, this one among them. */
const send = (pid: number | undefined, signal: NodeJS.Signals) => {
  if (pid === undefined || !(pid > 1)) return;
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
};
const anyOf = <T>(list: readonly T[]): T | undefined => list[Math.floor(Math.random() * list.length)];

/** Starts the server again, once the processes of the killed one are gone. */
async function startAgain(): Promise<void> {
  const { uid, gid } = statSync(dataFolder());
  const account = process.getuid?.() === 0 ? { uid, gid } : {};
  // Not `start`: that would forget the options of the server that is gone, its port among them.
  const args = [
    'restart',
    '-m',
    'immediate',
    '-D',
    dataFolder(),
    '-w',
    '-l',
    join(database.folder, 'server.log'),
  ];
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const { status } = spawnSync(join(findBinaries().root, 'bin/pg_ctl'), args, {
      ...account,
      cwd: database.folder,
      stdio: 'ignore',
    });
    if (status === 0) return;
    await pause(500);
  }
  throw new Error('the server did not start again');
}

const whileFrozen = async (pids: readonly (number | undefined)[], ms: number) => {
  for (const pid of pids) send(pid, 'SIGSTOP');
  await pause(ms);
  for (const pid of pids) send(pid, 'SIGCONT');
};

/** What happens to the database, by name. */
const HARMS: Readonly<Record<string, () => Promise<void> | void>> = {
  /** The server ends all sessions, and recovers. */
  'backend killed': () => send(anyOf(serving())?.pid, 'SIGKILL'),
  'server killed': async () => {
    send(postmaster(), 'SIGKILL');
    await pause(200 + Math.random() * 500);
    await startAgain();
  },
  'backend frozen': () => whileFrozen([anyOf(serving())?.pid], 2_500),
  'server frozen': () =>
    whileFrozen([postmaster(), ...children().map(({ pid }) => pid)], 500 + Math.random() * 3_000),
  'connections cut': () => proxy.cutAll(),
};
const MOMENTS: readonly Cut[] = ['before', 'after', 'answered', 'never', 'never', 'never', 'never', 'never'];

it('every allow that arrived is recorded, whatever happens to the database', async () => {
  const subjects = await permittedSubjects(database.url);
  const harmed = new Map<string, number>();
  let over = false;
  const harm = (async () => {
    while (!over) {
      await pause(300 + Math.random() * 1_500);
      // A kill takes seconds to recover from: most harms are lighter.
      const heavy = Math.random() < 0.25;
      const names = Object.keys(HARMS).filter((name) => heavy === name.endsWith('killed'));
      const name = anyOf(names) ?? '';
      harmed.set(name, (harmed.get(name) ?? 0) + 1);
      await HARMS[name]?.();
    }
  })();
  cut = () => (Math.random() < 0.2 ? (anyOf(MOMENTS) ?? 'never') : 'never');
  const started = performance.now();
  const remembered = await askManyTimes({
    ...{ url: server.url, token: server.tokens.gate, subjects },
    ...{ clients: 8, checks: CHECKS },
  });
  over = true;
  await harm;
  cut = () => 'never';
  console.log(
    [
      `\n${countsOf(remembered)}, in ${((performance.now() - started) / 1_000).toFixed(0)} s`,
      `harm: ${[...harmed].map(([name, times]) => `${name} ${times}`).join(', ')}`,
      `connections cut at a COMMIT: ${JSON.stringify(proxy.cuts)}`,
      ...server.logged.filter((line) => line.includes('"status":500')),
    ].join('\n'),
  );
  // The last harm may have been a kill.
  await until('the database has recovered', () =>
    asHost(database.url, 'select').then(
      () => true,
      () => false,
    ),
  );
  const missing = await unrecorded(database.url, remembered.permits);
  const [row] = await asHost(
    database.url,
    "select count(*)::int as n from gcos_trust.governance_gate_decision where answer <> 'block'",
  );
  console.log(
    `${remembered.permits.length} permits received, ${Number(row?.['n'])} recorded, ${missing.length} received and not recorded`,
  );
  expect(remembered.wrong).toEqual([]);
  expect(missing).toEqual([]);
  expect(remembered.permits.length).toBeGreaterThan(CHECKS / 10);
});
