// Owns the explanation of one unit: the row that represents it in each scope, the verdict in one sentence,
// the lines of precedence with their inputs, its history, and what would cause a re-evaluation. Missing
// knowledge is reported as unknown, with the reason; nothing is guessed or written.
import type { Transaction } from '../../db/index.js';
import { readActive } from '../../rule/ruleset/index.js';
import {
  factsOf,
  type GroupRow,
  type HistoryRow,
  type LinkEvidence,
  type ObjectRow,
  type PrecedenceLine,
  precedenceLines,
  type Rules,
  readHistory,
  readsAs,
  type VerdictFacts,
} from '../../verdict/candidate/index.js';
import { changeText, type ExceptionsOfUnit, type ExplainedException } from './exceptions.js';
import type { ExplainedFinding, FindingsOfRows } from './findings.js';
import { dirtyText, groupText, invalidText, linkText, reasonText, sentenceOf, shown } from './text.js';

export interface ExplainedGroup {
  readonly inventoryKey: string;
  readonly groupKey: string | null;
  readonly objectClass: string;
  readonly sourceRegistry: string;
  readonly axisFamily: string | null;
  readonly lifecycleStatus: string | null;
  readonly inherits: boolean;
  readonly unresolved: string | null;
  /** Births in it, as last counted; null if it was never counted. */
  readonly members: bigint | null;
  readonly owner: string | null;
  /** The source of the owner: the collection or the class. */
  readonly anchor: string | null;
}

export interface ScopeExplanation {
  readonly scope: string;
  readonly sentence: string;
  /** Whether a verdict exists, valid or not. */
  readonly known: boolean;
  /** The effective verdict: the stored one while it is valid, otherwise unknown or stale. */
  readonly readsAs: string;
  readonly verdict: string | null;
  readonly verdictLine: number | null;
  readonly valid: boolean;
  readonly whyNotValid: string | null;
  readonly rulesetVersion: string | null;
  readonly snapshot: bigint | null;
  readonly capturedAt: string | null;
  readonly scanTime: string | null;
  readonly staleAfter: string | null;
  readonly riskClass: string | null;
  readonly coverageRequired: boolean | null;
  readonly coverageOutcome: string | null;
  /**
   * Each required link: what it resolved to and where that was found, or that it is missing, excepted or
   * unknown.
   */
  readonly links: readonly ExplainedLink[];
  /** For a group whose objects count one by one: the number of objects per outcome. */
  readonly objects: Readonly<Record<string, number>> | null;
  /** Exceptions about it in this scope, in force or not. */
  readonly exceptions: readonly ExplainedException[];
  /**
   * `exception_lapsed` or `exception_granted`: the exceptions in force changed since the outcome, which is
   * unverified.
   */
  readonly exceptionChange: string | null;
  /** The run that evaluated the coverage. */
  readonly coverageRun: string | null;
  /** The open finding about the object or the group, as of the last evaluation or finding. */
  readonly finding: ExplainedFinding | null;
  /** The open finding about the input problem for which it is not accepted. */
  readonly inputFinding: ExplainedFinding | null;
  readonly carriedFrom: string | null;
  /** Which row represents it: its own, or that of its group. */
  readonly representedBy: 'object' | 'group' | null;
  readonly because: string | null;
  readonly group: ExplainedGroup | null;
  /** The inputs of the deciding line when the verdict was written. */
  readonly evidence: Readonly<Record<string, unknown>> | null;
  /** The lines of precedence with their current inputs. */
  readonly lines: readonly PrecedenceLine[];
  /** The verdict of those lines now; differs from `verdict` if an input changed since. */
  readonly wouldBe: string | null;
  readonly history: readonly HistoryRow[];
  readonly dirtiedBy: readonly string[];
}

export interface ExplainedLink {
  readonly link: string;
  readonly state: LinkEvidence['state'];
  readonly sentence: string;
  readonly ref: string | null;
  readonly via: string | null;
  readonly exception: string | null;
}

/** The rows and facts of one scope. */
export interface ScopeRows {
  readonly scope: string;
  readonly own: ObjectRow | undefined;
  readonly group: GroupRow | undefined;
  readonly place: ExplainedGroup | null;
  /** The object's own facts, if any. */
  readonly facts: Partial<VerdictFacts>;
}

