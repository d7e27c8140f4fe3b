// Owns the conversion of finding changes into signals, and into the references of verdicts to their findings.
// Findings, events and verdicts do not depend on each other; this file connects them. A write of findings
// emits its signals in the same transaction, one per route, each addressed to what the finding is about. A
// child finding, which its parent represents, emits one signal without a route, for those who subscribed to
// its type. Repeated findings emit none.
import type { RowOf, Transaction } from '../db/index.js';
import { type Emission, emitSignals, knownType, type Signal } from '../record/event/index.js';
import type { Transition, Transitions } from '../record/finding/index.js';
import { linkFindings } from '../verdict/candidate/index.js';
import { readSubjects } from './announcement.sql.js';
import { type Address, addressAt, addressOf, shorten } from './subject.js';

export interface AnnouncementContext {
  readonly runId: string;
  readonly at: string;
}

type Subject = RowOf<typeof readSubjects>;
type Payload = Readonly<Record<string, unknown>>;

/** Families whose signals are about verdicts; those of the other families are about the governed object. */
const ABOUT_VERDICTS = ['backfill', 'input', 'candidate'];
const VERDICTS = 'governance_candidate_state';
/** The largest number of counts, and of keys in a sample, that a signal carries. */
const MOST = 20;
const WORD = 100;

const familyOf = (type: string): string => knownType(type)?.stream.replace(/^governance\./, '') ?? 'coverage';

function factsOf(subject: Subject | undefined): Payload {
  return subject?.facts == null ? {} : (JSON.parse(subject.facts) as Payload);
}

/** The numbers in the evidence of a finding. */
function countsOf(facts: Payload): Payload {
  const isCount = (value: unknown) =>
    typeof value === 'number'
      ? Number.isSafeInteger(value) && value >= 0
      : typeof value === 'string' && /^\d{1,19}$/.test(value);
  const counts = Object.entries(facts).filter(([key, value]) => /^[a-z_]{1,50}$/.test(key) && isCount(value));
  return counts.length === 0 ? {} : { counts: Object.fromEntries(counts.slice(0, MOST)) };
}

/** The act that would end the finding: the same words as in the fixes. */
function actionOf(type: string, link: string | null): string {
  if (type === 'owner_conflict') return 'choose_owner';
  if (link === 'owner') return 'name_owner';
  if (link === 'dot_authority') return 'authorize_tool';
  return link === null ? type : 'give_link';
}

const given = (fields: Readonly<Record<string, unknown>>): Payload =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));

/** The fields that signals of the family `family` carry about their subject. */
function fieldsOf(family: string, transition: Transition, subject: Subject | undefined): Payload {
  const facts = factsOf(subject);
  const text = (key: string) => (typeof facts[key] === 'string' ? shorten(facts[key]) : null);
  const isGroup = (subject?.groups ?? 0n) > 0n && transition.subject !== subject?.entity_code;
  const ofGroup = given({
    group_key: subject?.group_key ?? null,
    inventory_key: isGroup ? shorten(transition.subject) : null,
  });
  switch (family) {
    case 'handoff':
      return given({
        worker: subject?.entity_type === 'worker' ? subject.entity_code : null,
        event_type: subject?.entity_type === 'event_type' ? subject.entity_code?.slice(0, WORD) : null,
        ...countsOf(facts),
      });
    case 'backfill':
      return { ...ofGroup, ...given({ source: subject?.entity_code ?? null }), ...countsOf(facts) };
    case 'input':
      return {
        ...ofGroup,
        ...given({
          input_quality_state: text('input_state') ?? transition.type.replace(/^input_/, ''),
          source: subject?.entity_code ?? null,
        }),
        ...countsOf(facts),
      };
    case 'candidate':
      return {
        ...ofGroup,
        ...given({
          candidate_verdict: subject?.candidate_verdict ?? null,
          ruleset_version: subject?.ruleset_version ?? text('active'),
          source_snapshot_ref: subject?.source_snapshot_ref ?? null,
          dirty_reason: subject?.dirty_reason?.slice(0, WORD) ?? null,
        }),
        ...countsOf(facts),
      };
    default:
      return given({
        gap_type: transition.type,
        coalesce_anchor: transition.key,
        proposed_action_code: actionOf(transition.type, subject?.link ?? null),
        object_class: text('object_class')?.slice(0, WORD) ?? null,
        inventory_key: text('inventory_key'),
      });
  }
}

/** The table and the key of what the finding is about. */
function subjectOf(transition: Transition, subject: Subject | undefined): Address {
  const { entity_type: type = null, entity_code: code = null } = subject ?? {};
  if (type === null || code === null) return addressAt('system_issues', transition.code);
  const entity = addressOf({ type, code, registry: subject?.registry ?? null });
  const family = familyOf(transition.eventType);
  if (subject?.is_summary === true || !ABOUT_VERDICTS.includes(family)) return entity;
  if ((subject?.groups ?? 0n) > 0n) return addressAt(VERDICTS, subject?.group_key ?? transition.subject);
  // About the verdicts as a whole; else about a ruleset, a snapshot, or births that belong to no group.
  return type === 'worker' || family === 'backfill' ? addressAt(VERDICTS, null) : entity;
}

