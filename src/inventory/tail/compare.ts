// Owns comparing the running fingerprints with the independent recount. Both use one snapshot: a wide round
// brings the running state up to it, and a read-only transaction that imports it aggregates the inventory
// independently, without a lease or a transaction id. INVARIANT: every difference is real, and equality is a
// proof. The comparison repairs nothing.
import {
  type Database,
  isSerializationFailure,
  quoteLiteral,
  readServerTime,
  type Transaction,
} from '../../db/index.js';
import type { Lease } from '../../record/cursor/index.js';
import { readClassMap } from '../group/index.js';
import { type Inventory, readInventory } from '../snapshot/index.js';
import { exportSnapshot } from './compare.sql.js';
import { lockBirths } from './horizon.sql.js';
import { ROUND_TRANSACTION, type RoundOptions } from './limits.js';
import { type TailRound, wideRound } from './round.js';
import { countRunning, type RunningFingerprint, type RunningGroup, readRunning } from './running.js';

/**
 * A held snapshot stops vacuum from removing dead rows. One minute is harmless; a larger table also has the
 * time that reading it takes, with room: a million births were read in three quarters of a second.
 */
const LEAST_HOLD_MS = 60_000;
const HOLD_MS_PER_BIRTH = 0.003;

export interface CompareOptions extends Omit<RoundOptions, 'recompute' | 'noticeDeletions'> {
  /**
   * How long the snapshot may be held; beyond it the result is "not verified". Default: it grows with the
   * number of births.
   */
  readonly maxDurationMs?: number;
  /**
   * Processes the result of each round, in its transaction. INVARIANT: no row that a round read may be
   * dropped.
   */
  readonly afterRound?: (tx: Transaction, round: TailRound) => Promise<void>;
  /** The independent reading; default: the aggregate of snapshots, which shares no state with the tail. */
  readonly reader?: typeof readInventory;
}

interface GroupComparison {
  readonly inventoryKey: string;
  /** Proved: equal, and maintained by additions. Rebased: equal, but recomputed in this round. */
  readonly outcome: 'proved' | 'rebased' | 'differs';
  readonly running: RunningFingerprint;
  readonly recount: RunningFingerprint;
}

export interface Comparison {
  /** Whether everything was compared and no group differs. */
  readonly holds: boolean;
  /** The time limit was exceeded: nothing was compared. */
  readonly notVerified: boolean;
  readonly groups: readonly GroupComparison[];
  /** The preceding rounds, in order. */
  readonly rounds: readonly TailRound[];
  readonly at: string;
  readonly elapsedMs: number;
}

const NOTHING: RunningFingerprint = {
  count: 0n,
  grainCount: 0n,
  maxBornAt: null,
  maxId: null,
  h1: 0n,
  h2: 0n,
};

const printOf = ({
  count,
  grainCount,
  maxBornAt,
  maxId,
  h1,
  h2,
}: RunningFingerprint): RunningFingerprint => ({
  count,
  grainCount,
  maxBornAt,
  maxId,
  h1,
  h2,
});

const isEqual = (left: RunningFingerprint, right: RunningFingerprint): boolean =>
  (Object.keys(NOTHING) as (keyof RunningFingerprint)[]).every((name) => left[name] === right[name]);

/** How long a comparison of so many births may hold its snapshot. */
export const holdMsFor = (births: bigint): number => LEAST_HOLD_MS + Number(births) * HOLD_MS_PER_BIRTH;

class OutOfTime extends Error {}

/** Holds an imported snapshot until the aggregate is done; starts reading after `go`. */
class Recount {
  readonly imported: Promise<void>;
  readonly inventory: Promise<Inventory | undefined>;
  #go: () => void = () => undefined;
  #giveUp: (error: unknown) => void = () => undefined;
  #isGivenUp = false;

