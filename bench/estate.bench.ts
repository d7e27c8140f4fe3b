// Measures the build of the demo estate at full size against the bare inserts it consists of, and its memory.
// Checks that two builds are equal.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildEstate, estateSteps, FULL_SIZE, hashEstate } from '../src/demo/index.js';
import { asHost, createDatabase, type TestDatabase } from '../test/support/database.js';
import { startServer, type TestServer } from '../test/support/server.js';
import { median, report, timed } from './measure.js';
import { measureGcos } from './measured-process.js';

const ROUNDS = 3;
let server: TestServer;

beforeAll(async () => {
  // Durability is on, as on a production server.
  server = await startServer({ settings: { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' } });
});
afterAll(() => server.stop());

const fresh = (): Promise<TestDatabase> => createDatabase({ serverUrl: server.url });

/** Runs all steps in one transaction and returns the time of the inserts alone; creates no indexes. */
async function bareInserts(): Promise<number> {
  const database = await fresh();
  const steps = estateSteps(FULL_SIZE);
  const run = (kinds: readonly string[]) =>
    database.db.transaction({ isolation: 'read committed', statementTimeoutMs: 600_000 }, async (tx) => {
      let ms = 0;
      for (const step of steps.filter((each) => kinds.includes(each.kind))) {
        const took = await timed(() => tx.script(step.sql));
        if (step.kind === 'insert') ms += took;
      }
      return ms;
    });
  try {
    return await run(['schema', 'insert', 'finish']);
  } finally {
    await database.close();
  }
}

it('takes at most 3 × the time of the bare inserts, and builds the same estate twice', async () => {
  const whole: number[] = [];
  const bare: number[] = [];
  const hashes: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const database = await fresh();
    whole.push(await timed(() => buildEstate(database.db, {})));
    if (round < 2)
      hashes.push(
        JSON.stringify(
          (await hashEstate(database.db)).map((each) => [each.name, String(each.rows), each.hash]),
        ),
      );
    await database.close();
    bare.push(await bareInserts());
  }
  const ratio = report(
    `demo estate, ${FULL_SIZE.toLocaleString('en-US')} births, median of ${ROUNDS}`,
    { what: 'gcos demo build', ms: median(whole) },
    { what: 'the bare set-based inserts', ms: median(bare) },
    3,
  );
  console.log(`  content hash per table: ${hashes[0] === hashes[1] ? 'equal for two builds' : 'DIFFERENT'}`);
  expect(hashes[0]).toBe(hashes[1]);
  expect(ratio).toBeLessThanOrEqual(3);
});

it.runIf(process.platform === 'linux')('needs less than 300 MB for the command', async () => {
  const database = await fresh();
  const { exit, peakMb = 0 } = await measureGcos(
    ...['demo', 'build', '--yes', '--quiet', '--database-url', database.url],
  );
  console.log(`\npeak memory of the gcos process: ${peakMb.toFixed(0)} MB, goal < 300`);
  const [row] = await asHost(database.url, 'select count(*)::int as n from birth_registry');
  await database.close();
  expect(exit).toBe(0);
  expect(row?.['n']).toBe(FULL_SIZE);
  expect(peakMb).toBeGreaterThan(10);
  expect(peakMb).toBeLessThan(300);
});
