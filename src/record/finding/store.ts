// Owns the statement that stores findings, and the conversion of a draft into a row: the host's vocabulary
// and the evidence.
import type { Transaction } from '../../db/index.js';
import type { HostMapping } from '../../host/index.js';
import { storableJson } from '../../kernel/index.js';
import type { FindingSettings } from './catalogue.js';
import type { Draft } from './ceiling.js';
import { LONE_SURROGATE } from './coalesce-key.js';
import { findingErrors } from './errors.js';
import type { FindingContext, Severity, Transition, Transitions } from './observation.js';
import { write } from './store.sql.js';

function hostWord(mapping: HostMapping, kind: 'issue_severity' | 'issue_status', word: string): string {
  const found = mapping.wordFor(kind, word);
  if (found === undefined)
    throw findingErrors.finding_word_missing(`the host allows no word for the ${kind} \`${word}\``);
  return found;
}

/** The words for closed in system_issues.status: the one that GCOS writes, and those that users may write. */
export function closedStatuses(mapping: HostMapping, settings: FindingSettings): readonly string[] {
  return [
    ...new Set([hostWord(mapping, 'issue_status', 'resolved'), ...settings['finding.closed_statuses']]),
  ];
}

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
export async function storeDrafts(
  tx: Transaction,
  drafts: readonly Draft[],
  clean: Clean,
  context: FindingContext,
  settings: FindingSettings,
): Promise<Transitions> {
  const { mapping, runId, ruleset } = context;
  const rows = await tx.run(write, {
    keys: drafts.map((draft) => draft.key),
    types: drafts.map((draft) => draft.type.name),
    subjects: drafts.map((draft) => draft.observation.subject),
    scopes: drafts.map((draft) => draft.observation.scope ?? ''),
    parents: drafts.map((draft) => draft.observation.parentKey ?? ''),
    summaries: drafts.map((draft) => draft.isSummary),
    entityTypes: drafts.map((draft) => draft.observation.entityType),
    entityCodes: drafts.map((draft) => shortCode(draft.observation.entityCode)),
    severities: drafts.map((draft) => draft.severity),
    hostSeverities: drafts.map((draft) => hostWord(mapping, 'issue_severity', draft.severity)),
    routes: drafts.map((draft) => JSON.stringify(draft.routes)),
    coolDowns: drafts.map(
      (draft) => draft.type.coolDownSeconds ?? settings['finding.cool_down'][draft.severity],
    ),
    evidence: drafts.map((draft) => evidenceOf(draft, context)),
    counts: drafts.map((draft) => BigInt(draft.count)),
    runId,
    ruleset,
    openWord: hostWord(mapping, 'issue_status', 'open'),
    resolvedWord: hostWord(mapping, 'issue_status', 'resolved'),
    closedStatuses: closedStatuses(mapping, settings),
    cleanTypes: clean.types,
    cleanSubjects: clean.subjects,
    cleanKeys: clean.keys,
    alertLevel: mapping.wordFor('alert_level', 'info') ?? 'info',
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
