// Owns the preview of a backfill: what it would cost, which verdicts it and a first scan would give, and the
// largest gaps. It judges by the same functions as the backfill, in one read-only snapshot, and writes
// nothing.
import { readServerTime, type Transaction } from '../../../db/index.js';
import { encodeContent, readContent } from '../../../host/index.js';
import { readClassMap } from '../../../inventory/group/index.js';
import { readInventory } from '../../../inventory/snapshot/index.js';
import { contentOf, readActive } from '../../../rule/ruleset/index.js';
import { type JudgedUnit, previewVerdicts, readStored } from '../../../verdict/candidate/index.js';
import { type Outcome, previewCoverage } from '../../../verdict/coverage/index.js';
import { previewInputCauses } from '../../../verdict/input/index.js';
import { type Caveat, caveatsIn, readFailedUnits } from '../../../verdict/ledger/index.js';
import { estimateBatches, readPace } from '../pace.js';
import { gapsOf, type PreviewedGap, type UnitTally } from './gap.js';

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

type Counts = { -readonly [name in Exclude<keyof PreviewedScope, 'scope'>]: number };

const NAMES = {
  relevant: 'relevant',
  not_relevant: 'notRelevant',
  class_0: 'class_0',
  deferred_birth: 'deferredBirth',
  retired: 'retired',
  needs_input: 'needsInput',
  unknown: 'unknown',
} as const satisfies Record<JudgedUnit['verdict'], keyof Counts>;
const OUTCOME_NAMES = {
  covered: 'covered',
  orphan: 'orphans',
  exception: 'exceptions',
  not_evaluated: 'notEvaluated',
} as const satisfies Record<Outcome, keyof Counts>;

/** What the preview keeps of the units, which pass by part by part. */
class UnitCounts {
  readonly #scopes: ReadonlyMap<string, Counts>;
  readonly #tallies = new Map<string, { unit: JudgedUnit; units: bigint }>();
  groupRows = 0;
  objectRows = 0;

  constructor(scopes: readonly string[]) {
    this.#scopes = new Map(
      scopes.map((scope) => {
        const names: readonly (keyof Counts)[] = [...Object.values(NAMES), ...Object.values(OUTCOME_NAMES)];
        return [scope, Object.fromEntries(['units', ...names].map((name) => [name, 0])) as Counts];
      }),
    );
  }

  add(units: readonly JudgedUnit[], outcomes: ReadonlyMap<JudgedUnit, Outcome>): void {
    const [first] = this.#scopes.keys();
    for (const unit of units) {
      if (unit.over) continue;
      if (unit.code === null) this.groupRows += 1;
      else this.objectRows += 1;
      const counts = this.#scopes.get(unit.scope);
      if (unit.weight !== 1 || counts === undefined) continue;
      counts.units += 1;
      counts[NAMES[unit.verdict]] += 1;
      if (unit.verdict === 'relevant') counts[OUTCOME_NAMES[outcomes.get(unit) ?? 'not_evaluated']] += 1;
      if (unit.scope !== first) continue;
      const { objectClass, sourceRegistry, verdict, line } = unit;
      const name = JSON.stringify([objectClass, sourceRegistry, verdict, line]);
      this.#tallies.set(name, { unit, units: (this.#tallies.get(name)?.units ?? 0n) + 1n });
    }
  }

  scopes(failed: readonly { readonly scope: string; readonly units: bigint }[]): readonly PreviewedScope[] {
    return [...this.#scopes].map(([scope, counts]) => {
      const without = failed.filter((each) => each.scope === scope);
      const more = without.reduce((sum, each) => sum + Number(each.units), 0);
      return { scope, ...counts, units: counts.units + more, unknown: counts.unknown + more };
    });
  }

  /** The units of one scope: none of their causes depends on the scope. */
  tallies(): readonly UnitTally[] {
    return [...this.#tallies.values()];
  }
}

/** The preview, in the caller's read-only repeatable-read transaction. */
export async function previewBackfill(
  tx: Transaction,
  options: {
    readonly schema: string;
    readonly limitMs: number;
    readonly onProgress: (progress: PreviewProgress) => void;
  },
): Promise<BackfillPreview> {
  const begin = (step: PreviewProgress['step']) =>
    options.onProgress({ step, done: STEPS.indexOf(step), total: STEPS.length });
  const { limitMs } = options;
  const at = await readServerTime(tx);
  const active = await readActive(tx);
  const content = active === undefined ? await readContent(tx) : await contentOf(tx, active.version);
  begin('inventory');
  const map = await readClassMap(tx, options.schema, content);
  const started = performance.now();
  const inventory = await readInventory(tx, map, { limitMs });
  const readMs = Math.max(1, Math.round(performance.now() - started));
  begin('verdicts');
  const stored = await readStored(tx);
  const preview = await previewVerdicts(tx, stored, { at, limitMs, content });
  begin('coverage');
  const coverage = await previewCoverage(tx, preview, at);
  const counts = new UnitCounts(preview.rules.scopes);
  for await (const { units } of preview.parts()) counts.add(units, await coverage.evaluate(units));
  const { pages } = await coverage.finish();
  begin('gaps');
  const causes = await previewInputCauses(tx, preview.scope);
  const failed = await readFailedUnits(tx, preview.rules.map, preview.rules.scopes);
  const births = inventory.groups.reduce((sum, group) => sum + group.count, 0n);
  const estimatedMs = LEAST_MS + readMs * READS_OF_A_BACKFILL;
  const tallies = counts.tallies();
  return {
    at,
    first: !stored.judged,
    rulesetVersion: active?.version ?? encodeContent(content).version,
    inForce: active !== undefined,
    cost: {
      births,
      inventoryGroups: preview.groups.length,
      groupRows: counts.groupRows,
      objectRows: counts.objectRows,
      estimatedBatches: estimateBatches(await readPace(tx), Number(births), estimatedMs),
      estimatedMs,
      readMs,
    },
    scopes: counts.scopes(failed),
    gaps: gapsOf(preview, { inventory, pages, causes, tallies }),
    caveats: await caveatsIn(
      tx,
      tallies.map(({ unit: { objectClass, sourceRegistry }, units }) => ({
        ...{ objectClass, sourceRegistry, units },
      })),
    ),
  };
}
