// Owns the path of a ruleset to activation: plan, propose, activate. Activation makes the plan again in its
// own snapshot and proceeds only if it equals the approved plan.
import { randomUUID } from 'node:crypto';
import type { Database, Transaction } from '../../db/index.js';
import type { HostMapping, Installation } from '../../host/index.js';
import { isFrozen } from '../../inventory/snapshot/index.js';
import { hasCode } from '../../kernel/index.js';
import { openRequest, readRequest } from '../../record/approval/index.js';
import { restampFindings } from '../../record/finding/index.js';
import {
  ACTIVATE_ACTION,
  type Activation,
  activateRuleset,
  activationAction,
  draftRuleset,
  rulesetErrors,
} from '../../rule/ruleset/index.js';
import { type Carried, carryForward } from '../../verdict/candidate/index.js';
import { planErrors } from './errors.js';
import { makePlan, makeReachingPlan, type Plan } from './plan.js';

const READ_ONLY = { isolation: 'repeatable read', readOnly: true } as const;
const WRITE = { isolation: 'repeatable read', retries: 5 } as const;

export interface Proposal {
  readonly code: string;
  readonly plan: Plan;
}

/** The effect of an activation on existing verdicts. */
export interface CarriedVerdicts {
  readonly groups: Carried;
  readonly objects: Carried;
  /** Open findings of carried groups, now stamped with the new rules. */
  readonly findings: number;
}

export interface PutIntoForce extends Activation {
  /** Null for the first ruleset: there is no predecessor to carry verdicts from. */
  readonly verdicts: CarriedVerdicts | null;
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
    const mapping = await this.#installation.hostVocabulary();
    return this.#db.transaction(READ_ONLY, (tx) => makePlan(tx, mapping));
  }

  /** Drafts the current rules and requests approval of exactly this plan. */
  async propose(options: { readonly as?: string } = {}): Promise<Proposal> {
    const mapping = await this.#installation.hostVocabulary();
    try {
      return await this.#db.transaction(WRITE, async (tx) => {
        const plan = await makePlan(tx, mapping);
        if (plan.from === plan.to) throw planErrors.plan_empty(`\`${plan.to}\` is active already`);
        await draftRuleset(tx, { mapping });
        const action = activationAction(plan.to, plan.hash, plan.from);
        return { code: await openRequest(tx, ACTIVATE_ACTION, action, options), plan };
      });
    } catch (error) {
      if (hasCode(error, 'approvals_unavailable')) await this.#syncOwnershipFinding();
      throw error;
    }
  }

  /** Activates `version` under the approved request `approvalRef`, if the plan is still the approved one. */
  async activate(
    version: string,
    approvalRef: string,
    options: { readonly as?: string } = {},
  ): Promise<PutIntoForce> {
    const mapping = await this.#installation.hostVocabulary();
    return this.#db.transaction(WRITE, async (tx) => {
      if (await isFrozen(tx)) throw planErrors.activation_frozen('a snapshot is not deterministic');
      const { plan, reached } = await makeReachingPlan(tx, mapping);
      if (plan.from === version) throw rulesetErrors.ruleset_superseded(`\`${version}\` is active already`);
      if (plan.to !== version) {
        throw planErrors.plan_changed(`the rules in the tables are \`${plan.to}\` now, not \`${version}\``);
      }
      const approved = (await readRequest(tx, approvalRef)).proposedAction as {
        readonly plan_hash?: unknown;
      };
      if (approved.plan_hash !== undefined && approved.plan_hash !== plan.hash) {
        throw planErrors.plan_changed(
          `the plan that \`${approvalRef}\` names differs from what activation would do now`,
        );
      }
      const activation = await activateRuleset(tx, {
        version,
        planHash: plan.hash,
        approvalRef,
        expectedActive: plan.from,
        mapping,
        ...options,
      });
      return { ...activation, verdicts: await this.#carry(tx, activation, reached, mapping) };
    });
  }

  /** Carries the verdicts that the change does not reach, and their open findings, to the new version. */
  async #carry(
    tx: Transaction,
    activation: Activation,
    reached: readonly string[],
    mapping: HostMapping,
  ): Promise<CarriedVerdicts | null> {
    const { superseded: from, version: to, activatedAt: at } = activation;
    if (from === null) return null;
    const runId = `ruleset-activate-${randomUUID()}`;
    const { groups, objects, outside } = await carryForward(tx, { from, to, reached, at, runId });
    const findings = await restampFindings(
      tx,
      outside.map((group) => ({ subject: group.inventoryKey, scope: group.scope })),
      from,
      to,
      mapping,
    );
    return { groups, objects, findings: Number(findings) };
  }
}
