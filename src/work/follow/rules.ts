// Owns the rules that verdicts are evaluated under. Verdicts are derived from the rule tables and stamped
// with a version. INVARIANT: the tables match that version. Unapproved rules must not produce verdicts under
// an approved version.
import type { Transaction } from '../../db/index.js';
import type { ClassMap } from '../../inventory/group/index.js';
import { checkDrift } from '../../rule/ruleset/index.js';
import { type Rules, readRules } from '../../verdict/candidate/index.js';
import { followErrors } from './errors.js';

/** The rules in the tables, in the caller's snapshot; fails if they differ from the active ruleset. */
export async function readRulesInForce(tx: Transaction, map?: ClassMap): Promise<Rules> {
  const { active, current, drifted } = await checkDrift(tx);
  if (drifted)
    throw followErrors.rules_not_in_force(
      `the active ruleset is \`${active}\`, the rules in the tables are \`${current}\``,
    );
  return readRules(tx, { map });
}

/**
 * For callers that must continue under any rules: returns the rules in the tables, and marks them as withheld
 * if they differ from the active ruleset, so that they decide nothing.
 */
export async function readRulesOrWithhold(tx: Transaction, map?: ClassMap): Promise<Rules> {
  const rules = await readRules(tx, { map });
  const { drifted } = await checkDrift(tx);
  return drifted ? { ...rules, withheld: 'rules_not_in_force' } : rules;
}
