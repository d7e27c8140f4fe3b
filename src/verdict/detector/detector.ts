// Owns running the detectors of the host. A detector is a rule stored as data: two queries and a comparison.
// A detector that fails or times out is reported and does not stop the others. A detector that could not run
// is not evaluated: it does not pass, and it resolves no finding. Detectors never write.
import { z } from 'zod';
import { type Database, defineSetting, type Prober, readSetting, type Transaction } from '../../db/index.js';
import { type RuleRow, readRulesInForce, rowsOf } from '../../host/index.js';
import {
  type FindingContext,
  type Observation,
  type Severity,
  type Transitions,
  writeFindings,
} from '../../record/finding/index.js';
import { type Compared, compareSides } from './comparison.js';
import { readFormer } from './detector.sql.js';
import { functionsIn, volatileAmong } from './volatile.js';

const settingSchema = z.strictObject({
  statement_ms: z.int().min(10).max(60_000),
  at_once: z.int().min(1).max(16),
  allowed_functions: z.array(z.string()),
});
export const detectorLimits = defineSetting({
  key: 'detector.limits',
  form: settingSchema,
  default: { statement_ms: 5000, at_once: 2, allowed_functions: [] },
  about:
    'for how many milliseconds the query of a detector may run, how many run at once, and which further functions it may call',
  changedBy: 'dba',
});

interface Detector {
  readonly id: string;
  readonly law: string;
  readonly queries: readonly [string, string];
  readonly comparison: string;
  readonly severity: string | null;
  /** Why the detector must not run; null: it may run. */
  readonly refused: string | null;
}

export type Detected = { readonly detector: Detector; readonly ms: number } & Compared;

export interface Detection {
  readonly results: readonly Detected[];
  readonly passed: number;
  readonly violated: number;
  readonly notEvaluated: number;
  readonly elapsedMs: number;
}

interface Planned {
  readonly detectors: readonly Detector[];
  readonly statementMs: number;
  readonly atOnce: number;
}

/** A query that the rules do not name is not run; an empty one fails and says so. */
const textOf = (row: RuleRow, column: string): string => String(row[column] ?? '');

/** The detectors of the rules in force, each with the reason why it must not run, if any. */
async function readDetectors(tx: Transaction): Promise<Planned> {
  const setting = await readSetting(tx, detectorLimits);
  const rows = rowsOf(await readRulesInForce(tx), 'detectors').map((row) => ({
    measurement_id: textOf(row, 'measurement_id'),
    law_code: textOf(row, 'law_code'),
    source_query: textOf(row, 'source_query'),
    target_query: textOf(row, 'target_query'),
    comparison: String(row['comparison'] ?? 'strict_equals'),
    severity: row['severity'] === null ? null : textOf(row, 'severity'),
  }));
  const named = rows.map((row) => [functionsIn(row.source_query), functionsIn(row.target_query)]);
  const names = new Set(named.flatMap((both) => both.flatMap((each) => each.names)));
  const doing = await volatileAmong(tx, [...names], setting.allowed_functions);
  return {
    statementMs: setting.statement_ms,
    atOnce: setting.at_once,
    detectors: rows.map((row, index) => {
      const both = named[index] ?? [];
      const isHidden = both.some((each) => each.isHidden);
      const found = both.flatMap((each) => each.names).find((name) => doing.has(name));
      return {
        id: row.measurement_id,
        law: row.law_code,
        queries: [row.source_query, row.target_query],
        comparison: row.comparison,
        severity: row.severity,
        refused: found !== undefined ? `volatile:${found}` : isHidden ? 'names_hidden' : null,
      };
    }),
  };
}

async function runOne(
  prober: Prober | undefined,
  detector: Detector,
  statementMs: number,
): Promise<Detected> {
  const started = performance.now();
  const took = () => Math.round(performance.now() - started);
  const { refused } = detector;
  if (refused !== null) return { detector, ms: 0, outcome: 'not_evaluated', why: refused };
  if (prober === undefined) return { detector, ms: 0, outcome: 'not_evaluated', why: 'login' };
  const [source, target] = await prober.run(detector.queries, { statementMs, rows: 1 });
  return { detector, ms: took(), ...compareSides(detector.comparison, source, target) };
}

