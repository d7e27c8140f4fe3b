// Owns what can only be said of all births together: keys born more than once, and where births come from. The intake takes births in without a
// look at all others of their key, so a closing run looks, unless every sum is what it was when the last one looked.
import type { Transaction } from '../../db/index.js';
import { SNAPSHOT_FORMAT } from '../../inventory/snapshot/index.js';
import {
  type ObjectKey,
  readDuplicateBirths,
  readSources,
  type SourceCount,
} from '../../verdict/input/index.js';
import { readRulesInForce } from '../follow/index.js';
import { asLastClosed } from './look.sql.js';

/** What a look at all births has found; nothing where none was needed. */
export interface LookedAtAll {
  /** Keys born more than once. */
  readonly duplicates?: readonly ObjectKey[];
  readonly sources?: readonly SourceCount[];
}

export async function lookAtAll(tx: Transaction): Promise<LookedAtAll> {
  const { input } = await readRulesInForce(tx);
  return { duplicates: await readDuplicateBirths(tx), sources: await readSources(tx, input) };
}

/** What a run finds that did not sweep itself. What is born behind this look, its rounds see. */
export async function lookIfMoved(tx: Transaction): Promise<LookedAtAll> {
  return (await tx.one(asLastClosed, { format: SNAPSHOT_FORMAT })).same ? {} : lookAtAll(tx);
}
