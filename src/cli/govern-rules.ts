// Owns the approvals of one run of `gcos govern`: what this login may approve itself, it approves; what needs
// another person waits, and is said. INVARIANT: a run with rules that wait uses the rules in force.
import { type ApprovalRequest, type Gcos, GcosError } from '../index.js';
import type { Context } from './command.js';

/** A request that needs the approval of another person. */
export interface Waiting {
  readonly code: string;
  readonly action: string;
  readonly proposer: string;
  readonly missing: readonly string[];
}

export interface RulesInForce {
  /** Null: none yet. */
  readonly version: string | null;
  readonly activated: boolean;
  /** The version of the rules in the tables, if it waits for an approval. */
  readonly waits: { readonly version: string; readonly request: Waiting } | null;
}

export const waitingOf = ({ code, action, proposer, missing }: ApprovalRequest): Waiting => ({
  code,
  action,
  proposer,
  missing,
});

const isOneOf = (error: unknown, codes: readonly string[]): boolean =>
  error instanceof GcosError && codes.includes(error.code);

/** The database does not take or count the approval of this login, but that of another person. */
const OF_ANOTHER = [
  'self_approval_refused',
  'decision_by_proposer',
  'decision_repeated',
  'identity_level_refused',
];

/** Approves a request with this login; returns what it waits for if that is not enough. */
export async function approveOwn(gcos: Gcos, code: string): Promise<Waiting | null> {
  try {
    const request = await gcos.requests.approve(code);
    return request.status === 'approved' ? null : waitingOf(request);
  } catch (error) {
    if (!isOneOf(error, OF_ANOTHER)) throw error;
    return waitingOf(await gcos.requests.show(code));
  }
}

/** As many requests of GCOS as one page has: an older one is proposed again. */
const NEWEST = 500;

const ACTIVATE = 'gcos.ruleset.activate';

/** The request for `version` that an activation would accept now, pending or approved. */
async function openProposal(
  gcos: Gcos,
  context: Context,
  version: string,
): Promise<ApprovalRequest | undefined> {
  const requests = (await gcos.requests.list({ limit: NEWEST })).filter((each) => each.action === ACTIVATE);
  const isOfVersion = ({ proposedAction }: ApprovalRequest): boolean =>
    (proposedAction as { readonly ruleset_version?: unknown }).ruleset_version === version;
  const newest = requests.find(
    (each) => isOfVersion(each) && (each.status === 'pending' || each.status === 'approved'),
  );
  const proposed = newest === undefined ? undefined : await gcos.plans.proposed(newest.code);
  const open = proposed?.withheld === null ? newest : undefined;
  // What can no longer be activated must not wait for an approver.
  for (const each of requests)
    if (each.status === 'pending' && each !== open) await withdrawOwn(gcos, context, each.code);
  return open;
}

async function withdrawOwn(gcos: Gcos, { out }: Context, code: string): Promise<void> {
  try {
    await gcos.requests.withdraw(code, { reason: 'an activation would no longer do what it names' });
    out.note(`ruleset: ${code} is withdrawn, because an activation would no longer do what it names`);
  } catch (error) {
    if (!isOneOf(error, ['withdraw_by_other', 'request_closed'])) throw error;
  }
}

/** The version in force: the one that a plan would supersede. */
export const versionInForce = async (gcos: Gcos): Promise<string | null> =>
  (await gcos.rulesets.list()).find((each) => each.status === 'active')?.version ?? null;

async function activate(gcos: Gcos, { out }: Context, version: string, code: string): Promise<RulesInForce> {
  const { selfApproved } = await gcos.plans.activate(version, code);
  const by = selfApproved ? ', approved by the login that proposed it' : '';
  out.note(`ruleset: ${version} is in force by ${code}${by}`);
  return { version, activated: true, waits: null };
}

/** Puts the rules in the tables into force, or says which request they wait for. */
export async function provideRuleset(gcos: Gcos, context: Context): Promise<RulesInForce> {
  const { version } = await gcos.rulesets.draft();
  const open = await openProposal(gcos, context, version);
  if (open?.status === 'approved')
    try {
      return await activate(gcos, context, version, open.code);
    } catch (error) {
      // An approval is used once, and binds to one plan.
      if (!isOneOf(error, ['ruleset_unapproved', 'plan_changed'])) throw error;
    }
  const code = open?.status === 'pending' ? open.code : (await gcos.plans.propose()).code;
  const request = await approveOwn(gcos, code);
  if (request === null) return activate(gcos, context, version, code);
  return { version: await versionInForce(gcos), activated: false, waits: { version, request } };
}