/**
 * Runs all enabled detectors, a few at a time, each on its own connection. Without a prober no detector is
 * evaluated.
 */
export async function runDetectors(
  db: Database,
  prober: Prober | undefined,
  options: {
    readonly signal?: AbortSignal;
    readonly onProgress?: (done: number, total: number) => void;
  } = {},
): Promise<Detection> {
  const started = performance.now();
  const look = { isolation: 'repeatable read', readOnly: true } as const;
  const { detectors, statementMs, atOnce } = await db.transaction(look, readDetectors);
  const results: Detected[] = [];
  const queue = [...detectors];
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      if (options.signal?.aborted) return;
      results.push(await runOne(prober, next, statementMs));
      options.onProgress?.(results.length, detectors.length);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  results.sort((left, right) => (left.detector.id < right.detector.id ? -1 : 1));
  const count = (outcome: Compared['outcome']) => results.filter((each) => each.outcome === outcome).length;
  return {
    results,
    passed: count('passed'),
    violated: count('violated'),
    notEvaluated: detectors.length - count('passed') - count('violated'),
    elapsedMs: Math.round(performance.now() - started),
  };
}

const VIOLATED = 'measurement_violated';
const NOT_RUN = 'measurement_not_run';
/** The types of findings about detectors. */
export const DETECTOR_FINDINGS: readonly string[] = [VIOLATED, NOT_RUN];
const SEVERITIES: Readonly<Record<string, Severity>> = {
  critical: 'critical',
  high: 'high',
  warning: 'medium',
  medium: 'medium',
  info: 'low',
  low: 'low',
};

function observe(result: Detected): Observation[] {
  const { detector } = result;
  if (result.outcome === 'passed') return [];
  const severity = SEVERITIES[detector.severity ?? ''] ?? 'medium';
  const about = { subject: detector.id, entityType: 'measurement', entityCode: detector.id, severity };
  const known = { law: detector.law, comparison: detector.comparison };
  return result.outcome === 'not_evaluated'
    ? [{ ...about, type: NOT_RUN, evidence: { ...known, why: result.why } }]
    : [{ ...about, type: VIOLATED, evidence: { ...known, ...numbersOnly(result) } }];
}

/** Only numbers go into the evidence. Any other value a query returns may be content of a host object. */
function numbersOnly({ source, target }: { readonly source: string; readonly target: string }) {
  const isNumber = (text: string) => /^-?\d{1,30}(\.\d{1,30})?$/.test(text);
  return isNumber(source) && isNumber(target) ? { source, target } : {};
}

/** Detectors that have findings and are not among `enabled`. Their findings are resolved. */
export async function readFormerDetectors(
  tx: Transaction,
  enabled: readonly string[],
): Promise<readonly string[]> {
  return (await tx.run(readFormer, { types: DETECTOR_FINDINGS, enabled })).map((row) => row.subject);
}

/**
 * Raises a finding for each detector that is violated or could not run, and resolves the findings of those
 * that passed. A detector that could not run neither raises nor resolves a violation.
 */
export async function syncDetectorFindings(
  tx: Transaction,
  detection: Detection,
  context: Omit<FindingContext, 'evaluated'>,
): Promise<Transitions> {
  const { results } = detection;
  const ran = results.filter((each) => each.outcome !== 'not_evaluated').map((each) => each.detector.id);
  const known = results.map((each) => each.detector.id);
  const former = await readFormerDetectors(tx, known);
  const violated = await writeFindings(
    tx,
    results.filter((each) => each.outcome === 'violated').flatMap(observe),
    {
      ...context,
      evaluated: { types: [VIOLATED], subjects: [...ran, ...former] },
    },
  );
  const notRun = await writeFindings(
    tx,
    results.filter((each) => each.outcome === 'not_evaluated').flatMap(observe),
    { ...context, evaluated: { types: [NOT_RUN], subjects: [...known, ...former] } },
  );
  return {
    raised: [...violated.raised, ...notRun.raised],
    reopened: [...violated.reopened, ...notRun.reopened],
    resolved: [...violated.resolved, ...notRun.resolved],
    repeated: violated.repeated + notRun.repeated,
  };
}
