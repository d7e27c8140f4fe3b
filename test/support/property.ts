// Properties: what must hold for every case. The suite tries the cases that failed once and some random ones, from fixed seeds, so that two
// runs try the same. `npm run bench -- property` tries many more, from another seed each time; `GCOS_PROPERTY_SEED` repeats one of them, and
// `GCOS_PROPERTY_TIMES` says how many times as many cases there are.
import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';

/** Set by the long runs only. */
const LONG_SEED = process.env['GCOS_PROPERTY_SEED'];
const TIMES = Number(process.env['GCOS_PROPERTY_TIMES'] ?? 1);

/** A case that failed once, as the file of kept cases has it. */
interface Kept<T> {
  /** Null: written by hand after another failure. */
  readonly seed: number | null;
  readonly found: string;
  readonly case: T;
}

export interface Property<T> {
  readonly cases: fc.Arbitrary<T>;
  /** Fails if the property does not hold for the case. May return a number: how much the case has shown, which must be something of all. */
  check(value: T): unknown;
  /** Seeds of the suite, and how many cases it takes from each. */
  readonly seeds: readonly number[];
  readonly runs: number;
  /** Where cases that failed once are kept; the file may be missing. */
  readonly kept?: URL;
  /** Whether a kept case is one; it may have been written for an older test. */
  readonly isCase?: (value: unknown) => value is T;
  /** Where each case takes long: makes one of all that are kept. */
  readonly join?: (kept: readonly T[]) => T;
  /** What all cases of a test together must have shown. */
  readonly after?: () => void;
  /** For how long a case that fails is shortened. */
  readonly shortenForMs?: number;
}

const asText = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each));

function readKept<T>({ kept, isCase }: Property<T>): readonly Kept<T>[] {
  if (kept === undefined || !existsSync(kept)) return [];
  const found = JSON.parse(readFileSync(kept, 'utf8')) as readonly Kept<T>[];
  for (const each of found)
    if (isCase !== undefined && !isCase(each.case))
      throw new Error(`${kept.pathname} holds what is no case: ${asText(each)}`);
  return found;
}

async function expectFor<T>(property: Property<T>, seed: number, runs: number): Promise<void> {
  const { cases, check, shortenForMs = 60_000 } = property;
  let shown: number | undefined;
  let failedAt: number | undefined;
  const each = fc.asyncProperty(cases, async (value) => {
    // Once it has failed, only shorter cases are tried: when their time is over they count as fine, and the shortest so far is told.
    if (failedAt !== undefined && performance.now() - failedAt > shortenForMs) return;
    try {
      const much = await check(value);
      if (typeof much === 'number') shown = (shown ?? 0) + much;
    } catch (error) {
      failedAt ??= performance.now();
      throw error;
    }
  });
  const { failed, counterexample, errorInstance } = await fc.check(each, { seed, numRuns: runs });
  if (failed) {
    const line = asText({ seed, found: 'say what it was', case: counterexample?.[0] });
    const file = property.kept === undefined ? '' : `\nto keep in ${property.kept.pathname}`;
    throw new Error(`does not hold for seed ${seed}${file}: ${line}`, { cause: errorInstance });
  }
  if (shown !== undefined) expect(shown, 'no case has shown anything').toBeGreaterThan(0);
  property.after?.();
}

/** Declares the tests of a property. */
export function holds<T>(name: string, property: Property<T>): void {
  const { seeds, runs } = property;
  const kept = readKept(property);
  const { join } = property;
  if (kept.length > 0 && join !== undefined)
    it(`${name}: the ${kept.length} that are kept`, async () => {
      await property.check(join(kept.map((each) => each.case)));
    });
  else if (kept.length > 0)
    it.each(kept)(`${name}: kept, $found`, async (each) => {
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
