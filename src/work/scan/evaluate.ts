// Owns the re-evaluation of groups in one transaction: first the verdicts of groups and their objects, then
// coverage where needed, then the findings. If the inputs are equal, the row is only renewed (early cutoff).
// If a canary is not flagged, the transaction rolls back.
import type { Transaction } from '../../db/index.js';
import type { Announce } from '../../inventory/snapshot/index.js';
import { markAllGroups } from '../../inventory/tail/index.js';
import type { Transitions } from '../../record/finding/index.js';
import {
  type ChangedReason,
  evaluateGroups,
  materializeUnborn,
  type Rules,
  reviseObjects,
  type VerdictStamp,
} from '../../verdict/candidate/index.js';
import {
  areCanariesFlagged,
  type CoverageEvaluation,
  evaluateCoverage,
  syncCoverageFindings,
} from '../../verdict/coverage/index.js';
import { readTouchedInput, syncInputFindings } from '../../verdict/input/index.js';
import { type RetryTarget, setAside, tryAll } from '../follow/index.js';
import type { DueGroup } from './backlog.js';
import { scanErrors } from './errors.js';
import { readDueObjects, readNamed, readUnevaluated } from './evaluate.sql.js';

export interface ScanCounts {
  /** Evaluated groups, counted once per scope. */
  readonly lookedAt: number;
  /** Those of them with unchanged inputs: renewed only. */
  readonly cutOff: number;
  readonly evaluated: number;
  /** Rows whose verdict or outcome changed. */
  readonly changed: number;
  /** Inventory groups that could not be evaluated. */
  readonly failed: number;
  readonly raised: number;
  readonly resolved: number;
  readonly reopened: number;
}

export const NOTHING_SCANNED: ScanCounts = {
  lookedAt: 0,
  cutOff: 0,
  evaluated: 0,
  changed: 0,
  failed: 0,
  raised: 0,
  resolved: 0,
  reopened: 0,
};

export function addCounts(left: ScanCounts, right: ScanCounts): ScanCounts {
  return {
    lookedAt: left.lookedAt + right.lookedAt,
    cutOff: left.cutOff + right.cutOff,
    evaluated: left.evaluated + right.evaluated,
    changed: left.changed + right.changed,
    failed: left.failed + right.failed,
    raised: left.raised + right.raised,
    resolved: left.resolved + right.resolved,
    reopened: left.reopened + right.reopened,
  };
}

export interface ScanContext {
  readonly announce: Announce;
  /** The retry list for births that fail. */
  readonly retryTarget: RetryTarget;
}

/** Raises, resolves and announces the coverage findings; fails if the evaluation missed a canary. */
export async function syncScanFindings(
  tx: Transaction,
  { announce }: Pick<ScanContext, 'announce'>,
  coverage: CoverageEvaluation,
  stamp: VerdictStamp,
): Promise<Transitions> {
  if (!areCanariesFlagged(coverage))
    throw scanErrors.scan_canary_missed(
      coverage.canaries.missed.map((name) => `\`${name}\``).join(', ') || 'no canary was evaluated',
    );
  const { runId, at, rulesetVersion } = stamp;
  const context = { runId, at, ruleset: rulesetVersion, activeRuleset: rulesetVersion };
  const transitions = await syncCoverageFindings(tx, coverage, context);
  await announce(tx, transitions, context);
  return transitions;
}

/** The inputs of an evaluation, beside the groups. */
export interface ScanBasis extends VerdictStamp {
  readonly rules: Rules;
  /** Members of containers for which a reason for a row of their own began or ended. */
  readonly changedReasons: readonly ChangedReason[];
}

/**
 * Re-evaluates the objects of these groups whose rows are no longer valid, or have other reasons now; returns
 * how many objects these were, and how many rows changed.
 */
