// Owns the statements that store findings, and how a draft becomes a row: the host's words, the evidence.
import { statement, type Transaction } from '../../db/index.js';
import type { HostMapping } from '../../host/index.js';
import { storableJson } from '../../kernel/index.js';
import anyOpenSql from './any-open.sql.js';
import type { FindingSettings } from './catalogue.js';
import type { Draft } from './ceiling.js';
import { LONE_SURROGATE } from './coalesce-key.js';
import { findingErrors } from './errors.js';
import knownKeysSql from './known-keys.sql.js';
import type { FindingContext, Severity, Transition, Transitions } from './observation.js';
import restampSql from './restamp.sql.js';
import writeSql from './write.sql.js';

/** Which of these keys have a row. */
export const knownKeys = statement({
  name: 'finding.known_keys',
  sql: knownKeysSql,
  params: { keys: 'text[]' },
  columns: { coalesce_key: 'text' },
});

const write = statement({
  name: 'finding.write',
  sql: writeSql,
  params: {
    keys: 'text[]',
    types: 'text[]',
    subjects: 'text[]',
    scopes: 'text[]',
    parents: 'text[]',
    summaries: 'bool[]',
    entityTypes: 'text[]',
    entityCodes: 'text[]',
    severities: 'text[]',
    hostSeverities: 'text[]',
    routes: 'text[]',
    coolDowns: 'int8[]',
    evidence: 'text[]',
    counts: 'int8[]',
    runId: 'text',
    at: 'timestamptz',
    ruleset: 'text?',
    openWord: 'text',
    resolvedWord: 'text',
    closedWords: 'text[]',
    cleanTypes: 'text[]?',
    cleanSubjects: 'text[]?',
    cleanKeys: 'text[]?',
    alertLevel: 'text',
  },
  columns: {
    coalesce_key: 'text',
    issue_code: 'text',
    issue_id: 'int8',
    finding_type: 'text',
    family: 'text',
    event_type: 'text',
    subject: 'text',
    scope: 'text?',
    severity: 'text',
    routes: 'text[]',
    change: 'text',
    notify: 'bool',
    occurrence_count: 'int8',
  },
});

export const restamp = statement({
  name: 'finding.restamp',
  sql: restampSql,
  params: { subjects: 'text[]', scopes: 'text[]', from: 'text?', to: 'text?', closedWords: 'text[]' },
  columns: { stamped: 'int8' },
});

/** Whether there is anything that could be resolved. */
export const anyOpen = statement({
  name: 'finding.any_open',
  sql: anyOpenSql,
  params: { types: 'text[]', closedWords: 'text[]' },
  columns: { open: 'bool' },
});

export const storeStatements = [knownKeys, write, restamp, anyOpen];

function hostWord(mapping: HostMapping, kind: 'issue_severity' | 'issue_status', word: string): string {
  const found = mapping.wordFor(kind, word);
  if (found === undefined)
    throw findingErrors.finding_word_missing(`the host allows no word for the ${kind} \`${word}\``);
  return found;
}

/** The words in system_issues.status that mean closed: the one GCOS writes, and those that people may write. */
export function closedWords(mapping: HostMapping, settings: FindingSettings): readonly string[] {
  return [...new Set([hostWord(mapping, 'issue_status', 'resolved'), ...settings['finding.closed_words']])];
}

/** What is clean: these keys, or open findings of these types on these subjects; null subjects are all of them. */
export interface Clean {
  readonly types: readonly string[] | null;
  readonly subjects: readonly string[] | null;
  readonly keys: readonly string[] | null;
}
export const NOTHING_CLEAN: Clean = { types: null, subjects: null, keys: null };

/** Hosts keep it in a varchar; the whole subject is in GCOS's own table. */
const shortCode = (code: string): string =>
  code.length <= 255 ? code : `${code.slice(0, 254).replace(LONE_SURROGATE, '')}…`;

/** What jsonb cannot hold, and what JSON cannot say exactly, becomes text. */
function evidenceOf(draft: Draft, context: FindingContext): string {
  const { link, riskClass, evidence } = draft.observation;
  const facts = {
    severity: draft.severity,
    link,
    risk: riskClass,
    routes: draft.routes,
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
    // Told late: nothing changed in the issue, but for whoever listens it has come back.
    change: row.change === 'announced' ? 'reopened' : (row.change as Transition['change']),
    notify: row.notify,
    count: Number(row.occurrence_count),
  };
}

/** Writes drafts and resolves what is clean, in one statement, which also writes the audit rows. */
export async function storeDrafts(
  tx: Transaction,
  drafts: readonly Draft[],
  clean: Clean,
  context: FindingContext,
  settings: FindingSettings,
): Promise<Transitions> {
  const { mapping, runId, at, ruleset } = context;
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
    at,
    ruleset,
    openWord: hostWord(mapping, 'issue_status', 'open'),
    resolvedWord: hostWord(mapping, 'issue_status', 'resolved'),
    closedWords: closedWords(mapping, settings),
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
