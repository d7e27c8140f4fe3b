// Owns the checks that need all births together: keys with more than one birth, and the sources of births.
// The intake takes in a birth without reading the other births of its key, so a closing run checks all of
// them, unless every sum equals that of the last closing run.

import type { Transaction } from '../../db/index.js';
import { SNAPSHOT_FORMAT } from '../../inventory/snapshot/index.js';
import { readRules } from '../../verdict/candidate/index.js';
import {
  type ObjectKey,
  readDuplicateBirths,
  readSources,
  type SourceCount,
} from '../../verdict/input/index.js';
import { asLastClosed } from './births.sql.js';

/** The result of a check of all births; empty if no check was needed. */
export interface BirthChecks {
  /** Keys with more than one birth. */
  readonly duplicates?: readonly ObjectKey[];
  readonly sources?: readonly SourceCount[];
}

/** Receives the number of births that the current pass has read. */
type OnBirths = (births: bigint) => void;

export async function checkAllBirths(tx: Transaction, onPage: OnBirths): Promise<BirthChecks> {
  const { input } = await readRules(tx);
  const duplicates = await readDuplicateBirths(tx, { onPage });
  return { duplicates, sources: await readSources(tx, input, { onPage }) };
}

/** For a run without a sweep. The rounds of the tail see births that arrive after this check. */
export async function checkBirthsIfChanged(tx: Transaction, onPage: OnBirths): Promise<BirthChecks> {
  return (await tx.one(asLastClosed, { format: SNAPSHOT_FORMAT })).same ? {} : checkAllBirths(tx, onPage);
}
