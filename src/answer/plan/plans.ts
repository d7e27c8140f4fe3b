// Owns the path of a ruleset to activation: plan, propose, activate. Activation makes the plan again in a
// snapshot of its own and proceeds only if it equals the approved plan.
import type { Database, Transaction } from '../../db/index.js';
import type { Installation } from '../../host/index.js';
import { isFrozen } from '../../inventory/snapshot/index.js';
import { hasCode } from '../../kernel/index.js';
import { currentActor, openRequest, readRequest } from '../../record/approval/index.js';
import {
  ACTIVATE_ACTION,
  type Activation,
  activateRuleset,
  activationAction,
  draftRuleset,
  requireRuleset,
  rulesetErrors,
} from '../../rule/ruleset/index.js';
import { planErrors } from './errors.js';
import { makePlan, type Plan } from './plan.js';
import { describeProposed, type ProposedActivation } from './proposed.js';

const READ_ONLY = { isolation: 'repeatable read', readOnly: true } as const;
const WRITE = { isolation: 'repeatable read', retries: 5 } as const;
const ACTIVATE = { isolation: 'read committed', retries: 5 } as const;

export interface Proposal {
  readonly code: string;
  readonly plan: Plan;
}

export class Plans {
  readonly #db: Database;
  readonly #installation: Installation;
  /** Raises the finding about rulesets that stay drafts because no approver exists. */
  readonly #syncOwnershipFinding: () => Promise<void>;

  /** @internal */
  constructor(db: Database, installation: Installation, syncOwnershipFinding: () => Promise<void>) {
    this.#db = db;
    this.#installation = installation;
    this.#syncOwnershipFinding = syncOwnershipFinding;
  }

  /** The effect of activating the rules in the tables. Writes nothing. */
  async plan(): Promise<Plan> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ_ONLY, (tx) => makePlan(tx));
  }

  /** Drafts the current rules and requests approval of exactly this plan. */
  async propose(options: { readonly as?: string } = {}): Promise<Proposal> {
    await this.#installation.requireInstalled();
    try {
      return await this.#db.transaction(WRITE, async (tx) => {
        if (options.as !== undefined) await currentActor(tx, options.as);
        const plan = await makePlan(tx);
        if (plan.from === plan.to) throw planErrors.plan_empty(`\`${plan.to}\` is active already`);
        await draftRuleset(tx);
        const action = activationAction(plan.to, plan.hash, plan.from);
        return { code: await openRequest(tx, ACTIVATE_ACTION, action, options), plan };
      });
    } catch (error) {
      if (hasCode(error, 'approvals_unavailable')) await this.#syncOwnershipFinding();
      throw error;
    }
  }

  /**
   * What the request `code` would change, for its approvers; undefined unless it proposes to activate a
   * stored version.
   */
  async proposed(code: string): Promise<ProposedActivation | undefined> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ_ONLY, async (tx) => describeProposed(tx, await readRequest(tx, code)));
  }

  /** Activates `version` under the approved request `approvalRef`, if the plan is still the approved one. */
  async activate(
    version: string,
    approvalRef: string,
    options: { readonly as?: string } = {},
  ): Promise<Activation> {
    await this.#installation.requireInstalled();
    await this.#db.transaction(READ_ONLY, (tx) =>
      this.#requireApprovedPlan(tx, version, approvalRef, options),
    );
    // Not in the snapshot of the plan: workers write the same rows all the time. The database compares
    // again what decides: the rules in the tables, the active version and the approval.
    return this.#db.transaction(ACTIVATE, (tx) => activateRuleset(tx, { version, approvalRef, ...options }));
  }

  /** Fails unless the plan made now is the one that the request names. */
  async #requireApprovedPlan(
    tx: Transaction,
    version: string,
    approvalRef: string,
    options: { readonly as?: string },
  ): Promise<void> {
    // What the caller names is checked before the plan, which takes long and has reasons of its own.
    if (options.as !== undefined) await currentActor(tx, options.as);
    await requireRuleset(tx, version);
    const request = await readRequest(tx, approvalRef);
    if (await isFrozen(tx)) throw rulesetErrors.activation_frozen('a snapshot is not deterministic');
    const plan = await makePlan(tx);
    if (plan.from === version) throw rulesetErrors.ruleset_superseded(`\`${version}\` is active already`);
    if (plan.to !== version) {
      throw planErrors.plan_changed(`the rules in the tables are \`${plan.to}\` now, not \`${version}\``);
    }
    const approved = request.proposedAction as {
      readonly plan_hash?: unknown;
    };
    if (approved.plan_hash !== undefined && approved.plan_hash !== plan.hash) {
      throw planErrors.plan_changed(
        `the plan that \`${approvalRef}\` names differs from what activation would do now`,
      );
    }
  }
}
