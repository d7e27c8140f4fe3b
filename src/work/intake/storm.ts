// Owns the detection of an invalidation storm: more groups were marked within a window than is plausible.
// While it lasts, a finding is open and the intake only takes in and marks; scans evaluate the groups.
import { z } from 'zod';
import { defineSetting, readSetting, type Transaction } from '../../db/index.js';
import {
  type FindingContext,
  type Observation,
  type Transitions,
  writeFindings,
} from '../../record/finding/index.js';
import { countDirtied, countLive } from './storm.sql.js';

const stormSetting = z.strictObject({
  share: z.number().positive().max(1),
  seconds: z.number().positive().max(86_400),
  least: z.int().nonnegative(),
});
export const intakeStorm = defineSetting({
  key: 'intake.storm',
  form: stormSetting,
  default: { share: 0.5, seconds: 60, least: 100 },
  about:
    'more than this share of all groups marked within so many seconds, and more than `least` of them, is a storm: the intake evaluates nothing while it lasts',
});

export const STORM_TYPE = 'group_invalidation_storm';
const SUBJECT = 'intake';

export interface Storm {
  readonly raging: boolean;
  readonly dirtied: bigint;
  /** The number of groups; null: too few were marked for it to matter. */
  readonly total: bigint | null;
  readonly share: number;
  readonly seconds: number;
}

/** The state at the time `at`. */
export async function readStorm(tx: Transaction, at: string): Promise<Storm> {
  const { share, seconds, least } = await readSetting(tx, intakeStorm);
  const { dirtied } = await tx.one(countDirtied, { at, seconds });
  if (dirtied <= BigInt(least)) return { raging: false, dirtied, total: null, share, seconds };
  const { total } = await tx.one(countLive, {});
  return { raging: Number(dirtied) > share * Number(total), dirtied, total, share, seconds };
}

/** Raises or resolves the finding. */
export function syncStormFinding(
  tx: Transaction,
  storm: Storm,
  context: Omit<FindingContext, 'evaluated'>,
): Promise<Transitions> {
  const { raging, dirtied, total, share, seconds } = storm;
  const observation: Observation = {
    type: STORM_TYPE,
    subject: SUBJECT,
    rootCause: 'share_of_groups',
    entityType: 'worker',
    entityCode: 'gcos_intake',
    evidence: { dirtied: String(dirtied), groups: String(total), share, window_seconds: seconds },
  };
  return writeFindings(tx, raging ? [observation] : [], {
    ...context,
    evaluated: { types: [STORM_TYPE], subjects: [SUBJECT] },
  });
}
