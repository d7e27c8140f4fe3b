// Owns the rules that verdicts are decided under. Verdicts are derived from the tables and stamped with a version; INVARIANT: the tables are
// that version. Rules that nobody approved must not judge in the name of those that were.
import type { Transaction } from '../../db/index.js';
import type { ClassMap } from '../../inventory/group/index.js';
import { checkDrift } from '../../rule/ruleset/index.js';
import { type Rules, readRules } from '../../verdict/candidate/index.js';
import { followErrors } from './errors.js';

/** The rules in the tables, in the caller's snapshot; refused where they are no longer those in force. */
export async function readRulesInForce(tx: Transaction, map?: ClassMap): Promise<Rules> {
  const { active, current, drifted } = await checkDrift(tx);
  if (drifted)
    throw followErrors.rules_not_in_force(
      `in force is \`${active}\`, the rules in the tables are \`${current}\``,
    );
  return readRules(tx, { map });
}

/**
 * For whoever must go on whatever the rules are: those in the tables, and where nobody approved them, nothing is decided by them.
 */
export async function readRulesOrWithhold(tx: Transaction, map?: ClassMap): Promise<Rules> {
  const rules = await readRules(tx, { map });
  const { drifted } = await checkDrift(tx);
  return drifted ? { ...rules, withheld: 'rules_not_in_force' } : rules;
}
