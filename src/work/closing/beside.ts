// Owns reading the rows of a ledger beside the round that may change them, in the same snapshot: most runs change nothing, and then what
// was read beside them is what they leave. Whether that is so the round itself finds out, by what it has written.
import { setTimeout as timer } from 'node:timers/promises';
import { hasWrittenOnly, type Transaction } from '../../db/index.js';
import type { ClassMap } from '../../inventory/group/index.js';
import { type ClosingSide, readClosingSide } from '../../verdict/ledger/index.js';

/** What every round writes, and no ledger reads: cursors, what the tail remembers; and the row of the run, written before the snapshot. */
const NO_MATTER = [
  'gov_worker_cursor',
  'gov_worker_lease',
  'gov_intake_seen',
  'gov_intake_gap',
  'candidate_scan_run',
];
/** How long the one that reads waits for the other to have begun: meanwhile it holds a snapshot for nothing. */
const PATIENCE_MS = 5_000;
const LOOK_MS = 50;

export class SideBeside {
  readonly #runId: string;
  readonly #at: Promise<string>;
  #tell: (at: string) => void = () => undefined;
  #side: ClosingSide | undefined;
  #begun = 0;
  #declined = false;

  constructor(runId: string) {
    this.#runId = runId;
    this.#at = new Promise((resolve) => {
      this.#tell = resolve;
    });
  }

  /** The round has begun, and this is the time that it judges by. A second one, or the first once more, is on its own. */
  begin(at: string): void {
    this.#begun += 1;
    if (this.#begun > 1) this.#declined = true;
    this.#tell(at);
  }

  /** Reads, in a transaction that sees what the round saw before it wrote anything; `isWanted` throws when that round has failed. */
  async read(tx: Transaction, map: ClassMap, isWanted: () => void): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    let at: string | undefined;
    while (at === undefined && performance.now() < deadline) {
      isWanted();
      at = await this.#atWithin(LOOK_MS);
    }
    if (at === undefined) this.#declined = true;
    else this.#side = await readClosingSide(tx, { at, map, runId: this.#runId });
  }

  async #atWithin(ms: number): Promise<string | undefined> {
    const end = new AbortController();
    const waiting = timer(ms, undefined, { signal: end.signal }).catch(() => undefined);
    try {
      return await Promise.race([this.#at, waiting]);
    } finally {
      end.abort();
    }
  }

  /** Whether what is read, or will be, holds for what the round `tx` leaves; to be asked when it has written all it will. */
  async holdsFor(tx: Transaction): Promise<boolean> {
    return !this.#declined && (await hasWrittenOnly(tx, NO_MATTER));
  }

  get side(): ClosingSide | undefined {
    return this.#side;
  }
}
