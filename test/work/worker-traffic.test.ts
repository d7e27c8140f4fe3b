// A worker keeps up with a live host: it is restarted repeatedly during thousands of random changes.
// Afterwards the comparison with the independent recount closes, and so does the ledger.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runTraffic } from '../../src/demo/index.js';
import { makeLog } from '../../src/index.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { keepRulesInForce } from '../support/ruleset-in-force.js';

const SEED = 2_026;
const ACTIONS = 10_000;

let estate: Estate;
beforeAll(async () => {
  estate = await createEstate('backfilled');
});
afterAll(() => estate?.close());

it('matches the independent recount after 10,000 random changes', async () => {
  const lines: string[] = [];
  let stop = new AbortController();
  const start = () =>
    estate.gcos.worker.run({
      signal: stop.signal,
      log: makeLog((line) => lines.push(line)),
      port: 'off',
      duties: ['intake', 'promoter'],
    });
  let running = start();
  let restarts = 0;
  let progressCalls = 0;
  const report = await runTraffic(estate.db, {
    rate: 100_000,
    seed: SEED,
    count: ACTIONS,
    onProgress: () => {
      progressCalls += 1;
      if (progressCalls % 4 !== 0) return;
      // Stops the worker at an arbitrary moment and starts it again.
      const former = running;
      stop.abort();
      stop = new AbortController();
      running = former.then(start);
      restarts += 1;
    },
  });
  expect(report.actions).toBe(ACTIONS);
  expect(restarts).toBeGreaterThan(1);
  stop.abort();
  await running;
  expect(lines.filter((line) => line.includes('"error"'))).toEqual([]);
  await keepRulesInForce(estate.gcos);
  const { proof, ledger } = await estate.gcos.backfills.run();
  expect({
    closed: proof.closed,
    omitted: proof.omitted,
    duplicated: proof.duplicated,
    mismatched: proof.mismatchedGroups,
  }).toEqual({
    closed: true,
    omitted: 0n,
    duplicated: 0n,
    mismatched: [],
  });
  expect(ledger?.closes).toBe(true);
  expect(
    await asHost(
      estate.url,
      "select 1 from gov_worker_lease where not released and expires_at > now() and worker = 'intake'",
    ),
  ).toEqual([]);
});
