// Owns the preview of a backfill: what it would cost, which verdicts it and a first scan would give, and the
// largest gaps. It judges by the same functions as the backfill, in one read-only snapshot, and writes
// nothing.
import { readServerTime, type Transaction } from '../../../db/index.js';
import { encodeContent, readContent } from '../../../host/index.js';
import { readClassMap } from '../../../inventory/group/index.js';
import { readInventory, STATEMENT_LIMIT_MS } from '../../../inventory/snapshot/index.js';
import { contentOf, readActive } from '../../../rule/ruleset/index.js';
import { type Preview, previewVerdicts, readBelieved } from '../../../verdict/candidate/index.js';
import { type Outcome, previewCoverage } from '../../../verdict/coverage/index.js';
import { previewInputCauses } from '../../../verdict/input/index.js';
import { type Caveat, caveatsIn, readFailedUnits } from '../../../verdict/ledger/index.js';
import { estimateBatches, readPace } from '../pace.js';
import { gapsOf, type PreviewedGap } from './gap.js';

/** The units of one scope by the verdict they would get; the relevant ones also by coverage. */
export interface PreviewedScope {
  readonly scope: string;
  readonly units: number;
  readonly relevant: number;
  readonly notRelevant: number;
  readonly class_0: number;
  readonly deferredBirth: number;
  readonly retired: number;
  readonly needsInput: number;
  /** Includes births without a key and births that could not be processed. */
  readonly unknown: number;
  /** Of the relevant: what a scan after the backfill would find. */
  readonly covered: number;
  readonly orphans: number;
  readonly exceptions: number;
  /** Of the relevant: the host has no data about a required link. */
  readonly notEvaluated: number;
}

export interface BackfillCost {
  readonly births: bigint;
  readonly inventoryGroups: number;
  /** Rows of state: one per group and scope, and one per object and scope where objects count one by one. */
  readonly groupRows: number;
  readonly objectRows: number;
  /** Rough: from the speed at which this run read all births. */
  readonly estimatedBatches: number;
  readonly estimatedMs: number;
  /** How long reading all births once took in this run. */
  readonly readMs: number;
}

export interface BackfillPreview {
  readonly at: string;
  /** False: rows exist already; a backfill would only write what differs. */
  readonly first: boolean;
  readonly rulesetVersion: string;
  /** False: no ruleset is in force; a backfill would decide under a draft, and nothing would be verified. */
  readonly inForce: boolean;
  readonly cost: BackfillCost;
  readonly scopes: readonly PreviewedScope[];
  readonly gaps: readonly PreviewedGap[];
  /** What a closed ledger would not prove. */
  readonly caveats: readonly Caveat[];
}

export interface PreviewProgress {
  readonly step: 'inventory' | 'verdicts' | 'coverage' | 'gaps';
  readonly done: number;
  readonly total: number;
}

const STEPS: readonly PreviewProgress['step'][] = ['inventory', 'verdicts', 'coverage', 'gaps'];
/** The duration of a backfill, in reads of all births: as measured, see docs/backfill.md. */
const READS_OF_A_BACKFILL = 12;
/** What a backfill takes besides reading births. */
const LEAST_MS = 1_000;

function scopeOf(
  scope: string,
  { units }: Preview,
  outcomes: ReadonlyMap<Preview['units'][number], Outcome>,
  failed: number,
): PreviewedScope {
  const counted = units.filter((unit) => unit.scope === scope && unit.weight === 1 && !unit.over);
  const of = (verdict: string) => counted.filter((unit) => unit.verdict === verdict);
  const relevant = of('relevant');
  const by = (outcome: Outcome) =>
    relevant.filter((unit) => (outcomes.get(unit) ?? 'not_evaluated') === outcome).length;
  return {
    scope,
    units: counted.length + failed,
    relevant: relevant.length,
    notRelevant: of('not_relevant').length,
    class_0: of('class_0').length,
    deferredBirth: of('deferred_birth').length,
    retired: of('retired').length,
    needsInput: of('needs_input').length,
    unknown: of('unknown').length + failed,
    covered: by('covered'),
    orphans: by('orphan'),
    exceptions: by('exception'),
    notEvaluated: by('not_evaluated'),
  };
}

/** The preview, in the caller's read-only repeatable-read transaction. */
export async function previewBackfill(
  tx: Transaction,
  options: { readonly schema: string; readonly onProgress: (progress: PreviewProgress) => void },
): Promise<BackfillPreview> {
  const begin = (step: PreviewProgress['step']) =>
    options.onProgress({ step, done: STEPS.indexOf(step), total: STEPS.length });
  const at = await readServerTime(tx);
  const active = await readActive(tx);
  const content = active === undefined ? await readContent(tx) : await contentOf(tx, active.version);
  begin('inventory');
  const map = await readClassMap(tx, options.schema, content);
  const started = performance.now();
  const inventory = await readInventory(tx, map, { limitMs: STATEMENT_LIMIT_MS });
  const readMs = Math.max(1, Math.round(performance.now() - started));
  begin('verdicts');
  const believed = await readBelieved(tx);
  const preview = await previewVerdicts(tx, believed, { at, limitMs: STATEMENT_LIMIT_MS, content });
  begin('coverage');
  const coverage = await previewCoverage(tx, preview, at);
  begin('gaps');
  const causes = await previewInputCauses(tx, preview.scope);
  const failed = await readFailedUnits(tx, preview.rules.map, preview.rules.scopes);
  const births = inventory.groups.reduce((sum, group) => sum + group.count, 0n);
  const estimatedMs = LEAST_MS + readMs * READS_OF_A_BACKFILL;
  const live = preview.units.filter((unit) => !unit.over);
  return {
    at,
    first: believed.length === 0,
    rulesetVersion: active?.version ?? encodeContent(content).version,
    inForce: active !== undefined,
    cost: {
      births,
      inventoryGroups: preview.groups.length,
      groupRows: live.filter((unit) => unit.code === null).length,
      objectRows: live.filter((unit) => unit.code !== null).length,
      estimatedBatches: estimateBatches(await readPace(tx), Number(births), estimatedMs),
      estimatedMs,
      readMs,
    },
    scopes: preview.rules.scopes.map((scope) => {
      const without = failed.filter((each) => each.scope === scope);
      const units = without.reduce((sum, each) => sum + Number(each.units), 0);
      return scopeOf(scope, preview, coverage.outcomes, units);
    }),
    gaps: gapsOf(preview, { inventory, pages: coverage.pages, causes }),
    caveats: await caveatsIn(
      tx,
      live
        .filter((unit) => unit.weight === 1 && unit.scope === preview.rules.scopes[0])
        .map(({ objectClass, sourceRegistry }) => ({ objectClass, sourceRegistry, units: 1n })),
    ),
  };
}
