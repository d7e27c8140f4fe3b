// Every function that a login may call, with random and hostile arguments, as each login. `npm run chaos --
// fuzz` does the same for a minute from another seed.
import { afterEach, describe, expect, it } from 'vitest';
import { createEstate, type Estate } from '../support/estate.js';
import { fuzz } from '../support/fuzz.js';
import { createPeople, type People } from '../support/people.js';

const SEEDS = [1];
const CALLS = 400;

let estate: Estate;
let people: People;
afterEach(async () => {
  await people?.close();
  await estate?.close();
});

describe('functions under random calls', () => {
  it.each(SEEDS)(
    'decide nothing wrong, change no trust without approval and leak nothing (seed %i)',
    async (seed) => {
      estate = await createEstate('reconciled');
      people = createPeople(estate.url);
      const report = await fuzz({ estate, people, seed, goOn: (calls) => calls < CALLS });
      expect(report.calls).toBeGreaterThanOrEqual(CALLS);
      expect(report.succeeded).toBeGreaterThan(CALLS / 10);
      expect(report.badErrors).toEqual([]);
      expect(report.trustChanges).toEqual([]);
      expect(report.allows).toBeGreaterThan(0);
      expect(report.wrongAllows).toEqual([]);
    },
  );
});
