// Owns noticing that rules can only ever be drafts: nobody answers for them, or the host has nothing to approve them with. It
// returns facts; who asked writes the findings.
import type { Transaction } from '../../db/index.js';
import { hasCode } from '../../kernel/index.js';
import { requireApprovals } from '../../record/approval/index.js';
import type { Observation } from '../../record/finding/index.js';
import { DEFAULT_FAMILY } from './content.js';
import { readRulesetOwner } from './draft.js';

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

const unowned = (rootCause: 'no_owner' | 'no_approvals'): Observation => ({
  type: UNOWNED_TYPE,
  subject: DEFAULT_FAMILY,
  rootCause,
  entityType: 'ruleset_family',
  entityCode: DEFAULT_FAMILY,
});

/** What keeps the rules from ever being in force; empty where nothing does. */
export async function checkOwnership(tx: Transaction): Promise<readonly Observation[]> {
  return [
    ...((await readRulesetOwner(tx)) === null ? [unowned('no_owner')] : []),
    ...((await canApprove(tx)) ? [] : [unowned('no_approvals')]),
  ];
}
