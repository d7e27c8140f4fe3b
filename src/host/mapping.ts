// Owns the mapping of GCOS's vocabulary (streams, lanes, severities, statuses) to words that the host allows.
// The server evaluates the host's own constraints for each candidate word, so GCOS does not interpret them. A
// word that the host allows stays unchanged.
import { z } from 'zod';
import {
  defineSetting,
  isConnectionLoss,
  quoteIdentifier,
  quoteLiteral,
  statement,
  type Transaction,
} from '../db/index.js';
import { readChecks } from './mapping.sql.js';

type VocabularyKind =
  | 'stream'
  | 'lane'
  | 'event_severity'
  | 'issue_severity'
  | 'issue_status'
  | 'alert_level';

interface Vocabulary {
  readonly kind: VocabularyKind;
  /** The columns that must accept the word: pairs of relation and column. */
  readonly columns: readonly (readonly [string, string])[];
  /** GCOS's word → alternatives in order of preference, for hosts that do not allow the word. */
  readonly words: Readonly<Record<string, readonly string[]>>;
}

/** Severities are rounded up where possible: a host with three levels shows high as critical. */
const SEVERITIES = {
  critical: ['fatal', 'emergency', 'error', 'high'],
  high: ['error', 'critical', 'major', 'warning'],
  medium: ['warning', 'warn', 'moderate', 'high'],
  low: ['info', 'notice', 'minor', 'warning'],
} as const;

const vocabularies: readonly Vocabulary[] = [
  {
    kind: 'stream',
    columns: [
      ['event_type_registry', 'event_stream'],
      ['event_outbox', 'event_stream'],
    ],
    words: {
      'governance.handoff': ['update', 'birth', 'task'],
      'governance.backfill': ['update', 'task', 'health'],
      'governance.input': ['alert', 'review', 'update'],
      'governance.candidate': ['review', 'alert', 'update'],
      'governance.coverage': ['alert', 'review', 'update'],
      'governance.lifecycle': ['update', 'review', 'task'],
    },
  },
  {
    kind: 'lane',
    columns: [
      ['event_type_registry', 'delivery_lane'],
      ['event_outbox', 'delivery_lane'],
    ],
    words: { immediate: ['realtime', 'fast', 'delayed'], digest: ['delayed', 'batch', 'immediate'] },
  },
  {
    kind: 'event_severity',
    columns: [
      ['event_type_registry', 'default_severity'],
      ['event_outbox', 'event_severity'],
    ],
    words: SEVERITIES,
  },
  { kind: 'issue_severity', columns: [['system_issues', 'severity']], words: SEVERITIES },
  {
    kind: 'issue_status',
    columns: [['system_issues', 'status']],
    words: { open: ['new', 'active', 'pending'], resolved: ['closed', 'done', 'fixed'] },
  },
  {
    kind: 'alert_level',
    columns: [['registry_changelog', 'alert_level']],
    words: { info: ['low', 'notice', 'normal', 'none'] },
  },
];

/**
 * Kinds for which any allowed word is acceptable. Any stream or lane can carry a signal, but an arbitrary
 * severity or status could understate a problem.
 */
const ANY_WORD_SERVES: ReadonlySet<VocabularyKind> = new Set(['stream', 'lane', 'alert_level']);

interface MappedWord {
  readonly kind: VocabularyKind;
  readonly from: string;
  /** Undefined if the host allows no word that GCOS could use. */
  readonly to: string | undefined;
  readonly how: 'as it is' | 'default' | 'setting' | 'none';
}

export interface HostMapping {
  readonly words: readonly MappedWord[];
  /** The host's word for a word of GCOS; undefined if there is no mapping. */
  wordFor(kind: VocabularyKind, word: string): string | undefined;
}

const words = z.record(z.string(), z.string()).optional();
/** The setting `host.mapping`, with which an operator overrides the defaults. */
const mappingForm = z.strictObject({
  issue_status: words,
  alert_level: words,
  stream: words,
  lane: words,
  event_severity: words,
  issue_severity: words,
});
export const mappingSetting = defineSetting({
  key: 'host.mapping',
  form: mappingForm,
  default: {},
  about:
    'maps a word of GCOS to a word of the host, per kind: {"stream": {"governance.coverage": "alert"}, "lane": {}, "event_severity": {}, "issue_severity": {}}',
  changedBy: 'dba',
});
export type MappingOverrides = z.infer<typeof mappingForm>;

