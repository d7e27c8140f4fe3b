// The crawler over the whole API: every resource, and every list that it reaches in full, while a worker
// process takes in, evaluates and relays the traffic of the demo. Every count that the API returns is the
// length of the list that it links to.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runTraffic } from '../src/demo/index.js';
import { crawl } from '../test/support/crawl.js';
import { openDatabase } from '../test/support/database.js';
import { createEstate, type Estate } from '../test/support/estate.js';
import { startServer, type TestServer } from '../test/support/http.js';
import { until } from '../test/support/wait.js';
import { type Running, startGcos } from './process.js';

const ROUNDS = Number(process.env['GCOS_CHAOS_ROUNDS'] ?? 2);
/**
 * Of addresses that differ only in the key of a group; each has up to fifty counts, and each count two lists.
 */
const ALIKE = Number(process.env['GCOS_CHAOS_ALIKE'] ?? 25);

let estate: Estate;
let server: TestServer;
let worker: Running;
beforeAll(async () => {
  estate = await createEstate('scanned');
  server = await startServer(estate, { limits: { perSecond: 10_000 } });
  worker = startGcos(estate.url, 'worker', 'run', '--port', 'off');
  await until('the worker runs', () => worker.lines.length > 0);
});
afterAll(async () => {
  worker?.signal('SIGTERM');
  await worker?.ended;
  await server?.close();
  await estate?.close();
});

it('every count is the length of its list, with a worker process and traffic beside it', async () => {
  const crawling = new AbortController();
  const db = openDatabase(estate.url);
  const traffic = runTraffic(db, { rate: 10, seed: 1, signal: crawling.signal });
  try {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const began = performance.now();
      const { counts, lines, resources, readAgain, differences } = await crawl({
        url: server.url,
        token: server.tokens.read,
        longest: 20_000,
        alike: ALIKE,
      });
      console.log(
        `round ${round}: ${counts} counts and ${lines} lines of ${resources} resources followed, ${readAgain} read again, ${differences.length} differ, in ${((performance.now() - began) / 1_000).toFixed(0)} s`,
      );
      expect(differences).toEqual([]);
      expect(worker.child.exitCode).toBeNull();
    }
  } finally {
    crawling.abort();
    await traffic.catch(() => undefined);
    await db.close();
  }
  expect(server.logged.filter((line) => line.includes('"status":500'))).toEqual([]);
});
