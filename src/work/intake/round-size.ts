// Owns how many births a near round takes in: as many as fit well into the time a statement may take, found out by trying. A backlog
// is taken in by ever larger rounds, so that what a round costs in any case is paid less often; one that was too large is halved.
import { hasCode } from '../../kernel/index.js';

const FIRST = 50_000;
const LEAST = 500;
/** The setting `tail.limits` keeps it lower. */
const MOST = 1_000_000;
/** Others wait for a round to end, and what it holds is held for as long. */
const LONG_MS = 2_000;
const SHORT_MS = LONG_MS / 3;

export class RoundSize {
  #rows = FIRST;

  get rows(): number {
    return this.#rows;
  }

  /** Learns from a round that was full, or took long. */
  after(round: { readonly births: number; readonly elapsedMs: number }): void {
    if (round.elapsedMs > LONG_MS) this.#rows = Math.max(LEAST, Math.floor(this.#rows / 2));
    else if (round.births >= this.#rows && round.elapsedMs < SHORT_MS)
      this.#rows = Math.min(MOST, this.#rows * 2);
  }

  /** Whether a round that failed with `error` is to be tried again, with half as much in it. */
  canHalve(error: unknown): boolean {
    if (!hasCode(error, 'statement_timeout') || this.#rows <= LEAST) return false;
    this.#rows = Math.max(LEAST, Math.floor(this.#rows / 2));
    return true;
  }
}

/** Whoever has the lease has learned how fast it is here. */
const sizes = new WeakMap<object, RoundSize>();

export function sizeFor(lease: object): RoundSize {
  const size = sizes.get(lease) ?? new RoundSize();
  sizes.set(lease, size);
  return size;
}
