// Owns activating a version. The database decides, in one statement: an approved, unused request must name
// the version, the plan and the version active now. This file turns the outcome into a result or an error.
import type { Transaction } from '../../db/index.js';
import type { HostMapping } from '../../host/index.js';
import type { GcosError } from '../../kernel/index.js';
import { approvalErrors, currentActor } from '../../record/approval/index.js';
import { activate } from './activate.sql.js';
import { rulesetErrors } from './errors.js';

/** The action of a request to activate a ruleset. */
export const ACTIVATE_ACTION = 'gcos.ruleset.activate';

export interface ActivationRequest {
  readonly version: string;
  readonly planHash: string;
  /** The code of the approved request. */
  readonly approvalRef: string;
  /** The version that was active when the plan was made; null: none. */
  readonly expectedActive: string | null;
  readonly mapping: HostMapping;
  /** The person to act for. Only a login with that right may set it, and the identity is then unverified. */
  readonly as?: string;
}

export interface Activation {
  readonly version: string;
  readonly superseded: string | null;
  readonly activatedAt: string;
  readonly activatedBy: string;
  readonly verified: boolean;
}

/**
 * The action that a request to activate must propose: the database function compares exactly these fields.
 */
export function activationAction(
  version: string,
  planHash: string,
  supersedes: string | null,
): { readonly ruleset_version: string; readonly plan_hash: string; readonly supersedes: string | null } {
  return { ruleset_version: version, plan_hash: planHash, supersedes };
}

function problemOf(
  row: { readonly outcome: string; readonly superseded: string | null; readonly person_ref: string | null },
  request: ActivationRequest,
): GcosError {
  const { version, approvalRef } = request;
  const now = row.superseded === null ? 'nothing' : `\`${row.superseded}\``;
  switch (row.outcome) {
    case 'ruleset_unknown':
      return rulesetErrors.ruleset_unknown(`there is no ruleset \`${version}\``);
    case 'ruleset_active':
      return rulesetErrors.ruleset_superseded(`\`${version}\` is already active`);
    case 'active_changed':
      return rulesetErrors.ruleset_superseded(`${now} is active now, which differs from the plan`);
    case 'ruleset_unowned':
      return rulesetErrors.ruleset_unowned(`\`${version}\` has no owner`);
    case 'approvals_unavailable':
      return approvalErrors.approvals_unavailable('the host has no approval tables: rulesets stay drafts');
    case 'approved_otherwise':
      return rulesetErrors.ruleset_unapproved(
        `\`${approvalRef}\` was not approved for \`${version}\` with this plan, after ${now}`,
      );
    case 'approval_used':
      return rulesetErrors.ruleset_unapproved(`\`${approvalRef}\` was already used for an activation`);
    case 'identity_unverified':
      return approvalErrors.identity_unverified(
        `\`${row.person_ref}\` is an unverified identity, which does not count here`,
      );
    default:
      return rulesetErrors.ruleset_unapproved(`\`${approvalRef}\` is not an approved request`);
  }
}

/** Activates `version` in the caller's transaction; throws if anything prevents it. */
export async function activateRuleset(tx: Transaction, request: ActivationRequest): Promise<Activation> {
  const { version, planHash, approvalRef, expectedActive, mapping, as } = request;
  // Fails with the errors of the approval module for a caller who may not act.
  await currentActor(tx, as);
  const row = await tx.one(activate, {
    version,
    planHash,
    approvalRef,
    expectedActive,
    as: as ?? null,
    alertLevel: mapping.wordFor('alert_level', 'info') ?? 'info',
  });
  if (row.outcome !== 'ok') throw problemOf(row, request);
  return {
    version,
    superseded: row.superseded,
    activatedAt: row.activated_at ?? '',
    activatedBy: row.person_ref ?? '',
    verified: row.verified === true,
  };
}
