// Owns the decisions about collections and their meaning for a verdict. The decisions are facts of the host;
// the setting `verdict.collection_decisions` of the rules defines the meaning. A decision that no entry of
// the setting matches means `unknown`.
import { z } from 'zod';
import { defineSetting, type Transaction } from '../../db/index.js';
import { type RulesetContent, settingIn } from '../rule/content.js';
import { readDecisionRows } from './decision.sql.js';

/**
 * The meaning of a decision: the precedence line it leads to, or `in_scope`, which continues the evaluation.
 */
export type DecisionMeaning = 'retired' | 'class_0' | 'deferred_birth' | 'unknown' | 'in_scope';

export interface CollectionDecision {
  readonly collection: string;
  readonly governanceRole: string | null;
  readonly coverageStatus: string | null;
  readonly coverageScopeStatus: string | null;
  readonly reason: string | null;
  readonly reviewOwner: string | null;
  readonly means: DecisionMeaning;
}

const decisionRules = z.array(
  z.strictObject({
    coverage_status: z.string().min(1),
    coverage_scope_status: z.string().min(1),
    means: z.enum(['retired', 'class_0', 'deferred_birth', 'unknown', 'in_scope']),
  }),
);
type DecisionRule = z.infer<typeof decisionRules>[number];
export const collectionDecisions = defineSetting({
  key: 'verdict.collection_decisions',
  form: decisionRules,
  default: [
    { coverage_status: 'BIRTH_EXEMPT_%', coverage_scope_status: '%', means: 'retired' },
    { coverage_status: '%', coverage_scope_status: 'USER_EXCLUDED', means: 'class_0' },
    { coverage_status: '%', coverage_scope_status: 'FUTURE_SCOPE', means: 'deferred_birth' },
    { coverage_status: '%', coverage_scope_status: 'ORPHAN_REGISTRY', means: 'unknown' },
    { coverage_status: 'BIRTH_REQUIRED', coverage_scope_status: 'IN_SCOPE', means: 'in_scope' },
  ],
  about:
    'the meaning of a decision about a collection: retired, class_0, deferred_birth, unknown or in_scope; the first entry that matches both columns applies (a trailing % matches any continuation); no match means unknown',
});

const terminalSetting = z.array(z.string().min(1));
export const lifecycleTerminal = defineSetting({
  key: 'lifecycle.terminal',
  form: terminalSetting,
  default: ['retired', 'superseded', 'merged', 'migrated', 'gone'],
  about: 'values of the status and of the migration state after which an object is no longer governed',
});

function fits(pattern: string, value: string | null): boolean {
  if (pattern === '%') return true;
  if (value === null) return false;
  return pattern.endsWith('%') ? value.startsWith(pattern.slice(0, -1)) : value === pattern;
}

function meaningOf(
  rules: readonly DecisionRule[],
  status: string | null,
  scopeStatus: string | null,
): DecisionMeaning {
  const rule = rules.find(
    (each) => fits(each.coverage_status, status) && fits(each.coverage_scope_status, scopeStatus),
  );
  return rule?.means ?? 'unknown';
}

/**
 * The decisions of `collections`, or of all collections. An unregistered collection has no decision; callers
 * treat it as unknown.
 */
export async function readDecisions(
  tx: Transaction,
  content: RulesetContent,
  collections: readonly string[] | null = null,
): Promise<ReadonlyMap<string, CollectionDecision>> {
  const rules = settingIn(content, collectionDecisions, []);
  const rows = await tx.run(readDecisionRows, { collections });
  return new Map(
    rows.map((row) => [
      row.collection_name,
      {
        collection: row.collection_name,
        governanceRole: row.governance_role,
        coverageStatus: row.coverage_status,
        coverageScopeStatus: row.coverage_scope_status,
        reason: row.reason,
        reviewOwner: row.review_owner,
        means: meaningOf(rules, row.coverage_status, row.coverage_scope_status),
      },
    ]),
  );
}

const columnsSetting = z.strictObject({
  migration_state: z.array(z.string().min(1)),
  supersedes: z.array(z.string().min(1)),
  pending: z.array(z.string().min(1)),
});

/** Where a member registry says that the life of a member has ended, besides its status. */
export type LifecycleColumns = z.infer<typeof columnsSetting>;
export const lifecycleColumnNames = defineSetting({
  key: 'lifecycle.columns',
  form: columnsSetting,
  default: {
    migration_state: ['migration_state'],
    supersedes: ['supersedes_id', 'supersedes'],
    pending: ['draft', 'proposed', 'planned'],
  },
  about:
    'the columns of a member registry, of which the first that it has counts: the migration state of a member (migration_state), and the member that it replaces (supersedes); a member with a status in pending replaces nothing yet. A member that another one replaces has the lifecycle status superseded',
});

/** The columns by the rules. Rules without the setting read no such column. */
export function lifecycleColumns(content: RulesetContent): LifecycleColumns {
  const none = { migration_state: [], supersedes: [], pending: [] };
  return settingIn(content, lifecycleColumnNames, none);
}

/** The statuses after which an object is no longer governed. */
export function terminalStatuses(content: RulesetContent): ReadonlySet<string> {
  return new Set(settingIn(content, lifecycleTerminal, []));
}
