// Measures what the log costs: checks of the gate per second with and without seals, the time of an act with
// and without its link, and how fast the log is verified. The sides take turns in one run.
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildEstate, provideActors } from '../src/demo/index.js';
import type { Gcos } from '../src/index.js';
import { openDatabase } from '../test/support/database.js';
import { openAt } from '../test/support/estate.js';
import { keepRulesInForce } from '../test/support/ruleset-in-force.js';
import { startServer, type TestServer } from '../test/support/server.js';
import { median, report, timed } from './measure.js';

const ROUNDS = 5;
const ASKERS = 4;
const CHECKS = 250;
const ACTS = 100;
let server: TestServer;
let gcos: Gcos;
let client: pg.Client;

beforeAll(async () => {
  server = await startServer({ settings: { max_connections: '50' } });
  const db = openDatabase(server.url);
  await buildEstate(db, { rows: 20_000 });
  await db.close();
  gcos = await openAt(server.url, { GCOS_POOL_SIZE: '8' });
  await gcos.init();
  await provideActors(gcos.db);
  await keepRulesInForce(gcos);
  await gcos.backfills.run({});
  await gcos.scans.run({ mode: 'full' });
  client = new pg.Client({ connectionString: server.url });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await gcos?.close();
  await server?.stop();
});

const askAll = () =>
  Promise.all(
    Array.from({ length: ASKERS }, async () => {
      for (let n = 0; n < CHECKS; n += 1)
        await gcos.gates.check([
          { collection: 'dot_tools', code: 'DOT-141', stage: 'prod', action: 'execute' },
        ]);
    }),
  );

it('answers as many checks while the answers are sealed without pause', async () => {
  const times = { alone: [] as number[], sealed: [] as number[] };
  let ranges = 0;
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const side of ['alone', 'sealed'] as const) {
      let asking = true;
      const sealing = (async () => {
        // The duty seals once a minute; here it never rests.
        while (side === 'sealed' && asking) ranges += (await gcos.log.seal()).ranges;
      })();
      const ms = await timed(askAll);
      asking = false;
      await sealing;
      if (round > 0) times[side].push(ms);
    }
  const ratio = report(
    `${ASKERS * CHECKS} checks of ${ASKERS} sessions, median of ${ROUNDS}, ${ranges} ranges sealed`,
    { what: 'while answers are sealed without pause', ms: median(times.sealed) },
    { what: 'without seals', ms: median(times.alone) },
    2,
  );
  expect(ratio).toBeLessThan(2);
});

it('adds little to an act of a person', async () => {
  const times = { linked: [] as number[], bare: [] as number[] };
  for (let n = 0; n < ACTS; n += 1)
    for (const side of ['linked', 'bare'] as const) {
      // Without triggers there is no link.
      await client.query(`set session_replication_role = ${side === 'bare' ? 'replica' : 'origin'}`);
      const act = `select outcome from gcos_open_request('gcos.remediation.propose', '{"fix": ${n}}', null)`;
      times[side].push(await timed(() => client.query(act)));
    }
  const ratio = report(
    `opening a request, median of ${ACTS}`,
    { what: 'with its link', ms: median(times.linked) },
    { what: 'without', ms: median(times.bare) },
    2,
  );
  expect(ratio).toBeLessThan(2);
});

it('seals and verifies 200,000 answers, and verifies 20,000 links', async () => {
  await client.query(`set session_replication_role = origin;
    insert into governance_gate_answer select (s.r).* from (
      select jsonb_populate_record(null::governance_gate_answer, to_jsonb(a) || jsonb_build_object('check_id', nextval('governance_gate_check_seq'))) as r
      from (select * from governance_gate_answer order by check_id limit 1) a cross join generate_series(1, 200000)) s;
    insert into governance_setting (setting_key, setting_value, about) select 'bench.' || n, '1', 'x' from generate_series(1, 20000) n`);
  const sealing = await timed(async () => {
    for (let lag = 1; lag > 0; ) lag = (await gcos.log.seal()).lagSeconds;
  });
  let found = await gcos.log.verify();
  const before = process.memoryUsage().heapUsed;
  const verifying = await timed(async () => {
    found = await gcos.log.verify();
  });
  const heap = (process.memoryUsage().heapUsed - before) / 1e6;
  console.log(
    `${found.answers} answers in ${found.seals} ranges, ${found.links} links: sealed in ${sealing.toFixed(0)} ms, verified in ${verifying.toFixed(0)} ms, heap ${heap.toFixed(0)} MB more`,
  );
  expect(found).toMatchObject({ unsealed: 0n });
});
