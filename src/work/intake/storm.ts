// Owns noticing that more groups were marked within a window than is plausible: a finding says so while it lasts, and as long as it does
// the intake takes in and marks, and leaves the deciding to those who look at everything in order.
import { z } from 'zod';
import { readSetting, type Transaction } from '../../db/index.js';
import {
  type FindingContext,
  type Observation,
  type Transitions,
  writeFindings,
} from '../../record/finding/index.js';
import { countDirtied } from './storm.sql.js';

const stormSetting = z.strictObject({
  share: z.number().positive().max(1),
  seconds: z.number().positive().max(86_400),
  least: z.int().nonnegative(),
});
const DEFAULT_STORM = { share: 0.5, seconds: 60, least: 100 };

const TYPE = 'group_invalidation_storm';
const SUBJECT = 'intake';

export interface Storm {
  readonly raging: boolean;
  readonly dirtied: bigint;
  readonly total: bigint;
  readonly share: number;
  readonly seconds: number;
}

/** How it is at the time `at`. */
export async function readStorm(tx: Transaction, at: string): Promise<Storm> {
  const { share, seconds, least } = await readSetting(tx, 'intake.storm', stormSetting, DEFAULT_STORM);
  const { dirtied, total } = await tx.one(countDirtied, { at, seconds });
  const raging = dirtied > BigInt(least) && Number(dirtied) > share * Number(total);
  return { raging, dirtied, total, share, seconds };
}

/** Raises the finding, or resolves it. */
export function syncStormFinding(
  tx: Transaction,
  storm: Storm,
  context: Omit<FindingContext, 'evaluated'>,
): Promise<Transitions> {
  const { raging, dirtied, total, share, seconds } = storm;
  const observation: Observation = {
    type: TYPE,
    subject: SUBJECT,
    rootCause: 'share_of_groups',
    entityType: 'worker',
    entityCode: 'gcos_intake',
    evidence: { dirtied: String(dirtied), groups: String(total), share, window_seconds: seconds },
  };
  return writeFindings(tx, raging ? [observation] : [], {
    ...context,
    evaluated: { types: [TYPE], subjects: [SUBJECT] },
  });
}
