// Owns the preview of flips: the current state next to the state after an activation and a full scan,
// evaluated in one snapshot. Writes nothing, so any reader can run it.
import type { Transaction } from '../../db/index.js';
import { compareBytes, type RulesetContent, rowsOf } from '../../host/index.js';
import { readSnapshot, type SnapshotDocument, STATEMENT_LIMIT_MS } from '../../inventory/snapshot/index.js';
import { hasCode } from '../../kernel/index.js';
import { type PreviewedTransition, previewFindings, type RiskClass } from '../../record/finding/index.js';
import type { ChangeReach } from '../../rule/ruleset/index.js';
import { previewVerdicts, readBelieved } from '../../verdict/candidate/index.js';
import { type FindingPage as CoveragePage, previewCoverage } from '../../verdict/coverage/index.js';
import { DETECTOR_FINDINGS, readFormerDetectors } from '../../verdict/detector/index.js';
import {
  INPUT_FINDINGS,
  observeCauses,
  observeKeyless,
  previewInputCauses,
} from '../../verdict/input/index.js';
import { readClosed, readFailedUnits, readTerms, type Term, termOf } from '../../verdict/ledger/index.js';
import {
  biggestFirst,
  type CoveredUnit,
  compareUnits,
  type Flips,
  NOTHING_FLIPS,
  type TermFlip,
} from './flip.js';
import { previewGate } from './gate-flip.js';
import { reachedBy } from './reached.js';

export interface PreviewOptions {
  readonly at: string;
  /** The version that would be active, and its content. */
  readonly version: string;
  readonly content: RulesetContent;
  readonly reaches: readonly ChangeReach[];
}

const UNKNOWN = 'candidate_unknown';

/** Relevant units that could not be evaluated are one finding per inventory group. */
function unknownPage(after: readonly CoveredUnit[]): CoveragePage {
  const units = after.filter(
    ({ weight, over, verdict, outcome }) =>
      weight === 1 && !over && verdict === 'relevant' && (outcome ?? 'not_evaluated') === 'not_evaluated',
  );
  return {
    evaluated: { types: [UNKNOWN], subjects: 'all' },
    observations: [...new Map(units.map((unit) => [unit.inventoryKey, unit])).values()].map((unit) => ({
      type: UNKNOWN,
      subject: unit.inventoryKey,
      entityType: 'collection',
      entityCode: unit.sourceRegistry,
      riskClass: unit.riskClass as RiskClass,
    })),
  };
}

/** Previews the findings page by page, as a scan would write them. */
async function previewPages(
  tx: Transaction,
  pages: readonly CoveragePage[],
  { at, version }: PreviewOptions,
): Promise<readonly PreviewedTransition[]> {
  const found: PreviewedTransition[] = [];
  const context = { runId: '', at, ruleset: version, activeRuleset: version };
  for (const { observations, evaluated } of pages)
    found.push(...(await previewFindings(tx, observations, { ...context, evaluated })));
  return found;
}

type Count = { readonly scope: string; readonly term: Term; readonly units: bigint };

/** The ledger terms that would change, the largest change first. */
function compareTerms(before: readonly Count[], after: readonly Count[]): readonly TermFlip[] {
  const counts = new Map<string, { scope: string; term: Term; before: number; after: number }>();
  const add = ({ scope, term, units }: Count, side: 'before' | 'after') => {
    const name = JSON.stringify([scope, term]);
    const found = counts.get(name) ?? { scope, term, before: 0, after: 0 };
    counts.set(name, { ...found, [side]: found[side] + Number(units) });
  };
  for (const each of before) add(each, 'before');
  for (const each of after) add(each, 'after');
  return [...counts.values()]
    .map((each) => ({ ...each, delta: each.after - each.before }))
    .filter((each) => each.delta !== 0)
    .sort(
      (left, right) =>
        Math.abs(right.delta) - Math.abs(left.delta) ||
        compareBytes(left.scope, right.scope) ||
        compareBytes(left.term, right.term),
    );
}

/** Detectors whose queries are not approved yet. */
const notPreviewedIn = (reaches: readonly ChangeReach[]): readonly string[] =>
  reaches
    .filter(({ change }) => change.component === 'detectors' && change.change !== 'removed')
    .map(({ change }) => change.key);

/** The groups of the snapshot of the last closed ledger. */
async function readLastClosed(tx: Transaction): Promise<SnapshotDocument['groups'] | undefined> {
  const ref = (await readClosed(tx))?.closingSnapshotRef ?? null;
  if (ref === null) return undefined;
  try {
    return (await readSnapshot(tx, ref)).document.groups;
  } catch (error) {
    // The snapshot was deleted: without a comparison, everything is read.
    if (hasCode(error, 'snapshot_unknown')) return undefined;
    throw error;
  }
}

/** The flips, in the caller's repeatable-read transaction. Without any verdict there are none. */
export async function previewFlips(tx: Transaction, options: PreviewOptions): Promise<Flips> {
  const { at, reaches, content } = options;
  const before = await readBelieved(tx);
  if (before.length === 0) return { ...NOTHING_FLIPS, notPreviewed: notPreviewedIn(reaches) };
  const then = await readLastClosed(tx);
  const previewed = await previewVerdicts(tx, before, {
    ...{ at, limitMs: STATEMENT_LIMIT_MS, content },
    ...(then === undefined ? {} : { then }),
  });
  const coverage = await previewCoverage(tx, previewed, at);
  const after = previewed.units.map(
    (unit): CoveredUnit => ({ ...unit, outcome: coverage.outcomes.get(unit) ?? null }),
  );
  const { isReached, isFindingReached } = reachedBy(reaches, [...before, ...after]);
  const enabled = rowsOf(content, 'detectors').map((row) => String(row['measurement_id']));
  const causes = await previewInputCauses(tx, previewed.scope);
  const pages: readonly CoveragePage[] = [
    ...coverage.pages,
    {
      observations: [...observeCauses(causes, previewed.rules.map), ...(await observeKeyless(tx))],
      evaluated: { types: INPUT_FINDINGS, subjects: 'all' },
    },
    unknownPage(after),
    {
      observations: [],
      evaluated: { types: DETECTOR_FINDINGS, subjects: await readFormerDetectors(tx, enabled) },
    },
  ];
  const transitions = await previewPages(tx, pages, options);
  const registries = new Map([...before, ...after].map((unit) => [unit.inventoryKey, unit.sourceRegistry]));
  const { map, scopes } = previewed.rules;
  const failed = await readFailedUnits(tx, map, scopes);
  const counted = after.flatMap((unit): Count[] => {
    const term = termOf(unit);
    return term === undefined ? [] : [{ scope: unit.scope, term, units: 1n }];
  });
  return {
    ...compareUnits(before, after, isReached),
    gates: await previewGate(tx, before, after, { at, isReached }),
    ledger: compareTerms([...(await readTerms(tx, at)), ...failed], [...counted, ...failed]),
    findings: biggestFirst(
      transitions.map((each) => ({
        ...each,
        sourceRegistry: registries.get(each.subject) ?? null,
        bound: isFindingReached(each),
      })),
      ({ change, type }) => JSON.stringify([change, type]),
      ({ key }) => key,
    ),
    notPreviewed: notPreviewedIn(reaches),
    missedCanaries: coverage.canaries.missed,
  };
}