export interface ExplainContext {
  /** The subject, as it appears in sentences. */
  readonly subject: string;
  readonly rules: Rules;
  /** Why there is no verdict, if known. */
  readonly silence: string;
  readonly exceptions: ExceptionsOfUnit;
  readonly findings: FindingsOfRows;
  /** What the reasons for its own row refer to: exceptions, findings, the time of a question to the gate. */
  readonly requests: readonly { readonly reason: string; readonly ref: string }[];
  /** `object:<scope>` or `group:<scope>` → the changes of that row and of its predecessors. */
  readonly history: ReadonlyMap<string, readonly HistoryRow[]>;
}

function linesOf(rules: Rules, scopeRows: ScopeRows): readonly PrecedenceLine[] {
  const { place } = scopeRows;
  if (place === null) return [];
  return precedenceLines(
    factsOf(
      rules,
      {
        groupKey: place.groupKey ?? '',
        inventoryKey: place.inventoryKey,
        scope: scopeRows.scope,
        owner: place.owner,
        objectClass: place.objectClass,
        sourceRegistry: place.sourceRegistry,
        axisFamily: place.axisFamily,
        lifecycleStatus: place.lifecycleStatus,
        unresolved: place.unresolved as VerdictFacts['unresolved'],
        inherits: place.inherits,
        fingerprint: null,
        gone: place.members === 0n,
      },
      {
        ...scopeRows.facts,
        ...(scopeRows.own === undefined
          ? {}
          : { inputState: scopeRows.own.inputQualityState as VerdictFacts['inputState'] }),
      },
    ),
  );
}

const NOTHING = {
  known: false,
  readsAs: 'unknown',
  verdict: null,
  verdictLine: null,
  valid: false,
  whyNotValid: null,
  rulesetVersion: null,
  snapshot: null,
  capturedAt: null,
  scanTime: null,
  staleAfter: null,
  riskClass: null,
  coverageRequired: null,
  coverageOutcome: null,
  links: [],
  objects: null,
  exceptionChange: null,
  coverageRun: null,
  finding: null,
  inputFinding: null,
  carriedFrom: null,
  representedBy: null,
  because: null,
  evidence: null,
  lines: [],
  wouldBe: null,
  history: [],
  dirtiedBy: [],
} as const;

function subjectText(context: ExplainContext, scopeRows: ScopeRows): string {
  if (scopeRows.own !== undefined || scopeRows.place === null || scopeRows.group === undefined)
    return context.subject;
  return context.subject === groupText(scopeRows.place)
    ? context.subject
    : `${context.subject}, through its container ${groupText(scopeRows.place)},`;
}

/** All reasons for the row of an object, in order of precedence, each with what it refers to. */
function reasonsText({ reasons }: ObjectRow, requests: ExplainContext['requests']): string {
  return reasons
    .map((reason) => {
      const refs = requests.filter((each) => each.reason === reason).map((each) => shown(each.ref));
      return `${reasonText(reason)}${refs.length === 0 ? '' : ` (${refs.join(', ')})`}`;
    })
    .join('; ');
}

function becauseOf(
  scopeRows: ScopeRows,
  answering: GroupRow | ObjectRow,
  requests: ExplainContext['requests'],
): string {
  if (scopeRows.own !== undefined)
    return `its own row ${answering.rowId}: ${reasonsText(scopeRows.own, requests)}`;
  const { place } = scopeRows;
  const members = place?.members === null ? 'members not counted yet' : `${place?.members} members`;
  const owner =
    place?.owner === null || place === null
      ? 'it has no owner'
      : `${place.owner} answers for it through the ${place.anchor ?? 'unknown'}`;
  return `group ${answering.groupKey} with ${members}; ${owner}`;
}

