// Measures a plan over the full estate against the full scan that it previews: a plan evaluates everything
// and writes nothing, so it must not take longer than the scan.
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

/**
 * Sets the links that tools and articles require in one scope. While the rules in the tables differ from the
 * active ruleset, GCOS refuses everything but a plan.
 */
const require = (links: string) =>
  asHost(
    server.url,
    `update coverage_profile set required_links = required_links || '{"health": ${links}}' where class_pattern in ('dot_tool', 'article%')`,
  );

it('previews a full scan in no more time than the scan takes', async () => {
  const [plans, scans]: [number[], number[]] = [[], []];
  await require('["owner"]');
  await keepRulesInForce(gcos);
  await gcos.scans.run({ mode: 'full' });
  // The two sides take turns, so that other load on the machine affects both.
  for (let round = 0; round < ROUNDS; round += 1) {
    scans.push(await timed(() => gcos.scans.run({ mode: 'full' })));
    await require('["owner", "audit"]');
    plans.push(await timed(() => gcos.plans.plan()));
    await require('["owner"]');
  }
  await require('["owner", "audit"]');
  const { flips } = await gcos.plans.plan();
  console.log(`  ${flips.verdicts.length} verdicts and ${flips.outcomes.length} outcomes would flip`);
  const title = `${FULL_SIZE.toLocaleString('en-US')} births, median of ${ROUNDS}`;
  const ratio = report(
    title,
    { what: 'a plan', ms: median(plans) },
    { what: 'a full scan, detectors disabled', ms: median(scans) },
    GOAL,
  );
  expect(ratio).toBeLessThanOrEqual(GOAL);
});
