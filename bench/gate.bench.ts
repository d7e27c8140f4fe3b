// Measures gate answers against their lower bounds. Server time is the CPU time of the backend process, so
// other load on the machine does not count. Both sides send one statement at a time through the driver, in
// one transaction.
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildEstate, FULL_SIZE } from '../src/demo/index.js';
import type { GateQuestion, Gcos } from '../src/index.js';
import { asHost, openDatabase } from '../test/support/database.js';
import { openAt } from '../test/support/estate.js';
import { keepRulesInForce } from '../test/support/ruleset-in-force.js';
import { startServer, type TestServer } from '../test/support/server.js';
import { fastest, median, report, timed } from './measure.js';

const ROUNDS = 9;
/** Checks per round: times of a few milliseconds vary more, so the median needs more of them. */
const CHECKS_PER_ROUND = 10;
const REPEATS = 300;
const ROWS = Number(process.env['GCOS_BENCH_ROWS'] ?? FULL_SIZE);

let server: TestServer;
let gcos: Gcos;
let fine: readonly string[];
beforeAll(async () => {
  server = await startServer({ settings: { max_connections: '50' } });
  const db = openDatabase(server.url, { statementTimeoutMs: 600_000 });
  await buildEstate(db, { rows: ROWS });
  await db.close();
  await asHost(server.url, 'update measurement_registry set enabled = false');
  await asHost(server.url, 'vacuum analyze');
  gcos = await openAt(server.url);
  await gcos.init();
  await keepRulesInForce(gcos);
  await gcos.backfills.run({});
  await gcos.scans.run({ mode: 'full' });
  // Heartbeats of running workers: every check reads them.
  await asHost(
    server.url,
    `insert into queue_heartbeat (executor_name, executor_kind, last_tick_at, last_tick_status, metadata)
     select 'gcos_' || w, 'gcos', now(), 'ok', '{"state": "running", "lag_seconds": 0}'
     from unnest(array['intake', 'scanner', 'promoter', 'supervisor']) as w;
     update governance_setting set setting_value = setting_value || '{"silence_seconds": 86400}' where setting_key = 'worker.watch';
     create table bare_insert (id bigint generated always as identity primary key, at timestamptz, what text, answer text)`,
  );
  await asHost(server.url, 'vacuum analyze');
  const rows = await asHost(
    server.url,
    `select entity_code from governance_candidate_object where collection_name = 'dot_tools' and row_state = 'active' group by 1
     having bool_and(candidate_verdict <> 'relevant' or coverage_outcome = 'covered') order by 1`,
  );
  fine = rows.map((row) => String(row['entity_code']));
});
afterAll(async () => {
  await gcos?.close();
  await server?.stop();
});

type Side = (turn: number) => { readonly text: string; readonly values: readonly unknown[] };

/** The server time of one statement of each side, in ms, in the fastest round; the sides take turns. */
async function serverTimes(sides: Readonly<Record<string, Side>>): Promise<Readonly<Record<string, number>>> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const pid = (await client.query('select pg_backend_pid() as pid')).rows[0].pid as number;
  const spent = () => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  const times = new Map<string, number[]>(Object.keys(sides).map((name) => [name, []]));
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const [name, side] of Object.entries(sides)) {
      await client.query('begin');
      const before = spent();
      for (let turn = 0; turn < REPEATS; turn += 1) {
        const { text, values } = side(turn);
        await client.query(text, [...values]);
      }
      // The first round fills caches.
      if (round > 0) times.get(name)?.push((spent() - before) / REPEATS);
      await client.query('commit');
    }
  await client.end();
  return Object.fromEntries([...times].map(([name, list]) => [name, fastest(list)]));
}

const gateCall =
  (sqlFunction: string, collection: string, code: (turn: number) => string): Side =>
  (turn) => ({
    text: `select c.answer, c.mode, c.high_risk, c.inventory_key, c.pass_code, c.scopes, c.snapshot_refs, c.ruleset_versions, c.scan_times, c.reasons
      from ${sqlFunction}($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]${sqlFunction === 'gcos_gate_evaluate' ? ', gcos_now(), gcos_now()' : ''}) c`,
    values: [[collection], [code(turn)], [null], ['prod'], ['execute']],
  });

const what = (name: string, ms: number) => ({ what: name, ms });
const TITLE = `${ROWS.toLocaleString('en-US')} births, fastest of ${ROUNDS}`;

