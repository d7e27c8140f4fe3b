// Owns the preview of flips: the current state next to the state after an activation and a full scan,
// evaluated in one snapshot. Writes nothing, so any reader can run it.
import type { Transaction } from '../../db/index.js';
import { compareBytes, type RulesetContent, rowsOf } from '../../host/index.js';
import { readSnapshot, type SnapshotDocument } from '../../inventory/snapshot/index.js';
import { hasCode } from '../../kernel/index.js';
import { type PreviewedTransition, previewFindings, type RiskClass } from '../../record/finding/index.js';
import type { ChangeReach } from '../../rule/ruleset/index.js';
import { type JudgedUnit, previewVerdicts, readStored } from '../../verdict/candidate/index.js';
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
  type GateFlip,
  gatesBiggestFirst,
  NOTHING_FLIPS,
  type TermFlip,
  type UnitFlip,
  unitsBiggestFirst,
} from './flip.js';
import { previewGate, readLapsedRows } from './gate-flip.js';
import { reachedBy } from './reached.js';

export interface PreviewOptions {
  readonly at: string;
  /** The version that would be active, and its content. */
  readonly version: string;
  readonly content: RulesetContent;
  readonly reaches: readonly ChangeReach[];
  /** How many units are held at once. */
  readonly unitsAtOnce?: number;
}

const UNKNOWN = 'candidate_unknown';

/** Whether the unit is relevant and could not be evaluated. */
const isUnknown = ({ weight, over, verdict, outcome }: CoveredUnit): boolean =>
  weight === 1 && !over && verdict === 'relevant' && (outcome ?? 'not_evaluated') === 'not_evaluated';

/** Units that could not be evaluated are one finding per inventory group. */
const unknownPage = (units: Iterable<JudgedUnit>): CoveragePage => ({
  evaluated: { types: [UNKNOWN], subjects: 'all' },
  observations: [...units].map((unit) => ({
    type: UNKNOWN,
    subject: unit.inventoryKey,
    entityType: 'collection',
    entityCode: unit.sourceRegistry,
    riskClass: unit.riskClass as RiskClass,
  })),
});

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

/** The number of units per scope and term. */
class TermCounts {
  readonly #counts = new Map<string, Count>();

  add(unit: CoveredUnit): void {
    const term = termOf(unit);
    if (term === undefined) return;
    const name = JSON.stringify([unit.scope, term]);
    const units = (this.#counts.get(name)?.units ?? 0n) + 1n;
    this.#counts.set(name, { scope: unit.scope, term, units });
  }

  all(): readonly Count[] {
    return [...this.#counts.values()];
  }
}

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

/**
 * The flips, in the caller's repeatable-read transaction. Without any verdict there are none. Units are
 * compared part by part: only those that flip are kept.
 */
export async function previewFlips(tx: Transaction, options: PreviewOptions): Promise<Flips> {
  const { at, reaches, content, unitsAtOnce } = options;
  const stored = await readStored(tx);
  if (!stored.judged) return { ...NOTHING_FLIPS, notPreviewed: notPreviewedIn(reaches) };
  const then = await readLastClosed(tx);
  const previewed = await previewVerdicts(tx, stored, {
    ...{ at, limitMs: tx.statementTimeoutMs, content },
    ...(then === undefined ? {} : { then }),
    ...(unitsAtOnce === undefined ? {} : { unitsAtOnce }),
  });
  const coverage = await previewCoverage(tx, previewed, at);
  const { isReached, findingReach } = reachedBy(reaches);
  const lapsed = await readLapsedRows(tx, at);
  const [verdicts, outcomes, gates]: [UnitFlip[], UnitFlip[], GateFlip[]] = [[], [], []];
  const terms = new TermCounts();
  const unknown = new Map<string, JudgedUnit>();
  /** One unit of each inventory group: the dimensions of the group. */
  const places = new Map<string, JudgedUnit>();
  for await (const { stored: before, units } of previewed.parts()) {
    const outcomeOf = await coverage.evaluate(units);
    const after = units.map((unit): CoveredUnit => ({ ...unit, outcome: outcomeOf.get(unit) ?? null }));
    const flips = compareUnits(before, after, isReached);
    for (const flip of flips.verdicts) verdicts.push(flip);
    for (const flip of flips.outcomes) outcomes.push(flip);
    for (const flip of await previewGate(tx, before, after, { lapsed, isReached })) gates.push(flip);
    for (const unit of before) places.set(unit.inventoryKey, unit);
    for (const unit of after) {
      places.set(unit.inventoryKey, unit);
      terms.add(unit);
      if (isUnknown(unit)) unknown.set(unit.inventoryKey, unit);
    }
  }
  const covered = await coverage.finish();
  const enabled = rowsOf(content, 'detectors').map((row) => String(row['measurement_id']));
  const causes = await previewInputCauses(tx, previewed.scope);
  const pages: readonly CoveragePage[] = [
    ...covered.pages,
    {
      observations: [...observeCauses(causes, previewed.rules.map), ...(await observeKeyless(tx))],
      evaluated: { types: INPUT_FINDINGS, subjects: 'all' },
    },
    unknownPage(unknown.values()),
    {
      observations: [],
      evaluated: { types: DETECTOR_FINDINGS, subjects: await readFormerDetectors(tx, enabled) },
    },
  ];
  const transitions = await previewPages(tx, pages, options);
  const isFindingReached = findingReach(places);
  const { map, scopes } = previewed.rules;
  const failed = await readFailedUnits(tx, map, scopes);
  return {
    verdicts: unitsBiggestFirst(verdicts),
    outcomes: unitsBiggestFirst(outcomes),
    gates: gatesBiggestFirst(gates),
    ledger: compareTerms([...(await readTerms(tx, at)), ...failed], [...terms.all(), ...failed]),
    findings: biggestFirst(
      transitions.map((each) => ({
        ...each,
        sourceRegistry: places.get(each.subject)?.sourceRegistry ?? null,
        bound: isFindingReached(each),
      })),
      ({ change, type }) => JSON.stringify([change, type]),
      ({ key }) => key,
    ),
    notPreviewed: notPreviewedIn(reaches),
    missedCanaries: covered.canaries.missed,
  };
}
