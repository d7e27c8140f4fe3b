// Owns the rules that verdicts are decided under. Verdicts are derived from the tables and stamped with a version; INVARIANT: the tables are
// that version. Rules that nobody approved must not judge in the name of those that were.
import type { Transaction } from '../../db/index.js';
import { findOwnership, readRulesVersion, recallRules } from '../../host/index.js';
import type { ClassMap } from '../../inventory/group/index.js';
import { checkDrift, type Drift } from '../../rule/ruleset/index.js';
import { type Rules, readRules } from '../../verdict/candidate/index.js';
import { followErrors } from './errors.js';

const recallDrift = (tx: Transaction, version: string | undefined): Promise<Drift> =>
  recallRules(tx, version, 'drift', () => checkDrift(tx));

/** The rules in the tables, in the caller's snapshot; refused where they are no longer those in force. */
export async function readRulesInForce(tx: Transaction, map?: ClassMap): Promise<Rules> {
  const [version] = await tx.together(() => [readRulesVersion(tx), findOwnership(tx)]);
  const { active, current, drifted } = await recallDrift(tx, version);
  if (drifted)
    throw followErrors.rules_not_in_force(
      `in force is \`${active}\`, the rules in the tables are \`${current}\``,
    );
  return readRules(tx, { map, version });
}

/**
 * For whoever must go on whatever the rules are: those in the tables, and where nobody approved them, nothing is decided by them.
 */
export async function readRulesOrWithhold(tx: Transaction, map?: ClassMap): Promise<Rules> {
  const version = await readRulesVersion(tx);
  const rules = await readRules(tx, { map, version });
  const { drifted } = await recallDrift(tx, version);
  return drifted ? { ...rules, withheld: 'rules_not_in_force' } : rules;
}
