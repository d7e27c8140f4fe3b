// Owns the statement that stores findings, and the conversion of a draft into a row. The database finds the
// host's words and the cool-downs.
import { sqlstateOf, type Transaction } from '../../db/index.js';
import { storableJson } from '../../kernel/index.js';
import type { Draft } from './ceiling.js';
import { LONE_SURROGATE } from './coalesce-key.js';
import { findingErrors } from './errors.js';
import type { FindingContext, Severity, Transition, Transitions } from './observation.js';
import { openFindings, write } from './store.sql.js';

/** The host allows no word for a severity or a status. */
const NO_WORD = 'UG005';

/**
 * The clean findings: those with these keys, or the open findings of these types on these subjects. Null
 * subjects mean all subjects.
 */
export interface Clean {
  readonly types: readonly string[] | null;
  readonly subjects: readonly string[] | null;
  readonly keys: readonly string[] | null;
}
export const NOTHING_CLEAN: Clean = { types: null, subjects: null, keys: null };

/** How many findings one statement writes: about a second of work, whatever a scan has found. */
const PAGE = 2_000;

/** Hosts store the code in a varchar; GCOS's own table has the whole subject. */
const shortCode = (code: string): string =>
  code.length <= 255 ? code : `${code.slice(0, 254).replace(LONE_SURROGATE, '')}…`;

/** The evidence as JSON; values that jsonb cannot store, or JSON cannot represent exactly, become text. */
function evidenceOf(draft: Draft, context: FindingContext): string {
  const { link, riskClass, evidence, escalated } = draft.observation;
  const facts = {
    severity: draft.severity,
    link,
    risk: riskClass,
    routes: draft.routes,
    escalated,
    run: context.runId,
    facts: evidence,
  };
  return storableJson(facts);
}

function asTransition(row: {
  readonly coalesce_key: string;
  readonly issue_code: string;
  readonly issue_id: bigint;
  readonly finding_type: string;
  readonly family: string;
  readonly event_type: string;
  readonly subject: string;
  readonly scope: string | null;
  readonly severity: string;
  readonly routes: readonly string[];
  readonly change: string;
  readonly notify: boolean;
  readonly occurrence_count: bigint;
}): Transition {
  return {
    key: row.coalesce_key,
    code: row.issue_code,
    issueId: row.issue_id,
    type: row.finding_type,
    family: row.family,
    eventType: row.event_type,
    subject: row.subject,
    scope: row.scope,
    severity: row.severity as Severity,
    routes: row.routes,
    // Announced late: the issue did not change, but for the recipients it reopened.
    change: row.change === 'announced' ? 'reopened' : (row.change as Transition['change']),
    notify: row.notify,
    count: Number(row.occurrence_count),
  };
}

/** Writes drafts, resolves clean findings and writes the audit rows, in one statement. */
async function storePage(
  tx: Transaction,
  drafts: readonly Draft[],
  clean: Clean,
  context: FindingContext,
): Promise<Transitions> {
  const { runId, ruleset } = context;
  const values = {
    keys: drafts.map((draft) => draft.key),
    types: drafts.map((draft) => draft.type.name),
    subjects: drafts.map((draft) => draft.observation.subject),
    scopes: drafts.map((draft) => draft.observation.scope ?? ''),
    parents: drafts.map((draft) => draft.observation.parentKey ?? ''),
    summaries: drafts.map((draft) => draft.isSummary),
    entityTypes: drafts.map((draft) => draft.observation.entityType),
    entityCodes: drafts.map((draft) => shortCode(draft.observation.entityCode)),
    severities: drafts.map((draft) => draft.severity),
    routes: drafts.map((draft) => JSON.stringify(draft.routes)),
    evidence: drafts.map((draft) => evidenceOf(draft, context)),
    counts: drafts.map((draft) => BigInt(draft.count)),
    runId,
    ruleset,
    cleanTypes: clean.types,
    cleanSubjects: clean.subjects,
    cleanKeys: clean.keys,
  };
  const rows = await tx.run(write, values).catch((error: unknown) => {
    if (sqlstateOf(error) !== NO_WORD) throw error;
    throw findingErrors.finding_word_missing((error as Error).message, { cause: error });
  });
  const changed = (change: string) => rows.filter((row) => row.change === change);
  const [raised, reopened, resolved] = [changed('raised'), changed('reopened'), changed('resolved')];
  return {
    raised: raised.map(asTransition),
    reopened: [...reopened, ...changed('announced')].map(asTransition),
    resolved: resolved.map(asTransition),
    repeated: drafts.length - raised.length - reopened.length,
  };
}

function pagesOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / PAGE) }, (_, n) =>
    items.slice(n * PAGE, (n + 1) * PAGE),
  );
}

/** Parents before their children, so that an earlier page has stored the parent; then by key. */
function parentsFirst(drafts: readonly Draft[]): readonly Draft[] {
  const byKey = new Map(drafts.map((draft) => [draft.key, draft]));
  const depths = new Map<string, number>();
  const depthOf = (draft: Draft): number => {
    const known = depths.get(draft.key);
    if (known !== undefined) return known;
    // A cycle ends here: its first finding counts as a root.
    depths.set(draft.key, 0);
    const parent = byKey.get(draft.observation.parentKey ?? '');
    const depth = parent === undefined ? 0 : depthOf(parent) + 1;
    depths.set(draft.key, depth);
    return depth;
  };
  for (const draft of drafts) depthOf(draft);
  const depth = ({ key }: Draft) => depths.get(key) ?? 0;
  return [...drafts].sort((a, b) => depth(a) - depth(b) || (a.key < b.key ? -1 : 1));
}

/** The keys of the open findings of evaluated types that were not observed. */
async function readClean(
  tx: Transaction,
  types: readonly string[],
  { subjects }: Clean,
  drafts: readonly Draft[],
): Promise<readonly string[]> {
  const observed = new Set(drafts.map(({ key }) => key));
  const lookedAt = subjects === null ? null : new Set(subjects);
  // A summary represents unnamed subjects, so it is not clean because of a list of subjects.
  const isEvaluated = (each: { readonly subject: string; readonly is_summary: boolean }) =>
    lookedAt === null || (!each.is_summary && lookedAt.has(each.subject));
  const open = await tx.run(openFindings, { types });
  return open
    .filter((each) => isEvaluated(each) && !observed.has(each.coalesce_key))
    .map(({ coalesce_key }) => coalesce_key)
    .sort();
}

/**
 * Writes drafts and resolves clean findings. What may be many findings is written in pages, so that no
 * statement grows with their number.
 */
export async function storeDrafts(
  tx: Transaction,
  drafts: readonly Draft[],
  clean: Clean,
  context: FindingContext,
): Promise<Transitions> {
  const { types, subjects, keys } = clean;
  const mayResolveMany = types !== null && (subjects?.length ?? PAGE) >= PAGE;
  if (drafts.length <= PAGE && !mayResolveMany && (keys?.length ?? 0) <= PAGE)
    return storePage(tx, drafts, clean, context);
  const cleanKeys = keys ?? (types === null ? [] : await readClean(tx, types, clean, drafts));
  // Only whether a list of subjects was evaluated still matters: then the counts of a summary add up.
  const part = { types: null, subjects: subjects === null ? null : [] };
  const written: Transitions[] = [];
  // A child speaks for itself once its parent is resolved.
  for (const page of pagesOf(cleanKeys))
    written.push(await storePage(tx, [], { ...part, keys: page }, context));
  for (const page of pagesOf(parentsFirst(drafts)))
    written.push(await storePage(tx, page, { ...part, keys: [] }, context));
  return {
    raised: written.flatMap(({ raised }) => raised),
    reopened: written.flatMap(({ reopened }) => reopened),
    resolved: written.flatMap(({ resolved }) => resolved),
    repeated: written.reduce((sum, { repeated }) => sum + repeated, 0),
  };
}
