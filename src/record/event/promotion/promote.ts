// Owns promotion: held signals whose type has become active leave in order per subject, exactly once. What the host refuses
// is set apart, keeps its successors waiting, and after a few tries is dead-lettered: visible, never dropped.
import type { CamelRow, RowOf, Transaction } from '../../../db/index.js';
import type { HostMapping } from '../../../host/index.js';
import { readPromotionLimits } from '../setting.js';
import { alertLevel, severityWords } from '../type/type.js';
import { type listHeld, promoteRows, redeliverRows, retryHeld, surveyHeld } from './promote.sql.js';

export type HeldSignal = CamelRow<RowOf<typeof listHeld>>;

export interface PromotionCounts {
  readonly promoted: number;
  /** Refused by the host in this run. */
  readonly failed: number;
  /** Given up in this run. */
  readonly deadLettered: number;
}

export interface PromotionBatch extends PromotionCounts {
  /** Whether the next batch of this run would find something to look at. */
  readonly more: boolean;
  /** When the run began; given to its next batch, no refused signal is tried twice in one run. */
  readonly since: string;
}

export interface HeldType {
  readonly type: string;
  readonly registered: boolean;
  readonly active: boolean;
  readonly count: number;
  readonly deadLettered: number;
}

export interface Promotion extends PromotionCounts {
  /** Signals that still wait, dead letters not counted. */
  readonly remaining: number;
  /** Types with signals that wait. Not registered or not active: the floor above raises `issue_event_gap`. */
  readonly heldTypes: readonly HeldType[];
  /** Signals that left, but whose subscribers could not be told yet; and the last reason. */
  readonly undelivered: number;
  readonly deliveryError: string | null;
}

export interface PromotionRequest {
  readonly mapping: HostMapping;
  /** At most this many signals in this transaction. */
  readonly limit: number;
  readonly at?: string;
  /** Of an earlier batch of the same run. */
  readonly since?: string;
}

/** How many failed deliveries one run tries again. */
const REDELIVERIES = 100;

/** Promotes up to `limit` signals in the caller's transaction, and says nothing about the rest. */
export async function promoteBatch(tx: Transaction, request: PromotionRequest): Promise<PromotionBatch> {
  const { maxErrors } = await readPromotionLimits(tx);
  const row = await tx.one(promoteRows, {
    limit: request.limit,
    maxErrors,
    severityWords: severityWords(request.mapping),
    alertLevel: alertLevel(request.mapping),
    at: request.at ?? null,
    since: request.since ?? null,
  });
  return {
    more: row.more,
    since: row.since,
    promoted: Number(row.promoted),
    failed: Number(row.failed),
    deadLettered: Number(row.dead_lettered),
  };
}

/** Puts dead-lettered signals back in the queue; all of them unless some are named. Returns how many. */
export async function reviveHeld(tx: Transaction, orderNos: readonly bigint[] | null): Promise<number> {
  return Number((await tx.one(retryHeld, { orderNos })).revived);
}

/** What waits, by type. */
async function heldTypes(tx: Transaction): Promise<HeldType[]> {
  const rows = await tx.run(surveyHeld, {});
  return rows.map((row) => ({
    type: row.event_type,
    registered: row.registered,
    active: row.active,
    count: Number(row.waiting),
    deadLettered: Number(row.dead_lettered),
  }));
}

/** The end of a run: tells subscribers who could not be told before, and reports what still waits and why. */
export async function closePromotion(
  tx: Transaction,
  counts: PromotionCounts,
  options: { readonly at?: string } = {},
): Promise<Promotion> {
  const { undelivered, error } = await tx.one(redeliverRows, {
    limit: REDELIVERIES,
    at: options.at ?? null,
  });
  const types = await heldTypes(tx);
  const { promoted, failed, deadLettered } = counts;
  return {
    promoted,
    failed,
    deadLettered,
    remaining: types.reduce((sum, each) => sum + each.count, 0),
    heldTypes: types.filter((each) => each.count > 0),
    undelivered: Number(undelivered),
    deliveryError: error,
  };
}
