// Owns the preview of coverage: the same evaluation for units that are passed instead of read, with the
// findings it would write. Writes nothing.
import { fillParts, type Transaction } from '../../db/index.js';
import type { JudgedUnit, Preview } from '../candidate/index.js';
import { CANARIES, type CanaryReport } from './canary.js';
import { canariesIn, forUnits, gapsIn, type Outcome, rulesFor } from './evaluate.js';
import { previewUnits } from './evaluate.sql.js';
import { pagesOf } from './findings.js';
import type { FindingPage } from './gap.js';
import { readLegacy } from './legacy.js';
import { partsOf } from './parts.js';
import { linkedRegistries, readCoverageRules } from './rules.js';
import { runUngroupedChecks } from './ungrouped/checks.js';

export interface PreviewedCoverage {
  /** The outcome of each relevant unit. */
  readonly outcomes: ReadonlyMap<JudgedUnit, Outcome>;
  readonly pages: readonly FindingPage[];
  readonly canaries: CanaryReport;
}

/** Evaluates all previewed units in the caller's transaction. */
export async function previewCoverage(
  tx: Transaction,
  { rules, units, groups }: Preview,
  at: string,
): Promise<PreviewedCoverage> {
  const coverage = await readCoverageRules(tx, rules);
  const registries = linkedRegistries(coverage, rules.map, null);
  const live = units.filter((unit) => !unit.over);
  const relevant = live.filter((unit) => unit.verdict === 'relevant');
  const rows = await forUnits(tx, BigInt(relevant.length), () =>
    tx.run(fillParts(previewUnits, partsOf(coverage, registries)), {
      ...rulesFor(rules, coverage, registries, CANARIES),
      at,
      unitNos: relevant.map((_, index) => BigInt(index)),
      isObject: relevant.map((unit) => unit.code !== null),
      unitInventoryKeys: relevant.map((unit) => unit.inventoryKey),
      unitScopes: relevant.map((unit) => unit.scope),
      unitClasses: relevant.map((unit) => unit.objectClass),
      unitRegistries: relevant.map((unit) => unit.sourceRegistry),
      unitCodes: relevant.map((unit) => unit.code),
      unitBirthIds: relevant.map((unit) => unit.birthId),
      unitWeights: relevant.map((unit) => unit.weight),
      unitRisks: relevant.map((unit) => unit.riskClass),
    }),
  );
  const ungrouped = await runUngroupedChecks(tx, {
    ...{ at, rules, coverage, sources: null },
    previewed: {
      groups: groups.filter((group) => !group.empty),
      objects: live.flatMap(({ sourceRegistry: collection, code }) =>
        code === null ? [] : [{ collection, code }],
      ),
    },
  });
  const outcomes = new Map<JudgedUnit, Outcome>();
  for (const row of rows) {
    const unit = row.what === 'unit' && row.unit_no !== null ? relevant[Number(row.unit_no)] : undefined;
    if (unit !== undefined) outcomes.set(unit, row.kind as Outcome);
  }
  const keys = [...new Set(units.map((unit) => unit.inventoryKey))];
  return {
    outcomes,
    pages: pagesOf(
      gapsIn(rows),
      ungrouped,
      { keys, everything: true },
      await readLegacy(tx, rules.content, { at, inventoryKeys: null }),
    ),
    canaries: canariesIn(rows, CANARIES, coverage),
  };
}
