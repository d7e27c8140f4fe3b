// Owns the end of a closing run: it compares with the independent recount, repairs differences, counts the
// ledger in the compared state, and stores the result as a second snapshot with one audit row. Only a ledger
// that closes completes the run.

import { readServerTime, type Transaction } from '../../db/index.js';
import { appendAudit } from '../../host/index.js';
import type { ClassMap } from '../../inventory/group/index.js';
import {
  type Captured,
  type Inventory,
  keepSnapshot,
  readInventory,
} from '../../inventory/snapshot/index.js';
import {
  type Comparison,
  compareWithRecount,
  markAllGroups,
  withoutSetAside,
} from '../../inventory/tail/index.js';
import { toWire } from '../../kernel/index.js';
import { advance } from '../../record/cursor/index.js';
import { readDuplicateBirths } from '../../verdict/input/index.js';
import {
  type Closing,
  type ClosingSide,
  closeLedger,
  countInventory,
  type InventoryCount,
  readClosingSide,
} from '../../verdict/ledger/index.js';
import { followRound } from '../follow/index.js';
import type { BirthChecks } from './births.js';
import { type ClosingContext, type RunStamp, retryTargetOf } from './context.js';
import { renewObjects, walkObjects } from './objects.js';
import { type Proof, proofOf } from './proof.js';
import { isWalkDue, requestWalk } from './walk.js';

/** A busy host may force a recomputation in every attempt; then the proof claims equality only. */
const ATTEMPTS = 4;
const READ_ONLY = { isolation: 'repeatable read', readOnly: true } as const;

export interface Compared {
  readonly proof: Proof;
  /** Undefined, like `recount`, if the recount exceeded its time limit. */
  readonly closing: Closing | undefined;
  readonly recount: { readonly inventory: Inventory; readonly map: ClassMap } | undefined;
  readonly at: string;
  readonly changed: bigint;
}

interface ComparedOnce {
  readonly comparison: Comparison;
  /** Undefined if the comparison exceeded its time limit. */
  readonly closing: Closing | undefined;
  readonly recount: Compared['recount'];
  readonly setAside: bigint;
  readonly changed: bigint;
  readonly walk: boolean;
  /** Objects are due, or the ledger shows objects without a row: a walk writes their rows. */
  readonly repair: boolean;
  /** Births were set aside or objects became dirty after the compared state, so it is out of date. */
  readonly overtaken: boolean;
}

/**
 * One comparison. Both sides of the ledger are read in its snapshot: the rows after its round, and the
 * inventory.
 */
async function compareOnce(
  context: ClosingContext,
  stamp: RunStamp,
  checks: BirthChecks,
  onShare: (share: number) => void,
): Promise<ComparedOnce> {
  const { db, intake, runId } = context;
  let seen: { recount: NonNullable<Compared['recount']>; left: InventoryCount; setAside: bigint } | undefined;
  let side: ClosingSide | undefined;
  let changed = 0n;
  let walk = false;
  let due = false;
  let overtaken = false;
  const comparison = await compareWithRecount(db, intake, {
    schema: db.schema,
    limitMs: db.statementTimeoutMs,
    ...(context.holdMs === undefined ? {} : { maxDurationMs: context.holdMs }),
    // The recount less the births set aside, read in the same state: the rest must match exactly.
    reader: async (tx, map, options) => {
      // The births are read twice: for the fingerprints, and for the ledger.
      const inventory = await readInventory(tx, map, {
        ...options,
        afterRange: (share) => onShare(share / 2),
      });
      const counted = await withoutSetAside(tx, map, inventory);
      const left = await countInventory(tx, map, {
        ...options,
        groups: inventory.groups,
        afterRange: (share) => onShare((1 + share) / 2),
      });
      seen = { recount: { inventory, map }, left, setAside: counted.births };
      return counted.inventory;
    },
    afterRound: async (tx, round) => {
      context.onRound?.(round);
      const followed = await followRound(tx, retryTargetOf(context), round, {
        stamp: { ...stamp, at: round.at },
        ...checks,
      });
      changed += followed.changed;
      walk ||= followed.walkObjects;
      if (followed.walkObjects) await requestWalk(tx, context.lease);
      due = followed.objectsDue;
      overtaken ||= followed.overtaken;
      if (round.more) return;
      const { rules } = followed;
      changed += (await context.beforeLedger?.(tx, { ...stamp, at: round.at, rules })) ?? 0n;
      side = await readClosingSide(tx, { at: round.at, map: rules.map, runId });
    },
  });
  const closing = seen && side && (await closeLedger(seen.left, side));
  return {
    comparison,
    closing,
    recount: seen?.recount,
    setAside: seen?.setAside ?? 0n,
    changed,
    walk,
    repair: due || closing?.ledger.scopes.some((scope) => scope.differing > 0) === true,
    overtaken,
  };
}

