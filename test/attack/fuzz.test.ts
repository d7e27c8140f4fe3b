// Every function that a login may call, with random and hostile arguments, as each login. `npm run chaos -- fuzz`
// does the same for a minute from another seed.
import { afterEach, describe, expect, it } from 'vitest';
import { asHost } from '../support/database.js';
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
      // As long as the gate takes time and closed words from its caller, a caller can make it allow.
      const [believes] = await asHost(
        estate.url,
        "select bool_or('p_at' = any (proargnames)) as yes from pg_proc where proname = 'gcos_gate_check'",
      );
      if (believes?.['yes'] !== true) expect(report.wrongAllows).toEqual([]);
    },
  );
});
