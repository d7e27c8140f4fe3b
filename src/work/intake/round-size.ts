// Owns the number of births per near round: as many as fit into the statement timeout, found by trial. Rounds
// grow while there is a backlog, which spreads their fixed cost; a round that timed out is halved.
import { hasCode } from '../../kernel/index.js';

const FIRST = 50_000;
const LEAST = 500;
/** The setting `tail.limits` can lower it. */
const MOST = 1_000_000;
/** A longer round delays other work and holds its locks for too long. */
const LONG_MS = 2_000;
const SHORT_MS = LONG_MS / 3;

export class RoundSize {
  #rows = FIRST;

  get rows(): number {
    return this.#rows;
  }

  /** Adapts to a round that was full or slow. */
  after(round: { readonly births: number; readonly elapsedMs: number }): void {
    if (round.elapsedMs > LONG_MS) this.#rows = Math.max(LEAST, Math.floor(this.#rows / 2));
    else if (round.births >= this.#rows && round.elapsedMs < SHORT_MS)
      this.#rows = Math.min(MOST, this.#rows * 2);
  }

  /** Whether to retry a round that failed with `error`, at half its size. */
  canHalve(error: unknown): boolean {
    if (!hasCode(error, 'statement_timeout') || this.#rows <= LEAST) return false;
    this.#rows = Math.max(LEAST, Math.floor(this.#rows / 2));
    return true;
  }
}

/** The size is remembered per lease. */
const sizes = new WeakMap<object, RoundSize>();

export function sizeFor(lease: object): RoundSize {
  const size = sizes.get(lease) ?? new RoundSize();
  sizes.set(lease, size);
  return size;
}