function signalFor(
  transition: Transition,
  type: string,
  to: { readonly route: string } | { readonly parent: string },
  subject: Subject | undefined,
  context: AnnouncementContext,
): Signal {
  const isRouted = 'route' in to;
  return {
    type,
    ...subjectOf(transition, subject),
    // The end of a finding is never urgent: it has the severity of its type.
    ...(transition.change === 'resolved' ? {} : { severity: transition.severity }),
    occurredAt: context.at,
    // A run that repeats after a crash emits the same dedupe key, so each recipient receives the signal once.
    dedupeKey: `finding:${transition.code}:${transition.change}:${isRouted ? to.route : ''}:${context.runId}`,
    payload: {
      issue_id: String(transition.issueId),
      severity: transition.severity,
      ...(isRouted ? { owner: to.route } : { parent_issue_id: to.parent }),
      run_id: context.runId,
      count: transition.count,
      ...(transition.scope === null ? {} : { scope: transition.scope }),
      ...fieldsOf(familyOf(type), transition, subject),
    },
  };
}

/**
 * The signal that one finding stands for many of its type: without a route, because the finding itself is
 * routed.
 */
function summarySignal(transition: Transition, subject: Subject, context: AnnouncementContext): Signal {
  const { sample, ...facts } = factsOf(subject);
  const { counts } = countsOf(facts) as { readonly counts?: Readonly<Record<string, unknown>> };
  return {
    type: 'coverage.summary',
    ...subjectOf(transition, subject),
    occurredAt: context.at,
    dedupeKey: `summary:${transition.code}:${transition.change}:${context.runId}`,
    payload: {
      issue_id: String(transition.issueId),
      gap_type: transition.type,
      event_type: transition.eventType,
      coalesce_anchor: transition.key,
      run_id: context.runId,
      count: counts?.['findings'] ?? transition.count,
      ...(counts === undefined ? {} : { counts }),
      sample: (Array.isArray(sample) ? sample : []).map(String).slice(0, MOST),
    },
  };
}

/**
 * Emits or holds one signal per route for every change that requires a notification, and links the verdicts
 * that the changes are about.
 */
export async function announceFindings(
  tx: Transaction,
  transitions: Transitions,
  context: AnnouncementContext,
): Promise<Emission> {
  const opened = [...transitions.raised, ...transitions.reopened];
  const changed = [...opened, ...transitions.resolved];
  await linkFindings(tx, context, {
    inventoryKeys: [...new Set(changed.map((each) => each.subject))],
    codes: changed.map((each) => each.code),
  });
  const rows =
    changed.length === 0 ? [] : await tx.run(readSubjects, { keys: changed.map(({ key }) => key) });
  const subjects = new Map(rows.map((row) => [row.coalesce_key, row]));
  const signalsOf = (each: Transition, type: string): readonly Signal[] =>
    each.notify
      ? each.routes.map((route) => signalFor(each, type, { route }, subjects.get(each.key), context))
      : [];
  const signalsOfChild = (each: Transition): readonly Signal[] => {
    const subject = subjects.get(each.key);
    const parent = each.notify ? null : (subject?.parent_issue_id ?? null);
    return parent === null ? [] : [signalFor(each, each.eventType, { parent }, subject, context)];
  };
  const signals = [
    ...opened.flatMap((each) => {
      const subject = subjects.get(each.key);
      return [
        ...signalsOf(each, each.eventType),
        ...signalsOfChild(each),
        ...(subject?.is_summary === true ? [summarySignal(each, subject, context)] : []),
      ];
    }),
    // A resolved finding is announced only if its beginning was announced.
    ...transitions.resolved.flatMap((each) => signalsOf(each, 'finding.resolved')),
  ];
  if (signals.length === 0) return { emitted: 0, held: 0, repeated: 0 };
  return emitSignals(tx, signals);
}

/** The runs whose end is announced, and what the announcement is about: the verdicts, or the run itself. */
const COMPLETIONS = {
  'backfill.sweep_completed': VERDICTS,
  'candidate.scan_completed': VERDICTS,
  'coverage.scan_completed': 'candidate_scan_run',
  'coverage.audit_completed': 'candidate_scan_run',
} as const;

/**
 * Announces the end of a run with its counts, so that a missing announcement reveals a run that did not end.
 */
export async function announceCompletion(
  tx: Transaction,
  type: keyof typeof COMPLETIONS,
  run: {
    readonly counts: Readonly<Record<string, number>>;
    readonly ruleset?: string | null;
    readonly snapshot?: bigint | null;
    readonly mode?: string;
    /** Of the runs with the same text, only the first is announced. */
    readonly once?: string;
    /** The ids that a sweep walked through. */
    readonly range?: { readonly from: bigint; readonly to: bigint };
  },
  context: AnnouncementContext,
): Promise<Emission> {
  const { at, runId } = context;
  const { counts, ruleset, snapshot, mode, range, once } = run;
  const table = COMPLETIONS[type];
  const candidate = type.startsWith('candidate.')
    ? given({
        ruleset_version: ruleset,
        source_snapshot_ref: snapshot == null ? null : String(snapshot),
        mode,
      })
    : {};
  const walked =
    range === undefined ? {} : { batch_range: { from: String(range.from), to: String(range.to) } };
  const signal: Signal = {
    type,
    // All verdicts: the run that looked at them is in the address and in the payload.
    ...addressAt(table, table === VERDICTS ? null : runId),
    address: `candidate_scan_run:${runId}`,
    occurredAt: at,
    dedupeKey: `run:${type}:${once ?? runId}`,
    payload: { run_id: runId, counts, ...candidate, ...walked },
  };
  return emitSignals(tx, [signal]);
}
