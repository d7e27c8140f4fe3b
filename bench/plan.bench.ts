// What would flip, over the full estate, beside the full scan it foresees: a plan judges everything and writes nothing, so it must not take
// longer than looking at everything does.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildEstate, FULL_SIZE } from '../src/demo/index.js';
import type { Gcos } from '../src/index.js';
import { asHost, openDatabase } from '../test/support/database.js';
import { openAt } from '../test/support/estate.js';
import { keepRulesInForce } from '../test/support/ruleset-in-force.js';
import { startServer, type TestServer } from '../test/support/server.js';
import { median, report, timed } from './measure.js';

const ROUNDS = 5;
const GOAL = 1;

let server: TestServer;
let gcos: Gcos;
beforeAll(async () => {
  server = await startServer({ settings: { max_connections: '50' } });
  const db = openDatabase(server.url, { statementTimeoutMs: 600_000 });
  await buildEstate(db, { rows: FULL_SIZE });
  await db.close();
  await asHost(server.url, 'update measurement_registry set enabled = false');
  await asHost(server.url, 'vacuum analyze');
  gcos = await openAt(server.url);
  await gcos.init();
  await keepRulesInForce(gcos);
  await gcos.backfills.run({});
  await gcos.scans.run({ mode: 'full' });
  await asHost(server.url, 'vacuum analyze');
});
afterAll(async () => {
  await gcos?.close();
  await server?.stop();
});

async function several(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) times.push(await timed(work));
  return median(times);
}

it('foresees a full scan in no more time than it takes', async () => {
  const full = await several(() => gcos.scans.run({ mode: 'full' }));
  await asHost(
    server.url,
    `update coverage_profile set required_links = required_links || '{"health": ["owner", "audit"]}' where class_pattern in ('dot_tool', 'article%')`,
  );
  const { flips, groups } = await gcos.plans.plan();
  console.log(
    `  ${flips.verdicts.length} verdicts and ${flips.outcomes.length} outcomes of ${groups.total} groups would flip`,
  );
  const plan = await several(() => gcos.plans.plan());
  const title = `${FULL_SIZE.toLocaleString('en-US')} births, median of ${ROUNDS}`;
  const ratio = report(
    title,
    { what: 'a plan', ms: plan },
    { what: 'a full scan, detectors aside', ms: full },
    GOAL,
  );
  expect(ratio).toBeLessThanOrEqual(GOAL);
});
