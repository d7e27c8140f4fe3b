// Owns the size of the next batch, the delay between batches, and the hours in which the sweep works. Batches
// grow while they are fast and shrink when they are slow. A requested rate limit always holds: the backfill
// does not make up for time spent in a pause.
import { z } from 'zod';
import { defineSetting, readSetting, type Transaction } from '../../db/index.js';
import { windowSetting } from '../window.js';

const paceSetting = z.strictObject({
  first_batch: z.int().min(1).max(10_000_000),
  largest_batch: z.int().min(1).max(10_000_000),
  target_ms: z.int().min(1).max(4_000),
  window: windowSetting.default(null),
});
export type PaceSetting = z.infer<typeof paceSetting>;
export const backfillPace = defineSetting({
  key: 'backfill.pace',
  form: paceSetting,
  default: { first_batch: 5000, largest_batch: 200000, target_ms: 400, window: null },
  about:
    'how many births a batch has at first and at most; batches grow while one takes less than target_ms, and shrink when it takes much more. The sweep works only in the window, for example {"from": "01:00", "to": "05:00"} in UTC (null: always)',
});

export function readPace(tx: Transaction): Promise<PaceSetting> {
  return readSetting(tx, backfillPace);
}

export interface PaceOptions extends Omit<PaceSetting, 'window'> {
  /** Maximum births per second. */
  readonly rate?: number;
  readonly now?: () => number;
}

export class Pace {
  readonly #options: PaceOptions;
  readonly #now: () => number;
  #size: number;
  /** The time at which the rate limit allows the next batch. */
  #paid: number;

  constructor(options: PaceOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#paid = this.#now();
    const limit = options.rate === undefined ? options.largest_batch : Math.max(1, Math.ceil(options.rate));
    this.#size = Math.min(options.first_batch, options.largest_batch, limit);
  }

  /** How many births the next batch should have. */
  get size(): number {
    return this.#size;
  }

  /** Records that a batch of `rows` births took `ms`. */
  took(rows: number, ms: number): void {
    const { target_ms: target, largest_batch: largest, rate } = this.#options;
    // Counts from the start of the batch or from the end of the previous allowance, whichever is later.
    if (rate !== undefined) this.#paid = Math.max(this.#paid, this.#now() - ms) + (rows / rate) * 1_000;
    if (ms < target / 2) this.#size *= 2;
    else if (ms > target * 2) this.#size = Math.ceil(this.#size / 2);
    // At most one second's worth, so that a rate-limited backfill proceeds evenly.
    this.#size = Math.max(1, Math.min(this.#size, largest, rate === undefined ? largest : Math.ceil(rate)));
  }

  /** A batch exceeded its time limit: the next one is half its size. */
  tooLarge(): void {
    this.#size = Math.max(1, Math.floor(this.#size / 2));
  }

  /** How long to wait now to keep the rate. */
  get waitMs(): number {
    return this.#options.rate === undefined ? 0 : Math.max(0, this.#paid - this.#now());
  }
}

/** How many batches a sweep of `births` would have if all of it took `ms`, at an even speed. */
export function estimateBatches(setting: PaceSetting, births: number, ms: number): number {
  const pace = new Pace({ ...setting, now: () => 0 });
  let batches = 0;
  for (let left = births; left > 0; batches += 1) {
    const rows = Math.min(pace.size, left);
    pace.took(rows, (ms * rows) / births);
    left -= rows;
  }
  return batches;
}