async function reviseDue(
  tx: Transaction,
  { retryTarget }: ScanContext,
  keys: readonly string[],
  all: ScanBasis,
): Promise<{ readonly objects: number; readonly changed: number }> {
  const { at, rulesetVersion } = all;
  const due = await tx.run(readDueObjects, { inventoryKeys: keys, at, rulesetVersion });
  // Ownership may have begun to name an object of class 0, which had no row of its own.
  const { objects: shared } = all.rules.shared;
  const named =
    shared.length === 0
      ? []
      : await tx.run(readNamed, {
          inventoryKeys: keys,
          collections: shared.map((each) => each.collection),
          codes: shared.map((each) => each.code),
        });
  const groups = new Set(keys);
  const requested = all.changedReasons.flatMap(({ inventoryKey, collection, code, birthId }) =>
    groups.has(inventoryKey) && birthId !== null
      ? [{ collection_name: collection, entity_code: code, birth_id: birthId }]
      : [],
  );
  const born = [
    ...due.flatMap((row) => (row.birth_id === null ? [] : [{ ...row, birth_id: row.birth_id }])),
    ...named,
    ...requested,
  ];
  let changed = 0;
  const failed = await tryAll(tx, born, async (part) => {
    const keysOf = part.map((row) => ({ collection: row.collection_name, code: row.entity_code }));
    const written = await reviseObjects(tx, keysOf, all);
    changed += written.inserted + written.changed + written.superseded;
  });
  const births = failed.map(({ item, error }) => ({ item: item.birth_id, error }));
  if ((await setAside(tx, retryTarget, births)).length > 0) await markAllGroups(tx);
  const objects = due.length + named.length + requested.length;
  if (born.length === objects) return { objects, changed };
  // Members without a birth cannot be revised one by one: all of them are materialized again.
  const unborn = await materializeUnborn(tx, all);
  changed += unborn.inserted + unborn.changed + unborn.superseded;
  return { objects, changed };
}

/** A re-evaluated object may be valid or invalid now: updates the findings about its input. */
async function syncObjectInputs(
  tx: Transaction,
  { announce }: ScanContext,
  { runId, at, rulesetVersion, rules }: VerdictStamp & { readonly rules: Rules },
): Promise<Transitions | undefined> {
  const collections = await readTouchedInput(tx, at);
  if (collections.length === 0) return undefined;
  const context = { runId, at, ruleset: rulesetVersion, activeRuleset: rulesetVersion };
  const transitions = await syncInputFindings(tx, context, { map: rules.map, collections });
  await announce(tx, transitions, context);
  return transitions;
}

/**
 * Re-evaluates the groups in `due`. With `ungrouped` it runs all ungrouped checks, too; with `look` only the
 * cheap ones, even if no group needs coverage.
 */
export async function scanGroups(
  tx: Transaction,
  retryTarget: ScanContext,
  due: readonly DueGroup[],
  all: ScanBasis & { readonly ungrouped: boolean; readonly look?: boolean },
): Promise<ScanCounts> {
  const keys = due.map((group) => group.inventoryKey);
  const revised = await reviseDue(tx, retryTarget, keys, all);
  const input = revised.objects === 0 ? undefined : await syncObjectInputs(tx, retryTarget, all);
  const groups = await evaluateGroups(tx, { ...all, inventoryKeys: keys, cause: 'scan' });
  const differing = new Set(groups.differing.map((each) => each.inventoryKey));
  const unevaluated = await tx.run(readUnevaluated, { inventoryKeys: keys });
  const open = new Set(unevaluated.map((row) => row.inventory_key));
  // Any reason other than an inventory move: links may have changed although the inputs are equal.
  const concerned = due
    .filter(({ inventoryKey, moved }) => !moved || differing.has(inventoryKey) || open.has(inventoryKey))
    .map((group) => group.inventoryKey);
  const scopes = new Set(all.rules.scopes).size;
  const counts = {
    ...NOTHING_SCANNED,
    lookedAt: groups.evaluated,
    cutOff: groups.evaluated - concerned.length * scopes,
    evaluated: concerned.length * scopes,
    changed: groups.inserted + groups.changed + revised.changed,
    raised: input?.raised.length ?? 0,
    resolved: input?.resolved.length ?? 0,
    reopened: input?.reopened.length ?? 0,
  };
  const { runId, at, rules } = all;
  if (concerned.length === 0 && !all.ungrouped && all.look !== true) return counts;
  const coverage = await evaluateCoverage(tx, {
    ...{ runId, at, rules, inventoryKeys: concerned },
    ungrouped: all.ungrouped ? 'everything' : 'cheap',
  });
  const { raised, resolved, reopened } = await syncScanFindings(tx, retryTarget, coverage, all);
  return {
    ...counts,
    changed: counts.changed + coverage.changed,
    raised: counts.raised + raised.length,
    resolved: counts.resolved + resolved.length,
    reopened: counts.reopened + reopened.length,
  };
}
