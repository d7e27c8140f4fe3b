// Owns detecting that rules can never be activated: they have no owner, or the host has no approval tables.
// It returns facts; the caller writes the findings.
import type { Transaction } from '../../db/index.js';
import { DEFAULT_FAMILY } from '../../host/index.js';
import { hasCode } from '../../kernel/index.js';
import { requireApprovals } from '../../record/approval/index.js';
import type { Observation } from '../../record/finding/index.js';
import { readRulesetOwner } from './draft.js';
import { readActive } from './store.js';

export const UNOWNED_TYPE = 'ruleset_unowned';

async function canApprove(tx: Transaction): Promise<boolean> {
  try {
    await requireApprovals(tx);
    return true;
  } catch (error) {
    if (hasCode(error, 'approvals_unavailable')) return false;
    throw error;
  }
}

/** While no ruleset is in force, nothing can be decided: then it is grave. */
const unowned = (rootCause: 'no_owner' | 'no_approvals', inForce: boolean): Observation => ({
  type: UNOWNED_TYPE,
  subject: DEFAULT_FAMILY,
  rootCause,
  entityType: 'ruleset_family',
  entityCode: DEFAULT_FAMILY,
  severity: inForce ? 'medium' : 'high',
});

/** The reasons why rules cannot be activated; empty when there are none. */
export async function checkOwnership(tx: Transaction): Promise<readonly Observation[]> {
  const inForce = (await readActive(tx)) !== undefined;
  return [
    ...((await readRulesetOwner(tx)) === null ? [unowned('no_owner', inForce)] : []),
    ...((await canApprove(tx)) ? [] : [unowned('no_approvals', inForce)]),
  ];
}