it('evaluates a check in at most 3.5 × the time of a read, and records it in at most 3 × that of an insert', async () => {
  const tool = (turn: number) => fine[turn % fine.length] ?? '';
  const [child] = await asHost(
    server.url,
    `select min(entity_code) as code from birth_registry where collection_name = 'invoice_lines'`,
  );
  const keys = new Map(
    (
      await asHost(
        server.url,
        `select entity_code, object_key from governance_candidate_object where collection_name = 'dot_tools' and scope = 'policy'`,
      )
    ).map((row) => [String(row['entity_code']), String(row['object_key'])]),
  );
  const times = await serverTimes({
    select: (turn) => ({
      text: `select candidate_verdict, coverage_outcome from governance_candidate_object
        where object_key = $1::text and scope = $2::text and row_state = 'active'`,
      values: [keys.get(tool(turn)), 'policy'],
    }),
    evaluate: gateCall('gcos_gate_evaluate', 'dot_tools', tool),
    container: gateCall('gcos_gate_evaluate', 'invoice_lines', () => String(child?.['code'])),
    blocked: gateCall('gcos_gate_evaluate', 'dot_tools', () => 'DOT-117'),
    insert: (turn) => ({
      text: 'insert into bare_insert (at, what, answer) values ($1::timestamptz, $2::text, $3::text)',
      values: ['now', `tool ${turn}`, 'allow'],
    }),
    check: gateCall('gcos_gate_check', 'dot_tools', tool),
  });
  /** Time of a thousand, in ms. */
  const of = (name: string) => (times[name] ?? Number.NaN) * 1_000;
  const title = `${TITLE}; server time of a thousand, measured on ${REPEATS} of each`;
  const ratios = [
    [
      report(
        title,
        what('evaluating single checks', of('evaluate')),
        what('reading single verdicts by their keys', of('select')),
        3.5,
      ),
      3.5,
    ],
    [
      report(
        title,
        what('recording them', of('check') - of('evaluate')),
        what('inserting single rows', of('insert')),
        3,
      ),
      3,
    ],
  ] as const;
  console.log(
    `\nfor comparison: through a container ${of('container').toFixed(0)} ms, blocked with reasons ${of('blocked').toFixed(0)} ms`,
  );
  for (const [ratio, goal] of ratios) expect(ratio).toBeLessThanOrEqual(goal);
});

/** A release of a thousand objects that satisfy `condition`. */
async function release(condition: string): Promise<readonly GateQuestion[]> {
  const rows = await asHost(
    server.url,
    `select collection_name, entity_code from governance_candidate_object where row_state = 'active' group by 1, 2
     having ${condition} order by md5(entity_code) limit 1000`,
  );
  return rows.map((row) => ({
    collection: String(row['collection_name']),
    code: String(row['entity_code']),
  }));
}

it('decides a release of a thousand objects in at most 45 × the time of a single check', async () => {
  const clean = await release(
    `bool_and(candidate_verdict in ('not_relevant', 'retired', 'class_0') or coverage_outcome = 'covered')
       and entity_code not in (select entity_code from governance_finding_key where entity_code is not null and severity in ('critical', 'high'))`,
  );
  const mixed = await release('true');
  const one = clean.slice(0, 1);
  await gcos.gates.check(one);
  const times = { one: [] as number[], clean: [] as number[], mixed: [] as number[] };
  const several = async (questions: readonly GateQuestion[], times = CHECKS_PER_ROUND): Promise<number[]> => {
    const taken: number[] = [];
    for (let turn = 0; turn < times; turn += 1)
      taken.push(await timed(() => gcos.gates.check(questions, { deadlineMs: 60_000 })));
    return taken;
  };
  for (let round = -ROUNDS; round < ROUNDS; round += 1) {
    // Rounds below 0 warm up program and server: each side runs as often before the measurement as in it.
    const taken = { one: await several(one), clean: await several(clean), mixed: await several(mixed, 1) };
    await gcos.scans.run({ mode: 'incremental' });
    if (round < 0) continue;
    times.one.push(...taken.one);
    times.clean.push(...taken.clean);
    times.mixed.push(...taken.mixed);
  }
  const ratio = report(
    `${ROWS.toLocaleString('en-US')} births, median of ${ROUNDS * CHECKS_PER_ROUND}`,
    what(`${clean.length} objects in one manifest`, median(times.clean)),
    what('a single check', median(times.one)),
    45,
  );
  console.log(
    `\nfor comparison: ${mixed.length} objects, some blocked and some marked for a scan, ${median(times.mixed).toFixed(0)} ms`,
  );
  expect(ratio).toBeLessThanOrEqual(45);
});

it('reports checks per second on concurrent connections', async () => {
  const WORKERS = 4;
  const EACH = 500;
  const db = openDatabase(server.url, { poolSize: WORKERS });
  const concurrently = async (work: (turn: number) => Promise<unknown>) => {
    const latencies: number[] = [];
    const all = await timed(() =>
      Promise.all(
        Array.from({ length: WORKERS }, async (_, worker) => {
          for (let turn = 0; turn < EACH; turn += 1)
            latencies.push(await timed(() => work(worker * EACH + turn)));
        }),
      ),
    );
    latencies.sort((left, right) => left - right);
    return {
      perSecond: (WORKERS * EACH * 1_000) / all,
      p99: latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN,
    };
  };
  const bare = await concurrently(() =>
    db.transaction({ isolation: 'read committed' }, (tx) => tx.script('select 1')),
  );
  const checked = await concurrently((turn) =>
    gcos.gates.check([{ collection: 'dot_tools', code: fine[turn % fine.length] ?? '' }]),
  );
  const line = (name: string, { perSecond, p99 }: typeof bare) =>
    `  ${name}: ${Math.round(perSecond).toLocaleString('en-US')} per second, p99 ${p99.toFixed(1)} ms`;
  console.log(
    [
      '',
      `${WORKERS} connections, ${WORKERS * EACH} each`,
      line('checks, recorded', checked),
      line('select 1', bare),
    ].join('\n'),
  );
  await db.close();
});
