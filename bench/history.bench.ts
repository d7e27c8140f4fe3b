// Looks for histories after which the state reached step by step is not what follows from nothing: more of them, and longer, than the suite
// has time for, from another seed each time. `GCOS_FUZZ_SEED` repeats one, `GCOS_FUZZ_RUNS` says how many histories.
import fc from 'fast-check';
import { afterAll, beforeAll, it } from 'vitest';
import { type Comparison, expectEqual, openComparison } from '../test/support/comparison.js';
import { histories } from '../test/support/history.js';
import { startServer, type TestServer } from '../test/support/server.js';

const SEED = Number(process.env['GCOS_FUZZ_SEED'] ?? Date.now() % 2 ** 31);
const RUNS = Number(process.env['GCOS_FUZZ_RUNS'] ?? 25);
const SHORTEN_FOR_MS = 1_800_000;

let server: TestServer;
let comparison: Comparison;
beforeAll(async () => {
  server = await startServer();
  comparison = await openComparison(server.url);
});
afterAll(async () => {
  await comparison?.close();
  await server?.stop();
});

it(`${RUNS} random histories, seed ${SEED}`, async () => {
  let steps = 0;
  await fc.assert(
    fc.asyncProperty(histories(60), async (history) => {
      steps += history.length;
      await expectEqual(comparison, history);
    }),
    { seed: SEED, numRuns: RUNS, interruptAfterTimeLimit: SHORTEN_FOR_MS },
  );
  console.info(`scan-fuzz: seed ${SEED}, ${RUNS} histories, ${steps} steps, no difference`);
});
