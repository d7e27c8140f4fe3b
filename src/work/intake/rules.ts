// Owns the rules of an intake round: the rules in force. In a storm the intake continues to take in and mark
// changes, but evaluates nothing.
import type { Transaction } from '../../db/index.js';
import type { ClassMap } from '../../inventory/group/index.js';
import { type Rules, readRules } from '../../verdict/candidate/index.js';
import { readStorm, STORM_TYPE } from './storm.js';

/**
 * The rules of a round. If withheld, new rows are written as dirty, and existing rows keep their verdict and
 * are marked.
 */
export async function readIntakeRules(tx: Transaction, at: string, map?: ClassMap): Promise<Rules> {
  const rules = await readRules(tx, { map });
  return (await readStorm(tx, at)).raging ? { ...rules, withheld: STORM_TYPE } : rules;
}
