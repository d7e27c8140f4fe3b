// Owns the evaluation of coverage for any set of inventory groups. One statement per page judges every
// relevant unit, writes the differences and returns the gaps; a few more statements run the ungrouped checks.
// The result contains pages of findings for the caller to write.

import { fillParts, type RowOf, type Transaction } from '../../db/index.js';
import { defineStage, type StageContract } from '../../kernel/index.js';
import { type Rules, requiredLinksIn } from '../candidate/index.js';
import { CANARIES, type Canary, type CanaryReport, canaryClass } from './canary.js';
import { evaluateUnits, readSources } from './evaluate.sql.js';
import { pagesOf } from './findings.js';
import type { FindingPage, Gap } from './gap.js';
import { readLegacy } from './legacy.js';
import { type Page, pageGroups, ROWS_AT_ONCE, workInHalves } from './page.js';
import { partsOf } from './parts.js';
import { type CoverageRules, type LinkedRegistry, linkedRegistries, readCoverageRules } from './rules.js';
import { runUngroupedChecks } from './ungrouped/checks.js';
import type { Extent } from './ungrouped/context.js';

/** One row of the evaluation result. */
export type EvaluatedRow = RowOf<typeof evaluateUnits>;

export type Outcome = 'covered' | 'orphan' | 'exception' | 'not_evaluated';

export interface CoverageOptions {
  readonly runId: string;
  readonly at: string;
  /** Inventory groups, in all their scopes; all groups when omitted. */
  readonly inventoryKeys?: readonly string[];
  /** As read in this transaction. */
  readonly rules: Rules;
  readonly canaries?: readonly Canary[];
  /** Whether a full scan evaluates everything, marked or not. */
  readonly audit?: boolean;
  /**
   * The extent of the ungrouped checks: `cheap` covers changes through time alone and the most recent log
   * entries. Default: everything for all groups, otherwise cheap.
   */
  readonly ungrouped?: Extent;
  /** How many rows one statement evaluates. */
  readonly rowsAtOnce?: number;
}

export interface CoverageEvaluation {
  /** Live groups, relevant or not. */
  readonly lookedAt: number;
  /** Relevant units, each in one scope. */
  readonly evaluated: number;
  /** Rows of groups and of objects whose outcome changed. */
  readonly changed: number;
  /** Rows written because outcome or evidence differ. Other rows are not touched. */
  readonly written: number;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** The findings to write, in this order, with `syncCoverageFindings`. */
  readonly pages: readonly FindingPage[];
  /** The evaluated inventory groups, in parts that one statement can process. */
  readonly parts: readonly (readonly string[])[];
  readonly canaries: CanaryReport;
}

/**
 * Above this many units per scope, nested-loop joins are slower than other joins. Look-ups by key are not
 * joins and keep using the index.
 */
const FEW_UNITS = 30n;

/** Runs `work`, a statement that evaluates about this many units, with a suitable planner setting. */
export function forUnits<T>(tx: Transaction, units: bigint, work: () => Promise<T>): Promise<T> {
  return units > FEW_UNITS ? tx.withoutNestedLoops(work) : work();
}

/** Class, scope and link of all requirements for `classes` (null: any) and for the canaries. */
function requirementsOf(rules: Rules, canaries: readonly Canary[], classes: ReadonlySet<string> | null) {
  const [scope = ''] = rules.scopes;
  const profiles = [...rules.profiles].filter(([name]) => classes === null || classes.has(name));
  return [
    ...profiles.flatMap(([objectClass, profile]) =>
      rules.scopes.flatMap((each) =>
        requiredLinksIn(profile, each).map((link) => ({ objectClass, scope: each, link })),
      ),
    ),
    ...canaries.map((canary) => ({ objectClass: canaryClass(canary), scope, link: canary.link })),
  ];
}

function isFlagged(
  canary: Canary,
  seen: { readonly kind: string; readonly link: string | null; readonly state: string | null } | undefined,
  coverage: CoverageRules,
): boolean {
  if (seen === undefined || seen.link !== canary.link) return false;
  const known =
    canary.link === 'owner' ? coverage.ownershipAvailable : coverage.evaluable.includes(canary.link);
  return known
    ? seen.kind === 'orphan' && seen.state === canary.state
    : seen.kind === 'not_evaluated' && seen.state === 'unknown';
}

/** The parameters of the evaluation that depend on the rules, for units of `classes` (null: any). */
export function rulesFor(
  rules: Rules,
  coverage: CoverageRules,
  registries: readonly LinkedRegistry[],
  canaries: readonly Canary[],
  classes: ReadonlySet<string> | null = null,
) {
  const holding = (link: string) =>
    registries
      .filter(({ columns }) => columns.some(([each]) => each === link))
      .map(({ registry }) => registry.name);
  const required = requirementsOf(rules, canaries, classes);
  const references = canaries.map((canary) => canary.reference);
  return {
    classes: required.map((each) => each.objectClass),
    scopes: required.map((each) => each.scope),
    links: required.map((each) => each.link),
    canaryClasses: canaries.map(canaryClass),
    canaryReferences: references,
    selfAuthorised: holding('dot_authority'),
    executed: holding('executor'),
    ownershipAvailable: coverage.ownershipAvailable,
    evaluable: coverage.evaluable,
  };
}

/** The gaps in the result of an evaluation. */
export function gapsIn(rows: readonly EvaluatedRow[]): readonly Gap[] {
  return rows.flatMap((row): Gap[] =>
    row.what === 'gap' && row.inventory_key !== null && row.scope !== null && row.link !== null
      ? [
          {
            inventoryKey: row.inventory_key,
            scope: row.scope,
            objectClass: row.object_class ?? '',
            sourceRegistry: row.source_registry ?? '',
            code: row.code,
            link: row.link,
            conflict: row.state === 'conflict',
            riskClass: row.risk_class ?? '',
            tool: row.tool,
          },
        ]
      : [],
  );
}

