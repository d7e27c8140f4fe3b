// Owns the sweep over all births older than the tail, in primary key order and in batches. Each batch is one
// transaction: it writes the partial sums and the object rows, and moves the cursor last.
import { setTimeout as timer } from 'node:timers/promises';
import type { Transaction } from '../../db/index.js';
import { type GroupPart, readSweepPage } from '../../inventory/tail/index.js';
import { hasCode } from '../../kernel/index.js';
import { advance } from '../../record/cursor/index.js';
import { materializeObjects, type Rules, type VerdictStamp } from '../../verdict/candidate/index.js';
import { retryTargetOf } from '../closing/index.js';
import { setAside, tryRange } from '../follow/index.js';
import type { BackfillContext } from './context.js';
import { yieldToHost } from './guard.js';
import { Pace, type PaceSetting } from './pace.js';
import { addPartial } from './partial.js';
import { type BackfillState, roundOf } from './state.js';

const BATCH = { isolation: 'repeatable read', retries: 5 } as const;

export interface SweepOptions {
  readonly state: BackfillState;
  readonly rules: Rules;
  /** Inventory groups that exist already. */
  readonly known: Set<string>;
  readonly stamp: Omit<VerdictStamp, 'at'>;
  readonly pace: PaceSetting;
  /**
   * Ids of the births to evaluate one by one, ascending, read after the tail started; undefined: each page
   * finds its own.
   */
  readonly suspects: readonly bigint[] | undefined;
}

interface Batch {
  readonly last: bigint | null;
  readonly scanned: bigint;
  readonly fresh: readonly string[];
}

/** The elements of `ids` (ascending) that lie in the range. */
function between(
  ids: readonly bigint[],
  { first, last }: { readonly first: bigint; readonly last: bigint },
): readonly bigint[] {
  const notBelow = (limit: bigint): number => {
    let [low, high] = [0, ids.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ids[middle] ?? limit) < limit) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return ids.slice(notBelow(first), notBelow(last + 1n));
}

const traceOf = (part: GroupPart): GroupPart => ({ ...part, members: 0n, grain: 0n, h1: '0', h2: '0' });

async function sweepBatch(
  tx: Transaction,
  at: string,
  context: BackfillContext,
  options: SweepOptions,
  part: number,
  after: bigint | null,
  limit: number,
): Promise<Batch> {
  const { state, rules, known, stamp } = options;
  const { upTo } = state.parts[part] ?? { upTo: null };
  const page = { horizon: state.horizon, after, upTo, limit };
  const all = await readSweepPage(tx, rules.map, page);
  let read = all;
  if (read.firstId === null || read.lastId === null) return { last: null, scanned: 0n, fresh: [] };
  const range = { first: read.firstId, last: read.lastId };
  const failed = await tryRange(tx, range, async (of) => {
    const ids = options.suspects && between(options.suspects, of);
    if (ids?.length === 0) return;
    const part = ids === undefined ? of : { ids };
    await materializeObjects(tx, { of: part, ...stamp, at, rules, needsBackfill: true });
  });
  const aside = await setAside(tx, retryTargetOf(context), failed);
  if (aside.length > 0) read = await readSweepPage(tx, rules.map, { ...page, except: aside });
  // Births that are set aside do not count, but their groups must exist.
  const traces = aside.length === 0 ? [] : all.sums.parts.map(traceOf);
  const parts = [...read.sums.parts, ...traces];
  const fresh = await addPartial(tx, part, { parts, uncertain: false }, known, at);
  await advance(tx, context.lease, roundOf(part), {
    watermark: String(range.last),
    eventsSeen: read.scanned,
    attemptsWritten: read.counted,
    summary: { last_batch: String(read.scanned), set_aside: aside.length },
  });
  return { last: range.last, scanned: read.scanned, fresh };
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return;
  await timer(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

class Sweep {
  readonly #context: BackfillContext;
  readonly #options: SweepOptions;
  readonly #started = performance.now();
  #scanned = 0n;
  batches = 0;

  constructor(context: BackfillContext, options: SweepOptions) {
    this.#context = context;
    this.#options = options;
  }

  get scanned(): bigint {
    return this.#scanned;
  }

  #report(note?: string): void {
    const { state } = this.#options;
    const seconds = (performance.now() - this.#started) / 1_000;
    this.#context.onProgress({
      step: note === undefined ? 'sweep' : 'pause',
      done: Number(state.scanned + this.#scanned),
      total: Number(state.births),
      rowsPerSecond: seconds > 0 ? Number(this.#scanned) / seconds : 0,
      ...(note === undefined ? {} : { note }),
    });
  }

  /** Sweeps one part after the other until none is left; parts differ in size. */
  async lane(waiting: number[]): Promise<void> {
    const { rate, lanes } = this.#context;
    const share = rate === undefined ? {} : { rate: rate / lanes };
    const pace = new Pace({ ...this.#options.pace, ...share });
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) await this.#part(part, pace);
  }

  async #part(part: number, pace: Pace): Promise<void> {
    const { lease, signal, db, now } = this.#context;
    const { state, known } = this.#options;
    const onPause = (why: string) => this.#report(why);
    let after = state.swept[part] ?? state.parts[part]?.after ?? null;
    for (;;) {
      await yieldToHost(db, { signal, now, onPause });
      await rest(pace.waitMs, signal);
      this.#context.stopIfRequested();
      const from = after;
      const started = performance.now();
      let batch: Batch;
      try {
        batch = await lease.work(BATCH, (tx, at) =>
          sweepBatch(tx, at, this.#context, this.#options, part, from, pace.size),
        );
      } catch (error) {
        if (!hasCode(error, 'statement_timeout') || pace.size === 1) throw error;
        pace.tooLarge();
        continue;
      }
      if (batch.last === null) return;
      after = batch.last;
      for (const key of batch.fresh) known.add(key);
      this.#scanned += batch.scanned;
      this.batches += 1;
      pace.took(Number(batch.scanned), performance.now() - started);
      this.#report();
    }
  }
}

/** Sweeps all parts, one per lane at a time; returns what this run swept. */
export async function sweep(
  context: BackfillContext,
  options: SweepOptions,
): Promise<{ readonly scanned: bigint; readonly batches: number }> {
  const walk = new Sweep(context, options);
  const waiting = options.state.parts.map((_, part) => part);
  const lanes = Array.from({ length: context.lanes }, () =>
    walk.lane(waiting).catch((error: unknown) => {
      // The other lanes end after their current part.
      waiting.length = 0;
      throw error;
    }),
  );
  // Wait for all lanes, even if one fails.
  const ended = await Promise.allSettled(lanes);
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
  return { scanned: walk.scanned, batches: walk.batches };
}
