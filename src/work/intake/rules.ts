// Owns what a round of the intake decides by. Under rules that nobody approved, and in a storm, the intake goes on taking in and marking,
// and decides nothing.
import type { Transaction } from '../../db/index.js';
import type { ClassMap } from '../../inventory/group/index.js';
import type { Rules } from '../../verdict/candidate/index.js';
import { readRulesOrWithhold } from '../follow/index.js';
import { readStorm } from './storm.js';

/** What a round decides by. Withheld: what is new gets a row that is dirty, what is there keeps what it says, and is marked. */
export async function readIntakeRules(tx: Transaction, at: string, map?: ClassMap): Promise<Rules> {
  const rules = await readRulesOrWithhold(tx, map);
  if (rules.withheld !== undefined) return rules;
  return (await readStorm(tx, at)).raging ? { ...rules, withheld: 'group_invalidation_storm' } : rules;
}