/** The results of the canaries. */
export function canariesIn(
  rows: readonly EvaluatedRow[],
  canaries: readonly Canary[],
  coverage: CoverageRules,
): CanaryReport {
  const seen = new Map(
    rows.filter((row) => row.what === 'canary').map((row) => [row.object_class ?? '', row] as const),
  );
  return {
    fed: canaries.length,
    missed: canaries
      .filter((canary) => !isFlagged(canary, seen.get(canaryClass(canary)), coverage))
      .map((canary) => canary.name),
  };
}

const COVERAGE: StageContract = {
  name: 'coverage',
  takes: 'inventory groups with current verdicts, or all; the rules',
  returns: 'the outcome of every relevant unit, and the findings to write',
  writes: 'the coverage columns of governance_candidate_state and governance_candidate_object',
  promises: 'every canary is evaluated with the units: a run that misses one is refused',
};

/** Evaluates the units of one page, in one statement. */
function evaluatePage(
  tx: Transaction,
  page: Page,
  groups: readonly RowOf<typeof readSources>[],
  options: CoverageOptions & { readonly coverage: CoverageRules; readonly canaries: readonly Canary[] },
): Promise<readonly EvaluatedRow[]> {
  const { runId, at, rules, coverage, canaries, audit = false } = options;
  const registries = linkedRegistries(coverage, rules.map, new Set(groups.map((row) => row.source_registry)));
  const classes = new Set(groups.map((row) => row.object_class));
  const units = groups.reduce((sum, row) => sum + row.units, 0n);
  return forUnits(tx, units, () =>
    tx.run(fillParts(evaluateUnits, partsOf(coverage, registries)), {
      ...rulesFor(rules, coverage, registries, canaries, classes),
      ...{ inventoryKeys: page.keys, rowScopes: page.scopes, at, audit, runId },
    }),
  );
}

/** The result of the canaries in every page: one that was missed once was missed. */
function canariesOf(
  evaluated: readonly (readonly EvaluatedRow[])[],
  canaries: readonly Canary[],
  coverage: CoverageRules,
): CanaryReport {
  const missed = new Set(evaluated.flatMap((rows) => canariesIn(rows, canaries, coverage).missed));
  return { fed: canaries.length, missed: [...missed] };
}

/** Evaluates coverage in the caller's transaction, after the verdicts of the same groups. */
export const evaluateCoverage = defineStage(
  COVERAGE,
  async (tx: Transaction, options: CoverageOptions): Promise<CoverageEvaluation> => {
    const { at, rules, inventoryKeys, canaries = CANARIES } = options;
    const coverage = await readCoverageRules(tx, rules);
    const groups = await tx.run(readSources, { inventoryKeys: inventoryKeys ?? null });
    const sized = groups.map((row) => ({ key: row.inventory_key, units: Number(row.units) }));
    const pages = pageGroups(sized, rules.scopes, options.rowsAtOnce ?? ROWS_AT_ONCE);
    const byKey = new Map(groups.map((row) => [row.inventory_key, row]));
    const evaluated: (readonly EvaluatedRow[])[] = [];
    for (const page of pages) {
      const work = (part: Page) =>
        evaluatePage(
          tx,
          part,
          part.keys.flatMap((key) => byKey.get(key) ?? []),
          { ...options, coverage, canaries },
        );
      evaluated.push(...(await workInHalves(page, rules.scopes, (attempt) => tx.savepoint(attempt), work)));
    }
    const rows = evaluated.flat();
    const extent = options.ungrouped ?? (inventoryKeys === undefined ? 'everything' : 'cheap');
    const ungrouped = await runUngroupedChecks(tx, {
      at,
      rules,
      coverage,
      sources: extent === 'everything' ? null : new Set(groups.map((row) => row.source_registry)),
    });
    const gaps = gapsIn(rows);
    const amount = (what: string, kind?: string): number =>
      rows
        .filter((row) => row.what === what && (kind === undefined || row.kind === kind))
        .reduce((sum, row) => sum + Number(row.amount), 0);
    return {
      lookedAt: amount('looked_at'),
      evaluated: amount('outcome'),
      changed: amount('changed'),
      written: amount('written'),
      outcomes: {
        covered: amount('outcome', 'covered'),
        orphan: amount('outcome', 'orphan'),
        exception: amount('outcome', 'exception'),
        not_evaluated: amount('outcome', 'not_evaluated'),
      },
      pages: pagesOf(
        gaps,
        ungrouped,
        {
          keys: inventoryKeys ?? groups.map((row) => row.inventory_key),
          everything: inventoryKeys === undefined,
        },
        gaps.length === 0
          ? new Map()
          : await readLegacy(tx, rules.content, { at, inventoryKeys: inventoryKeys ?? null }),
      ),
      // A group in several pages, of some scopes each, is one part.
      parts: pages.filter(({ keys }, index) => keys[0] !== pages[index - 1]?.keys[0]).map(({ keys }) => keys),
      canaries: canariesOf(evaluated, canaries, coverage),
    };
  },
  ({ lookedAt, evaluated, changed }) => ({ groups: lookedAt, evaluated, changed }),
);

/** Whether every canary was flagged. If not, the run has failed, and the caller must discard its results. */
export const areCanariesFlagged = (evaluation: Pick<CoverageEvaluation, 'canaries'>): boolean =>
  evaluation.canaries.fed > 0 && evaluation.canaries.missed.length === 0;