  constructor(db: Database, snapshotId: string, options: CompareOptions) {
    const released = new Promise<void>((resolve, reject) => {
      this.#go = resolve;
      this.#giveUp = reject;
    });
    let holding: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      holding = resolve;
    });
    this.inventory = this.#read(db, snapshotId, options, async () => {
      holding();
      await released;
    });
    // An error before the import rejects `imported`; a later one rejects `inventory`.
    this.imported = Promise.race([held, this.inventory.then(() => undefined)]);
    released.catch(() => undefined);
    this.inventory.catch(() => undefined);
    this.imported.catch(() => undefined);
  }

  go(): void {
    this.#go();
  }

  /** Ends the transaction without reading, or at the next range while it reads. */
  async giveUp(error: unknown): Promise<void> {
    this.#isGivenUp = true;
    this.#giveUp(error);
    await this.inventory.catch(() => undefined);
  }

  async #read(
    db: Database,
    snapshotId: string,
    options: CompareOptions,
    hold: () => Promise<void>,
  ): Promise<Inventory | undefined> {
    const { schema, limitMs = db.statementTimeoutMs } = options;
    const reader = options.reader ?? readInventory;
    const how = { isolation: 'repeatable read', readOnly: true, statementTimeoutMs: limitMs } as const;
    try {
      return await db.transaction(how, async (tx) => {
        await tx.script(`set transaction snapshot ${quoteLiteral(snapshotId)}`);
        // Taken before the round releases its own lock, so that no session can truncate the table under this
        // snapshot.
        await tx.run(lockBirths, {});
        await hold();
        const { maxDurationMs = holdMsFor(await countRunning(tx)) } = options;
        const deadline = performance.now() + maxDurationMs;
        const beforeRange = () => {
          if (this.#isGivenUp || performance.now() > deadline) throw new OutOfTime();
        };
        beforeRange();
        return reader(tx, await readClassMap(tx, schema), { limitMs, beforeRange });
      });
    } catch (error) {
      if (error instanceof OutOfTime) return undefined;
      throw error;
    }
  }
}

interface Prepared {
  readonly round: TailRound;
  readonly running: readonly RunningGroup[];
  readonly recount: Recount;
}

/** Starts the independent recount in the snapshot of `tx`, in parallel to the work of `tx`. */
async function startRecount(tx: Transaction, db: Database, options: CompareOptions): Promise<Recount> {
  const recount = new Recount(db, (await tx.one(exportSnapshot, {})).id, options);
  await recount.imported.catch(async (error: unknown) => {
    // An exported snapshot ends with its transaction. If `tx` has failed, this statement throws the actual
    // error.
    await readServerTime(tx);
    throw error;
  });
  recount.go();
  return recount;
}

/**
 * Runs wide rounds until nothing is left. In the snapshot of the last round, both the running state and the
 * independent recount are read. While a round may be the last, the recount runs in parallel to it, because
 * they are independent. After a round that was not the last, the recount starts only when a round has
 * finished.
 */
async function prepare(
  db: Database,
  lease: Lease,
  options: CompareOptions,
  rounds: TailRound[],
): Promise<Prepared> {
  let isBehind = false;
  for (let attempt = 0; ; ) {
    let recount: Recount | undefined;
    try {
      const { limitMs: statementTimeoutMs = db.statementTimeoutMs } = options;
      const how = { ...ROUND_TRANSACTION, statementTimeoutMs, retries: 0 };
      const done = await lease.work(how, async (tx: Transaction) => {
        // Takes the lock of the round before exporting its snapshot, so that no session can rewrite the table
        // under either.
        await tx.run(lockBirths, {});
        if (!isBehind) recount = await startRecount(tx, db, options);
        const round = await wideRound(tx, lease, { ...options, recompute: 'now', noticeDeletions: false });
        if (round.more) {
          await options.afterRound?.(tx, round);
          return { round };
        }
        const running = await readRunning(tx);
        recount ??= await startRecount(tx, db, options);
        await options.afterRound?.(tx, round);
        return { round, running, recount };
      });
      rounds.push(done.round);
      if (done.recount !== undefined) return done;
      isBehind = true;
      await recount?.giveUp(new OutOfTime());
    } catch (error) {
      await recount?.giveUp(error);
      attempt += 1;
      if (!isSerializationFailure(error) || attempt > ROUND_TRANSACTION.retries) throw error;
    }
  }
}

function compareGroups({ running, round }: Prepared, inventory: Inventory): readonly GroupComparison[] {
  const left = new Map(running.map((group) => [group.key, printOf(group)]));
  const right = new Map(inventory.groups.map((group) => [group.key, printOf(group)]));
  return [...new Set([...left.keys(), ...right.keys()])].sort().map((inventoryKey) => {
    const [ours, theirs] = [left.get(inventoryKey) ?? NOTHING, right.get(inventoryKey) ?? NOTHING];
    const agreed = round.recomputed ? 'rebased' : 'proved';
    const outcome = isEqual(ours, theirs) ? agreed : 'differs';
    return { inventoryKey, outcome, running: ours, recount: theirs };
  });
}

/** Compares every running fingerprint with an independent aggregate of the same table state. */
export async function compareWithRecount(
  db: Database,
  lease: Lease,
  options: CompareOptions,
): Promise<Comparison> {
  const started = performance.now();
  const rounds: TailRound[] = [];
  const prepared = await prepare(db, lease, options, rounds);
  const inventory = await prepared.recount.inventory;
  const groups = inventory === undefined ? [] : compareGroups(prepared, inventory);
  const notVerified = inventory === undefined;
  return {
    holds: !notVerified && groups.every((group) => group.outcome !== 'differs'),
    notVerified,
    groups,
    rounds,
    at: prepared.round.at,
    elapsedMs: performance.now() - started,
  };
}