/** Compares until all groups are equal without a recomputation, at most ATTEMPTS times. */
export async function reconcile(
  context: ClosingContext,
  stamp: RunStamp,
  /** For the first comparison; the rounds of the tail see births that arrive after that check. */
  checks: BirthChecks,
): Promise<Compared> {
  const repaired = new Set<string>();
  let changed = 0n;
  let walked = false;
  let openChecks = checks;
  // Requested by a run that was interrupted before the walk, or by a verification.
  if (context.walkAll === true || (await context.db.transaction(READ_ONLY, isWalkDue)))
    changed += await walkObjects(context, stamp);
  for (let attempt = 1; ; attempt += 1) {
    context.stopIfRequested();
    context.onReconcile(attempt - 1, ATTEMPTS);
    changed += await renewObjects(context, stamp);
    const done = attempt - 1;
    const once = await compareOnce(context, stamp, openChecks, (share) =>
      context.onReconcile(done + share, ATTEMPTS),
    );
    openChecks = {};
    const { comparison, closing } = once;
    changed += once.changed;
    // Rows that are due, or missing for a reason no round sees (a manual DELETE): one walk is enough.
    const misses =
      once.repair ||
      closing?.ledger.scopes.some((each) => each.differing > 0 || each.gone.length > 0) === true;
    const walk: boolean = once.walk || (misses && !walked);
    const reconciled =
      comparison.groups.every((group) => group.outcome === 'proved') && !walk && !once.overtaken;
    const isLast = attempt === ATTEMPTS;
    if (comparison.notVerified || reconciled || isLast) {
      return {
        proof: proofOf(comparison, repaired, once.setAside),
        closing,
        recount: once.recount,
        at: comparison.at,
        changed,
      };
    }
    if (walk) {
      changed += await walkObjects(context, stamp);
      openChecks = { duplicates: await context.db.transaction(READ_ONLY, (tx) => readDuplicateBirths(tx)) };
      walked = true;
    }
    const differing = comparison.groups.filter((group) => group.outcome === 'differs');
    for (const { inventoryKey } of differing) repaired.add(inventoryKey);
    if (differing.length > 0) {
      await context.intake.work({ isolation: 'read committed', retries: 5 }, async (tx) => {
        await markAllGroups(tx);
        await advance(tx, context.intake, 'wide', { summary: { repair: differing.length } });
      });
    }
  }
}

/** Stores the proof as a snapshot with one audit row, in the caller's transaction. */
export async function keepProof(
  tx: Transaction,
  context: ClosingContext,
  rulesetVersion: string,
  compared: Compared,
  { closing, recount }: { readonly closing: Closing; readonly recount: NonNullable<Compared['recount']> },
): Promise<Captured> {
  const { announce, runId } = context;
  const { proof, at } = compared;
  const captured = await keepSnapshot(
    tx,
    {
      kind: context.snapshotKind,
      announce,
      activeRuleset: async () => rulesetVersion,
      phase: 'tailing',
    },
    { runId, at, ...recount, closing: { proof: toWire(proof), ledger: toWire(closing.ledger) } },
  );
  await appendAudit(tx, [
    {
      entityType: 'governance_reconciliation',
      action: 'close',
      entityCode: runId,
      detail: {
        snapshot: String(captured.id),
        ruleset: rulesetVersion,
        identity: captured.document.identity,
        births: captured.document.totals.objects,
        groups: captured.document.totals.groups,
        closed_at: await readServerTime(tx),
        scopes: closing.ledger.scopes.length,
      },
    },
  ]);
  return captured;
}