/** The evidence of coverage; empty if coverage was not evaluated since the verdict was written. */
function coverageOf(row: GroupRow | ObjectRow): Pick<ScopeExplanation, 'links' | 'objects' | 'coverageRun'> {
  const found = row.coverageScanRef === null ? null : row.coverageEvidence;
  return {
    links: Object.entries(found?.links ?? {})
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([link, evidence]) => ({
        link,
        state: evidence.state,
        sentence: linkText(link, evidence),
        ref: evidence.ref ?? null,
        via: evidence.via ?? null,
        exception: evidence.exception ?? null,
      })),
    objects: found?.objects ?? null,
    coverageRun: row.coverageScanRef,
  };
}

/** The explanation in one scope. */
export function explainScope(context: ExplainContext, scopeRows: ScopeRows): ScopeExplanation {
  const shared = {
    scope: scopeRows.scope,
    group: scopeRows.place,
    exceptions: context.exceptions.about.get(scopeRows.scope) ?? [],
  };
  const answering = scopeRows.own ?? scopeRows.group;
  // Without a row there is no verdict, even if the lines of precedence would give one.
  if (answering === undefined)
    return {
      ...NOTHING,
      ...shared,
      sentence: `${context.subject} in scope ${scopeRows.scope} is unknown: ${context.silence}`,
    };
  const lines = linesOf(context.rules, scopeRows);
  const granted = scopeRows.own === undefined && context.exceptions.ownInForce.has(scopeRows.scope);
  const change = context.exceptions.changes.get(answering.rowId) ?? (granted ? 'exception_granted' : null);
  return {
    ...shared,
    lines,
    wouldBe: lines.find((line) => line.decides)?.verdict ?? null,
    sentence: `${sentenceOf(subjectText(context, scopeRows), answering)}${answering.valid ? changeText(change) : ''}`,
    exceptionChange: change,
    known: true,
    readsAs: readsAs(answering),
    verdict: answering.candidateVerdict,
    verdictLine: answering.verdictLine,
    valid: answering.valid,
    whyNotValid: invalidText(answering),
    rulesetVersion: answering.rulesetVersion,
    snapshot: answering.sourceSnapshotRef,
    capturedAt: answering.snapshotAt,
    scanTime: answering.scanTime,
    staleAfter: answering.staleAfter,
    riskClass: answering.riskClass,
    coverageRequired: answering.coverageRequired,
    coverageOutcome: answering.coverageOutcome,
    ...coverageOf(answering),
    finding: context.findings.coverage.get(answering.rowId) ?? null,
    inputFinding: context.findings.input.get(answering.rowId) ?? null,
    carriedFrom: answering.carriedFrom,
    representedBy: scopeRows.own === undefined ? 'group' : 'object',
    because: becauseOf(scopeRows, answering, context.requests),
    evidence: answering.evidence,
    history:
      context.history.get(
        scopeRows.own === undefined ? `group:${scopeRows.scope}` : `object:${scopeRows.scope}`,
      ) ?? [],
    dirtiedBy: dirtyText(answering.dependsOn, answering.staleAfter),
  };
}

const HISTORY_LIMIT = 200;

/** The changes of these rows, past ones included, by kind and scope: `object:<scope>` and `group:<scope>`. */
export async function historyOf(
  tx: Transaction,
  rows: { readonly own: readonly ObjectRow[]; readonly groups: readonly GroupRow[] },
): Promise<ReadonlyMap<string, readonly HistoryRow[]>> {
  const keys = new Map<bigint, string>([
    ...rows.groups.map((row) => [row.rowId, `group:${row.scope}`] as const),
    ...rows.own.map((row) => [row.rowId, `object:${row.scope}`] as const),
  ]);
  const found = new Map<string, HistoryRow[]>();
  if (keys.size === 0) return found;
  for (const row of await readHistory(tx, [...keys.keys()], HISTORY_LIMIT)) {
    const key = keys.get(row.rowId);
    if (key === undefined) continue;
    const list = found.get(key) ?? [];
    found.set(key, list);
    list.push(row);
  }
  return found;
}

/** The general reason why there is no verdict. */
export async function silenceOf(tx: Transaction): Promise<string> {
  const active = await readActive(tx);
  return active === undefined
    ? 'no ruleset is in force, so nothing has been evaluated'
    : 'no run has evaluated it yet; start one with `gcos backfill run`';
}

export const objectText = (collection: string, code: string): string =>
  `${shown(collection)} / ${shown(code)}`;
