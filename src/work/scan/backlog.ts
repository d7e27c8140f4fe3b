// Owns the backlog of scans: which inventory groups wait, in which order, and their exposure (risk weight
// times seconds).
import { z } from 'zod';
import { defineSetting, readServerTime, readSetting, type Transaction } from '../../db/index.js';
import { haveExceptionsChanged } from '../../rule/exception/index.js';
import { hasDangling, readChangedReasons } from '../../verdict/candidate/index.js';
import { readBacklogRow, readDue, readOldestMark } from './backlog.sql.js';
import { isRetryDue } from './failed.js';
import { areUngroupedChecksDue } from './ungrouped.js';

const paceSetting = z.strictObject({
  debounce_ms: z.int().min(0).max(600_000),
  at_once: z.int().min(1).max(100_000),
  full_share: z.number().gt(0).max(1),
  storm_at_once: z.int().min(1).max(100_000).default(50),
  units_at_once: z.int().min(1).max(10_000_000).default(20_000),
});
export type ScanPace = z.infer<typeof paceSetting>;
const riskSetting = z.record(z.string(), z.number().nonnegative());
export const scanPace = defineSetting({
  key: 'scan.pace',
  form: paceSetting,
  default: { debounce_ms: 1000, at_once: 500, full_share: 0.2, storm_at_once: 50, units_at_once: 20_000 },
  about:
    'how long an event scan waits after a mark, how many inventory groups one transaction evaluates, from which share of waiting groups on all of them are evaluated at once, how many a run evaluates in a storm, and how many units (in each scope) one transaction evaluates at most, unless a single group has more',
});
export const scanRisk = defineSetting({
  key: 'scan.risk',
  form: riskSetting,
  default: { write_high: 8, write_low: 4, read: 2, descriptive: 1 },
  about:
    'the weight of one second of waiting per risk class: scans take groups in order of weight times time',
});

export const readScanPace = (tx: Transaction): Promise<ScanPace> => readSetting(tx, scanPace);

const readRisks = (tx: Transaction): Promise<Readonly<Record<string, number>>> => readSetting(tx, scanRisk);

/** The weight of one second of waiting per risk class, as JSON. */
const readRisk = async (tx: Transaction): Promise<string> => JSON.stringify(await readRisks(tx));

/** A risk class without a weight counts like `write_high`. */
const UNWEIGHED = 8;

/** Returns the weight of one risk class. */
export async function readRiskWeights(tx: Transaction): Promise<(riskClass: string) => number> {
  const weights = await readRisks(tx);
  return (riskClass) => weights[riskClass] ?? UNWEIGHED;
}

export interface DueGroup {
  readonly inventoryKey: string;
  /**
   * Whether the only dirty reason is that the inventory moved: with equal inputs there is nothing to
   * evaluate.
   */
  readonly moved: boolean;
}

/** A waiting group, with about how many units it has in each scope. */
export interface WaitingGroup extends DueGroup {
  readonly units: number;
}

/** The waiting groups, ordered by exposure. */
export async function readDueGroups(
  tx: Transaction,
  options: {
    readonly at: string;
    /** The minimum age of a dirty mark. */
    readonly restMs: number;
    readonly expired: boolean;
    readonly limit: number;
  },
): Promise<readonly WaitingGroup[]> {
  const { at, restMs, expired } = options;
  const risk = await readRisk(tx);
  const rows = await tx.run(readDue, { at, restMs, expired, risk, limit: BigInt(options.limit) });
  return rows.map((row) => ({ inventoryKey: row.inventory_key, moved: row.moved, units: Number(row.units) }));
}

/** The first of these groups that have at most `units` units together, but at least one. */
export function takeUnits(groups: readonly WaitingGroup[], units: number): readonly WaitingGroup[] {
  let sum = 0;
  const end = groups.findIndex((group, index) => {
    sum += group.units;
    return index > 0 && sum > units;
  });
  return end < 0 ? groups : groups.slice(0, end);
}

export interface Backlog {
  readonly groups: bigint;
  readonly objects: bigint;
  readonly allGroups: bigint;
  /** The time of the oldest mark. */
  readonly oldest: string | null;
  readonly waitedSeconds: number;
  /** Whether a row with a high risk waits. */
  readonly highRisk: boolean;
  /** Risk weight times seconds, summed over all waiting rows. */
  readonly exposure: number;
}

export async function readBacklog(tx: Transaction, at: string): Promise<Backlog> {
  const row = await tx.one(readBacklogRow, { at, risk: await readRisk(tx) });
  const { groups, objects, oldest, exposure } = row;
  const [allGroups, waitedSeconds] = [row.all_groups, row.waited_seconds];
  return { groups, objects, allGroups, oldest, waitedSeconds, highRisk: row.high_risk, exposure };
}

/** For how many seconds the oldest dirty row has been waiting: how far scans are behind. */
export async function readScanLag(tx: Transaction): Promise<number> {
  return (await tx.one(readOldestMark, { at: await readServerTime(tx) })).waited_seconds;
}

/** Whether an event scan, or with `expired` an incremental scan, has work to do. */
export async function isAnythingDue(
  tx: Transaction,
  options: { readonly expired: boolean },
): Promise<boolean> {
  const { expired } = options;
  const at = await readServerTime(tx);
  const { debounce_ms: rest } = await readScanPace(tx);
  const due = await readDueGroups(tx, { at, restMs: expired ? 0 : rest, expired, limit: 1 });
  if (due.length > 0 || (await haveExceptionsChanged(tx, at))) return true;
  if (await isRetryDue(tx, at)) return true;
  // A scan looks at reasons for single rows itself; here, at those that began or ended without one.
  return (
    expired &&
    ((await hasDangling(tx)) ||
      (await areUngroupedChecksDue(tx)) ||
      (await readChangedReasons(tx)).length > 0)
  );
}
