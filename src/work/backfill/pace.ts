// Owns how large the next batch is, and how fast batches may follow each other. Batches grow while they are quick and shrink
// when they are not; a rate limit, where one was asked for, is kept at all times: time spent standing aside is not made up for.
import { z } from 'zod';
import { readSetting, type Transaction } from '../../db/index.js';

const paceSetting = z.strictObject({
  first_batch: z.int().min(1).max(10_000_000),
  largest_batch: z.int().min(1).max(10_000_000),
  target_ms: z.int().min(1).max(4_000),
});
export type PaceSetting = z.infer<typeof paceSetting>;

export function readPace(tx: Transaction): Promise<PaceSetting> {
  return readSetting(tx, 'backfill.pace', paceSetting, {
    first_batch: 5_000,
    largest_batch: 200_000,
    target_ms: 400,
  });
}

export interface PaceOptions extends PaceSetting {
  /** Births per second, at most. */
  readonly rate?: number;
  readonly now?: () => number;
}

export class Pace {
  readonly #options: PaceOptions;
  readonly #now: () => number;
  #size: number;
  /** When the births of the batches so far are paid for. */
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

  /** A batch of `rows` births took `ms`. */
  took(rows: number, ms: number): void {
    const { target_ms: target, largest_batch: largest, rate } = this.#options;
    // From when the batch began, or from when the one before is paid for, whichever is later.
    if (rate !== undefined) this.#paid = Math.max(this.#paid, this.#now() - ms) + (rows / rate) * 1_000;
    if (ms < target / 2) this.#size *= 2;
    else if (ms > target * 2) this.#size = Math.ceil(this.#size / 2);
    // A second's worth at most, so that a limited backfill moves evenly.
    this.#size = Math.max(1, Math.min(this.#size, largest, rate === undefined ? largest : Math.ceil(rate)));
  }

  /** A batch ran into its time limit: the next one is half of it. */
  tooLarge(): void {
    this.#size = Math.max(1, Math.floor(this.#size / 2));
  }

  /** How long to wait now so as to keep the rate. */
  get waitMs(): number {
    return this.#options.rate === undefined ? 0 : Math.max(0, this.#paid - this.#now());
  }
}
