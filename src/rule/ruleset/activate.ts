// Owns activating a version. The database decides, in one statement: an approved, unused request must name
// the version, a plan and the version active now, and the stored rules must be those in the tables. The same
// transaction marks the verdicts that the change reaches and carries the others, page by page; the database
// refuses to commit before the last page. This file turns the outcome into a result or an error.
import type { RowOf, Transaction } from '../../db/index.js';
import { ruleErrors } from '../../host/index.js';
import type { GcosError } from '../../kernel/index.js';
import { approvalErrors, currentActor, type IdentityLevel, levelOf } from '../../record/approval/index.js';
import { activate, continueActivation } from './activate.sql.js';
import { rulesetErrors } from './errors.js';
import { showRuleset } from './store.js';

/** The action of a request to activate a ruleset. */
export const ACTIVATE_ACTION = 'gcos.ruleset.activate';

export interface ActivationRequest {
  readonly version: string;
  /** The code of the approved request. */
  readonly approvalRef: string;
  /** The person to act for. Only a login with that right may set it, and the identity is then unverified. */
  readonly as?: string;
}

/** How many rows stay valid under the new rules, and how many must be evaluated again. */
export interface Carried {
  readonly carried: number;
  readonly dirtied: number;
}

/** The effect of an activation on existing verdicts. */
export interface CarriedVerdicts {
  readonly groups: Carried;
  readonly objects: Carried;
  /** Open findings of carried groups, now stamped with the new rules. */
  readonly findings: number;
}

export interface Activation {
  readonly version: string;
  readonly superseded: string | null;
  readonly activatedAt: string;
  readonly activatedBy: string;
  readonly verified: boolean;
  readonly identityLevel: IdentityLevel | null;
  /** True: the approval of the proposer was counted. */
  readonly selfApproved: boolean;
  /** Null for the first ruleset: there is no predecessor to carry verdicts from. */
  readonly verdicts: CarriedVerdicts | null;
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

function problemOf(row: RowOf<typeof activate>, request: ActivationRequest): GcosError {
  const { version, approvalRef } = request;
  const now = row.superseded === null ? 'nothing' : `\`${row.superseded}\``;
  switch (row.outcome) {
    case 'ruleset_unknown':
      return rulesetErrors.ruleset_unknown(`there is no ruleset \`${version}\``);
    case 'ruleset_active':
      return rulesetErrors.ruleset_superseded(`\`${version}\` is already active`);
    case 'active_changed':
      return rulesetErrors.ruleset_superseded(
        `${now} is active now, which differs from the plan that \`${approvalRef}\` names`,
      );
    case 'rules_changed':
      return rulesetErrors.ruleset_changed_since(
        `the rules in the tables are not \`${version}\`: ${row.detail ?? 'their form'} changed since it was drafted`,
      );
    case 'ruleset_corrupt':
      return ruleErrors.ruleset_corrupt(`\`${version}\`: the stored bytes do not have its hash`);
    case 'activation_frozen':
      return rulesetErrors.activation_frozen('a snapshot is not deterministic');
    case 'ruleset_unowned':
      return rulesetErrors.ruleset_unowned(`\`${version}\` has no owner`);
    case 'approvals_unavailable':
      return approvalErrors.approvals_unavailable('the host has no approval tables: rulesets stay drafts');
    case 'approved_otherwise':
      return rulesetErrors.ruleset_unapproved(
        `\`${approvalRef}\` was not approved for the activation of \`${version}\` with a plan`,
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
  const { version, approvalRef, as } = request;
  // Fails with the errors of the approval module for a caller who may not act.
  await currentActor(tx, as);
  const row = await tx.one(activate, { version, approvalRef, as: as ?? null });
  if (row.outcome !== 'ok') throw problemOf(row, request);
  let done: Pick<typeof row, keyof RowOf<typeof continueActivation>> = row;
  while (done.finished === false) done = await tx.one(continueActivation, {});
  const carried = (kept: bigint | null, dirtied: bigint | null): Carried => ({
    carried: Number(kept ?? 0n),
    dirtied: Number(dirtied ?? 0n),
  });
  return {
    version,
    superseded: row.superseded,
    activatedAt: row.activated_at ?? '',
    activatedBy: row.person_ref ?? '',
    verified: row.verified === true,
    identityLevel: levelOf(row.login, row.verified),
    selfApproved: (await showRuleset(tx, version)).selfApproved === true,
    verdicts:
      row.superseded === null
        ? null
        : {
            groups: carried(done.groups_carried, done.groups_dirtied),
            objects: carried(done.objects_carried, done.objects_dirtied),
            findings: Number(done.findings_stamped ?? 0n),
          },
  };
}
