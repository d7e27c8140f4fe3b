// Owns promotion: held signals whose type became active are emitted in order per subject, exactly once. A
// signal that the host refuses is parked, its successors wait, and after several attempts it is
// dead-lettered: visible, never dropped.
import type { CamelRow, RowOf, Transaction } from '../../../db/index.js';
import { requirePromotionSetting } from '../setting.js';
import {
  countHeld,
  type listHeld,
  listHeldTypes,
  promoteRows,
  redeliverRows,
  retryHeld,
  surveyHeld,
} from './promote.sql.js';

export type HeldSignal = CamelRow<RowOf<typeof listHeld>>;

export interface PromotionCounts {
  readonly promoted: number;
  /** Refused by the host in this run. */
  readonly failed: number;
  /** Dead-lettered in this run. */
  readonly deadLettered: number;
}

export interface PromotionBatch extends PromotionCounts {
  /** Whether the next batch of this run would find signals to process. */
  readonly more: boolean;
  /** When the run began. Pass it to the next batch, so that no refused signal is tried twice in one run. */
  readonly since: string;
}

export interface HeldType {
  readonly type: string;
  readonly registered: boolean;
  readonly active: boolean;
  readonly count: number;
  readonly deadLettered: number;
  /** For how long the oldest of them has been waiting. */
  readonly waitedSeconds: number;
}

export interface Promotion extends PromotionCounts {
  /** Signals that still wait, without dead letters. */
  readonly remaining: number;
  /**
   * Types with waiting signals. If one is not registered or not active, the layer above raises
   * `issue_event_gap`.
   */
  readonly heldTypes: readonly HeldType[];
  /** For how long the oldest signal has been waiting whose type is registered and active. */
  readonly waitedSeconds: number;
  /** Emitted signals whose subscribers could not be notified yet; `deliveryError` is the last error. */
  readonly undelivered: number;
  readonly deliveryError: string | null;
}

/** What the promoter of a worker knows after each round. */
export interface DuePromotion extends PromotionCounts, Pick<Promotion, 'waitedSeconds'> {
  readonly heldTypes: readonly Omit<HeldGap, 'count'>[];
}

export interface PromotionRequest {
  /** At most this many signals in this transaction. */
  readonly limit: number;
  /** The `since` of an earlier batch of the same run. */
  readonly since?: string;
}

/** How many failed deliveries one run retries. */
const REDELIVERIES = 100;

/** Promotes up to `limit` signals in the caller's transaction. */
export async function promoteBatch(tx: Transaction, request: PromotionRequest): Promise<PromotionBatch> {
  await requirePromotionSetting(tx);
  const row = await tx.one(promoteRows, {
    limit: request.limit,
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

/** Puts dead-lettered signals back in the queue, as the acting person. Returns their number. */
export async function reviveHeld(tx: Transaction, orderNos: readonly bigint[]): Promise<number> {
  return Number((await tx.one(retryHeld, { orderNos })).revived);
}

/** A type with waiting signals, and how many there are: exact up to COUNTED. */
export type HeldGap = Pick<HeldType, 'type' | 'registered' | 'active' | 'count'>;

/** A worker counts no further: there may be a year of signals. */
const COUNTED = 1_000;

/** Which types hold signals, and how many, up to COUNTED. */
export async function readHeldGaps(tx: Transaction): Promise<readonly HeldGap[]> {
  const types = await tx.run(listHeldTypes, {});
  const counted = await tx.run(countHeld, { types: types.map((row) => row.event_type), most: COUNTED });
  const counts = new Map(counted.map((row) => [row.event_type, Number(row.waiting)]));
  return types.map(({ event_type: type, registered, active }) => ({
    ...{ type, registered, active, count: counts.get(type) ?? 0 },
  }));
}

/** The held signals by type: reads all of them. */
async function surveyTypes(tx: Transaction): Promise<readonly HeldType[]> {
  const rows = await tx.run(surveyHeld, {});
  return rows.map((row) => ({
    type: row.event_type,
    registered: row.registered,
    active: row.active,
    count: Number(row.waiting),
    deadLettered: Number(row.dead_lettered),
    waitedSeconds: row.waited_seconds,
  }));
}

/** Retries failed deliveries, and reports which types hold signals, whatever their number. */
export async function closeDue(tx: Transaction, counts: PromotionCounts): Promise<DuePromotion> {
  await tx.one(redeliverRows, { limit: REDELIVERIES });
  const types = await tx.run(listHeldTypes, {});
  return {
    ...counts,
    heldTypes: types.map(({ event_type: type, registered, active }) => ({ type, registered, active })),
    waitedSeconds: Math.max(0, ...types.map((each) => each.waited_seconds)),
  };
}

/** Ends a run: retries failed deliveries, and reports the signals that still wait and why. */
export async function closePromotion(tx: Transaction, counts: PromotionCounts): Promise<Promotion> {
  const { undelivered, error } = await tx.one(redeliverRows, { limit: REDELIVERIES });
  const types = await surveyTypes(tx);
  const { promoted, failed, deadLettered } = counts;
  return {
    promoted,
    failed,
    deadLettered,
    remaining: types.reduce((sum, each) => sum + each.count, 0),
    heldTypes: types.filter((each) => each.count > 0),
    waitedSeconds: Math.max(
      0,
      ...types.filter((each) => each.registered && each.active).map((each) => each.waitedSeconds),
    ),
    undelivered: Number(undelivered),
    deliveryError: error,
  };
}
