// Owns what a round decides under, and whether there is anything to go on from: the rules in force, and the snapshot of the last run
// that was completed. Under rules that nobody approved, and in a storm, the intake goes on taking in and marking, and decides nothing.
import type { Transaction } from '../../db/index.js';
import type { ClassMap } from '../../inventory/index.js';
import { readActive } from '../../rule/index.js';
import { type Rules, readLastRun, type Triple } from '../../verdict/index.js';
import { readRulesOrWithhold } from '../follow/index.js';
import { readStorm } from './storm.js';

export type Standing = Pick<Triple, 'snapshotRef' | 'rulesetVersion'>;

/** Undefined before the first backfill has been completed. */
export async function readStanding(tx: Transaction): Promise<Standing | undefined> {
  const run = await readLastRun(tx, { status: 'completed' });
  const snapshotRef = run?.closingSnapshotRef ?? run?.snapshotRef ?? null;
  const rulesetVersion = (await readActive(tx))?.version ?? run?.rulesetVersion ?? null;
  if (snapshotRef === null || rulesetVersion === null) return undefined;
  return { snapshotRef, rulesetVersion };
}

/** What a round decides by. Withheld: what is new gets a row that is dirty, what is there keeps what it says, and is marked. */
export async function readIntakeRules(tx: Transaction, at: string, map?: ClassMap): Promise<Rules> {
  const rules = await readRulesOrWithhold(tx, map);
  if (rules.withheld !== undefined) return rules;
  return (await readStorm(tx, at)).raging ? { ...rules, withheld: 'group_invalidation_storm' } : rules;
}
