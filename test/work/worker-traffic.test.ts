// Keeping up with a host that lives: thousands of random changes while a worker runs and is stopped again and again; afterwards
// the comparison with the truth closes, and so does the ledger.
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

it('proves equality with the truth after 10,000 random mutations', async () => {
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
  let acting = 0;
  const report = await runTraffic(estate.db, {
    rate: 100_000,
    seed: SEED,
    count: ACTIONS,
    onProgress: () => {
      acting += 1;
      if (acting % 4 !== 0) return;
      // Stopped in the middle of whatever it does, and started anew.
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
