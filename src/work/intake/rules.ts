// Owns the rules of an intake round. Under unapproved rules and in a storm, the intake continues to take in
// and mark changes, but evaluates nothing.
import type { Transaction } from '../../db/index.js';
import type { ClassMap } from '../../inventory/group/index.js';
import type { Rules } from '../../verdict/candidate/index.js';
import { readRulesOrWithhold } from '../follow/index.js';
import { readStorm } from './storm.js';

/**
 * The rules of a round. If withheld, new rows are written as dirty, and existing rows keep their verdict and
 * are marked.
 */
export async function readIntakeRules(tx: Transaction, at: string, map?: ClassMap): Promise<Rules> {
  const rules = await readRulesOrWithhold(tx, map);
  if (rules.withheld !== undefined) return rules;
  return (await readStorm(tx, at)).raging ? { ...rules, withheld: 'group_invalidation_storm' } : rules;
}
