// Calls every granted function with random and hostile arguments for a minute: `npm run chaos -- fuzz`.
// GCOS_FUZZ_SECONDS sets another time, GCOS_FUZZ_SEED repeats a run.
import { afterAll, expect, it } from 'vitest';
import { createEstate, type Estate } from '../test/support/estate.js';
import { fuzz } from '../test/support/fuzz.js';
import { createPeople, type People } from '../test/support/people.js';

const SECONDS = Number(process.env['GCOS_FUZZ_SECONDS'] ?? 60);
const SEED = Number(process.env['GCOS_FUZZ_SEED'] ?? Date.now() % 1_000_000);

let estate: Estate | undefined;
let people: People | undefined;
afterAll(async () => {
  await people?.close();
  await estate?.close();
});

it(`functions hold under random calls for ${SECONDS} s (GCOS_FUZZ_SEED=${SEED})`, async () => {
  estate = await createEstate('reconciled');
  people = createPeople(estate.url);
  const start = Date.now();
  let deadline = start + (SECONDS * 1_000 * 2) / 3;
  const report = await fuzz({
    estate,
    people,
    seed: SEED,
    goOn: () => {
      if (Date.now() < deadline) return true;
      // People take two thirds of the time; then the worker takes the rest.
      deadline = Math.max(deadline, Date.now()) + (SECONDS * 1_000) / 3;
      return false;
    },
  });
  console.log(`${report.calls} calls, ${report.succeeded} without an error, GCOS_FUZZ_SEED=${SEED}`);
  expect(report.badErrors).toEqual([]);
  expect(report.trustChanges).toEqual([]);
  expect(report.allows).toBeGreaterThan(0);
  expect(report.wrongAllows).toEqual([]);
});
