// Declares property tests. The suite checks the kept cases, which failed once, and random cases from fixed
// seeds, so that all runs check the same cases. `npm run bench -- property` checks many more, from a new seed
// each time; `GCOS_PROPERTY_SEED` repeats such a run, and `GCOS_PROPERTY_TIMES` multiplies the number of
// cases.
import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';

/** Set by the long runs only. */
const LONG_SEED = process.env['GCOS_PROPERTY_SEED'];
const TIMES = Number(process.env['GCOS_PROPERTY_TIMES'] ?? 1);

/** A case that failed once, as stored in the file of kept cases. */
interface Kept<T> {
  /** Null: written by hand after another failure. */
  readonly seed: number | null;
  readonly found: string;
  readonly case: T;
}

export interface Property<T> {
  readonly cases: fc.Arbitrary<T>;
  /**
   * Throws if the property does not hold for the case. May return how many checks the case has made: their
   * sum over all cases must not be 0.
   */
  check(value: T): unknown;
  /** Seeds of the suite; `runs` is the number of cases from each. */
  readonly seeds: readonly number[];
  readonly runs: number;
  /** The file of kept cases, which failed once; it may be missing. */
  readonly kept?: URL;
  /** Whether a kept case is valid; it may have been written for an older test. */
  readonly isCase?: (value: unknown) => value is T;
  /** Joins all kept cases into one, for properties whose cases take long. */
  readonly join?: (kept: readonly T[]) => T;
  /** Runs after all cases of a test; throws if together they did not show enough. */
  readonly after?: () => void;
  /** How long fast-check may shorten a failed case. */
  readonly shortenForMs?: number;
}

const asText = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each));

function readKept<T>({ kept, isCase }: Property<T>): readonly Kept<T>[] {
  if (kept === undefined || !existsSync(kept)) return [];
  const found = JSON.parse(readFileSync(kept, 'utf8')) as readonly Kept<T>[];
  for (const each of found)
    if (isCase !== undefined && !isCase(each.case))
      throw new Error(`${kept.pathname} contains an invalid case: ${asText(each)}`);
  return found;
}

async function expectFor<T>(property: Property<T>, seed: number, runs: number): Promise<void> {
  const { cases, check, shortenForMs = 60_000 } = property;
  let checks: number | undefined;
  let failedAt: number | undefined;
  const each = fc.asyncProperty(cases, async (value) => {
    // After a failure fast-check tries only shorter cases. When their time is up, they count as passed, and
    // fast-check reports the shortest failed case so far.
    if (failedAt !== undefined && performance.now() - failedAt > shortenForMs) return;
    try {
      const made = await check(value);
      if (typeof made === 'number') checks = (checks ?? 0) + made;
    } catch (error) {
      failedAt ??= performance.now();
      throw error;
    }
  });
  const { failed, counterexample, errorInstance } = await fc.check(each, { seed, numRuns: runs });
  if (failed) {
    const line = asText({ seed, found: 'describe the defect here', case: counterexample?.[0] });
    const file = property.kept === undefined ? '' : `\nto keep in ${property.kept.pathname}`;
    throw new Error(`does not hold for seed ${seed}${file}: ${line}`, { cause: errorInstance });
  }
  if (checks !== undefined) expect(checks, 'no case has made a check').toBeGreaterThan(0);
  property.after?.();
}

/** Declares the tests of a property. */
export function holds<T>(name: string, property: Property<T>): void {
  const { seeds, runs } = property;
  const kept = readKept(property);
  const { join } = property;
  if (kept.length > 0 && join !== undefined)
    it(`${name}: the ${kept.length} kept cases`, async () => {
      await property.check(join(kept.map((each) => each.case)));
    });
  else if (kept.length > 0)
    it.each(kept)(`${name}: kept case, $found`, async (each) => {
      await property.check(each.case);
    });
  if (LONG_SEED !== undefined) {
    const many = Math.ceil(seeds.length * runs * TIMES);
    it(`${name}: ${many} cases from seed ${LONG_SEED}`, () => expectFor(property, Number(LONG_SEED), many));
    return;
  }
  it.each(seeds)(`${name}: ${runs} ${runs === 1 ? 'case' : 'cases'} from seed %i`, (seed) =>
    expectFor(property, seed, runs),
  );
}