type Check = { column_name: string; expressions: readonly string[] };

/** The literals in a constraint are candidates too, such as 'fast' in `CHECK (lane IN ('fast', 'slow'))`. */
function quotedWords(checks: readonly Check[]): string[] {
  return checks.flatMap((check) =>
    check.expressions.flatMap((text) =>
      [...text.matchAll(/'((?:[^']|'')*)'/g)].map((match) => (match[1] ?? '').replaceAll("''", "'")),
    ),
  );
}

/**
 * The words among `candidates` that satisfy the constraints of one column. The server evaluates the
 * constraints.
 */
async function filterOnServer(
  tx: Transaction,
  check: Check,
  candidates: readonly string[],
): Promise<string[]> {
  const column = quoteIdentifier(check.column_name);
  const list = candidates.map((word) => quoteLiteral(word)).join(', ');
  const filter = statement<Record<never, never>, { readonly word: string }>({
    name: 'host.allowedWords',
    // A CHECK constraint is satisfied by true and by null.
    sql: `select w.word from unnest(array[${list}]::text[]) as w(word)
      cross join lateral (select w.word as ${column}) as candidate
      where ${check.expressions.map((text) => `(${text}) is not false`).join(' and ')}`,
  });
  return (await tx.savepoint(() => tx.run(filter, {}))).map((row) => row.word);
}

/** Checks all candidates in one statement; if the constraint raises an error, checks them one by one. */
async function allowedBy(tx: Transaction, check: Check, candidates: readonly string[]): Promise<Set<string>> {
  if (check.expressions.length === 0 || candidates.length === 0) return new Set(candidates);
  try {
    return new Set(await filterOnServer(tx, check, candidates));
  } catch (error) {
    if (isConnectionLoss(error)) throw error;
    // The constraint raises an error for this word: the host does not allow it.
    if (candidates.length === 1) return new Set();
  }
  const allowed = new Set<string>();
  for (const word of candidates) for (const each of await allowedBy(tx, check, [word])) allowed.add(each);
  return allowed;
}

async function mapVocabulary(
  tx: Transaction,
  vocabulary: Vocabulary,
  checks: readonly Check[],
  overrides: Readonly<Record<string, string>>,
): Promise<MappedWord[]> {
  const own = Object.entries(vocabulary.words);
  const candidates = [
    ...new Set([
      ...own.flatMap(([word, others]) => [word, ...others]),
      ...Object.values(overrides),
      ...quotedWords(checks),
    ]),
  ];
  let allowed = new Set(candidates);
  for (const check of checks) allowed = await allowedBy(tx, check, [...allowed]);
  return own.map(([word, others]) => {
    const override = overrides[word];
    if (override !== undefined)
      return {
        kind: vocabulary.kind,
        from: word,
        to: allowed.has(override) ? override : undefined,
        how: 'setting',
      };
    if (allowed.has(word)) return { kind: vocabulary.kind, from: word, to: word, how: 'as it is' };
    const anyWord = ANY_WORD_SERVES.has(vocabulary.kind) ? candidates : [];
    const to = [...others, ...anyWord].find((candidate) => allowed.has(candidate));
    return { kind: vocabulary.kind, from: word, to, how: to === undefined ? 'none' : 'default' };
  });
}

/** Determines the mapping for this host. */
export async function mapHost(
  tx: Transaction,
  schema: string,
  overrides: MappingOverrides = {},
): Promise<HostMapping> {
  const pairs = vocabularies.flatMap((vocabulary) => vocabulary.columns);
  const rows = await tx.run(readChecks, {
    schema,
    relations: pairs.map(([relation]) => relation),
    columns: pairs.map(([, column]) => column),
  });
  const words: MappedWord[] = [];
  for (const vocabulary of vocabularies) {
    const checks = rows.filter((row) =>
      vocabulary.columns.some(
        ([relation, column]) => row.relation === relation && row.column_name === column,
      ),
    );
    words.push(...(await mapVocabulary(tx, vocabulary, checks, overrides[vocabulary.kind] ?? {})));
  }
  return {
    words,
    wordFor: (kind, word) => words.find((mapped) => mapped.kind === kind && mapped.from === word)?.to,
  };
}
