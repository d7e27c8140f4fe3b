// Owns the preview of coverage: the same evaluation for units that are passed instead of read, with the
// findings it would write. Units are passed in parts, of whole groups. Writes nothing.
import { fillParts, type Transaction } from '../../db/index.js';
import type { JudgedUnit, Preview } from '../candidate/index.js';
import { CANARIES, type CanaryReport } from './canary.js';
import { canariesIn, forUnits, gapsIn, type Outcome, rulesFor } from './evaluate.js';
import { previewUnits } from './evaluate.sql.js';
import { pagesOf } from './findings.js';
import type { FindingPage, Gap } from './gap.js';
import { readLegacy } from './legacy.js';
import { type Page, pageGroups, ROWS_AT_ONCE, workInHalves } from './page.js';
import { partsOf } from './parts.js';
import { linkedRegistries, readCoverageRules } from './rules.js';
import { runUngroupedChecks } from './ungrouped/checks.js';

export interface CoveragePreview {
  /** Evaluates the units of one part; returns the outcome of each relevant one. */
  evaluate(units: readonly JudgedUnit[]): Promise<ReadonlyMap<JudgedUnit, Outcome>>;
  /** The findings of all parts, and the canaries that any part missed. */
  finish(): Promise<{ readonly pages: readonly FindingPage[]; readonly canaries: CanaryReport }>;
}

/** How many units each inventory group has, in each scope. */
function sizesOf(units: readonly JudgedUnit[], scopes: number) {
  const sizes = new Map<string, number>();
  for (const { inventoryKey } of units) sizes.set(inventoryKey, (sizes.get(inventoryKey) ?? 0) + 1);
  return [...sizes].map(([key, size]) => ({ key, units: Math.ceil(size / Math.max(scopes, 1)) }));
}

/** Previews coverage in the caller's transaction. */
export async function previewCoverage(
  tx: Transaction,
  { rules, groups, objects }: Preview,
  at: string,
): Promise<CoveragePreview> {
  const coverage = await readCoverageRules(tx, rules);
  const registries = linkedRegistries(coverage, rules.map, null);
  const statement = fillParts(previewUnits, partsOf(coverage, registries));
  const gaps: Gap[] = [];
  const keys = new Set<string>();
  const missed = new Set<string>();

  async function evaluatePage(relevant: readonly JudgedUnit[]): Promise<ReadonlyMap<JudgedUnit, Outcome>> {
    const rows = await forUnits(tx, BigInt(relevant.length), () =>
      tx.run(statement, {
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
    for (const gap of gapsIn(rows)) gaps.push(gap);
    for (const name of canariesIn(rows, CANARIES, coverage).missed) missed.add(name);
    const outcomes = new Map<JudgedUnit, Outcome>();
    for (const row of rows) {
      const unit = row.what === 'unit' && row.unit_no !== null ? relevant[Number(row.unit_no)] : undefined;
      if (unit !== undefined) outcomes.set(unit, row.kind as Outcome);
    }
    return outcomes;
  }

  return {
    async evaluate(units) {
      for (const unit of units) keys.add(unit.inventoryKey);
      const relevant = units.filter((unit) => !unit.over && unit.verdict === 'relevant');
      const outcomes = new Map<JudgedUnit, Outcome>();
      const work = (page: Page) => {
        const [inPage, inScopes] = [new Set(page.keys), page.scopes && new Set(page.scopes)];
        return evaluatePage(
          relevant.filter((unit) => inPage.has(unit.inventoryKey) && (inScopes?.has(unit.scope) ?? true)),
        );
      };
      for (const page of pageGroups(sizesOf(relevant, rules.scopes.length), rules.scopes, ROWS_AT_ONCE))
        for (const found of await workInHalves(page, rules.scopes, (attempt) => tx.savepoint(attempt), work))
          for (const [unit, outcome] of found) outcomes.set(unit, outcome);
      return outcomes;
    },
    async finish() {
      const ungrouped = await runUngroupedChecks(tx, {
        ...{ at, rules, coverage, sources: null },
        previewed: { groups: groups.filter((group) => !group.empty), objects },
      });
      return {
        pages: pagesOf(
          gaps,
          ungrouped,
          { keys: [...keys], everything: true },
          await readLegacy(tx, rules.content, { at, inventoryKeys: null }),
        ),
        canaries: { fed: CANARIES.length, missed: [...missed] },
      };
    },
  };
}
