// Owns what a request to activate a ruleset would change, for its approvers. The changed rules come from the
// stored bytes of both versions, which cannot be altered. The flips come from the plan made again now, and
// are shown only if its hash is the one that the request names: then they are what an approval binds to.
import { z } from 'zod';
import type { Transaction } from '../../db/index.js';
import type { RulesetContent } from '../../host/index.js';
import { hasCode } from '../../kernel/index.js';
import type { ApprovalRequest } from '../../record/approval/index.js';
import {
  ACTIVATE_ACTION,
  changeText,
  contentOf,
  diffContent,
  type RuleChange,
} from '../../rule/ruleset/index.js';
import type { Flips } from './flip.js';
import { makePlan } from './plan.js';

const action = z.object({
  ruleset_version: z.string(),
  plan_hash: z.string(),
  supersedes: z.string().nullable(),
});

export interface ProposedActivation {
  /** The version that would be superseded; null: none. */
  readonly from: string | null;
  readonly to: string;
  readonly planHash: string;
  readonly changes: readonly RuleChange[];
  /** The changes as text, in the same order. */
  readonly lines: readonly string[];
  /** Null: they cannot be shown, and `withheld` says why. */
  readonly flips: Flips | null;
  readonly withheld: string | null;
}

/** The verified content of a stored version; undefined if there is none. */
async function storedContent(tx: Transaction, version: string): Promise<RulesetContent | undefined> {
  try {
    return await contentOf(tx, version);
  } catch (error) {
    if (hasCode(error, 'ruleset_unknown')) return undefined;
    throw error;
  }
}

async function readFlips(
  tx: Transaction,
  { ruleset_version: to, plan_hash: hash, supersedes }: z.infer<typeof action>,
  status: ApprovalRequest['status'],
): Promise<Pick<ProposedActivation, 'flips' | 'withheld'>> {
  const withheld = (why: string) => ({ flips: null, withheld: why });
  if (status !== 'pending' && status !== 'approved') return withheld(`the request is ${status}`);
  const plan = await makePlan(tx);
  if (plan.from === to) return withheld(`${to} is active already`);
  const refused = 'an activation would be refused';
  if (plan.from !== supersedes) return withheld(`${plan.from ?? 'no ruleset'} is active now; ${refused}`);
  if (plan.to !== to) return withheld(`the rules in the tables are ${plan.to} now; ${refused}`);
  if (plan.hash !== hash)
    return withheld(`the plan made now is not the plan that the request names; ${refused}`);
  return { flips: plan.flips, withheld: null };
}

/** What the request would change; undefined for a request of another action, or without a stored version. */
export async function describeProposed(
  tx: Transaction,
  request: Pick<ApprovalRequest, 'action' | 'status' | 'proposedAction'>,
): Promise<ProposedActivation | undefined> {
  const proposed = action.safeParse(request.proposedAction);
  if (request.action !== ACTIVATE_ACTION || !proposed.success) return undefined;
  const { ruleset_version: to, plan_hash: planHash, supersedes: from } = proposed.data;
  const after = await storedContent(tx, to);
  if (after === undefined) return undefined;
  const before = from === null ? { ...after, components: [] } : await storedContent(tx, from);
  if (before === undefined) return undefined;
  const changes = diffContent(before, after);
  const flips = await readFlips(tx, proposed.data, request.status);
  return { from, to, planHash, changes, lines: changes.map(changeText), ...flips };
}
