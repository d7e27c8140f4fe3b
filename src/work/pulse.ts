// Owns what an idle process asks the server: one statement about once a second, for all its duties.
// INVARIANT: the answer only decides how long a duty rests, within the limits that the duty sets; its rounds
// find out for themselves what there is to do.
import { setTimeout as timer } from 'node:timers/promises';
import { type Database, fillParts, quoteIdentifier } from '../db/index.js';
import { readPulse } from './pulse.sql.js';

/** What the server says. */
export interface Pulse {
  /** The leases that any process holds, as worker/source. */
  readonly leases: readonly string[];
  /** Whether a near round of the intake would find a birth. */
  readonly births: boolean;
  /** Whether a verdict waits for a scan. */
  readonly dirty: boolean;
  /** Differs when a signal was held, or a type was activated. */
  readonly signals: string;
  /** Whether subscribers of an emitted signal could not be notified. */
  readonly undelivered: boolean;
  /** The last number of the feed, and ` waits` if an entry waits for one. */
  readonly feed: string;
  /** Differs when a table of the host's schema was written; each time, if the server does not count that. */
  readonly changes: string;
  /** Differs when a command asked for a wide round. */
  readonly request: bigint;
}

export const leaseName = ({ worker, source }: { readonly worker: string; readonly source: string }): string =>
  `${worker}/${source}`;

/** The pause before an answer: it doubles while no answer concerns anyone. */
const LEAST_MS = 200;
const MOST_MS = 800;
const NOTHING = { births: false, dirty: false, signals: '', undelivered: false, feed: '' };

export interface Rest {
  /** Returns after this long in any case. */
  readonly mostMs: number;
  /** Whether what the server says concerns the caller. */
  readonly wakes: (pulse: Pulse) => boolean;
}

export class Pulses {
  readonly #db: Database;
  #snapshot = '';
  #pauseMs = LEAST_MS;
  #last: Pulse | undefined;
  #coming: Promise<Pulse | undefined> | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Rests until `wakes`. Returns early if the server does not answer: the round then fails and says why. */
  async rest({ mostMs, wakes }: Rest, signal: AbortSignal): Promise<void> {
    const until = performance.now() + mostMs;
    let stop = (): void => undefined;
    const stopped = new Promise<undefined>((resolve) => {
      stop = () => resolve(undefined);
    });
    signal.addEventListener('abort', stop);
    try {
      while (!signal.aborted && performance.now() < until) {
        const pulse = await Promise.race([this.#next(), stopped]);
        if (pulse !== undefined && !wakes(pulse)) continue;
        this.#pauseMs = LEAST_MS;
        return;
      }
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /** The next answer, shared by all that wait for it; undefined: there is none. */
  #next(): Promise<Pulse | undefined> {
    this.#coming ??= timer(this.#pauseMs)
      .then(() => {
        this.#pauseMs = Math.min(2 * this.#pauseMs, MOST_MS);
        return this.#ask();
      })
      .catch(() => undefined)
      .finally(() => {
        this.#coming = undefined;
      });
    return this.#coming;
  }

  async #ask(): Promise<Pulse> {
    const question = fillParts(readPulse, { trust: quoteIdentifier(this.#db.trustSchema) });
    const row = await this.#db.call(question, { known: this.#snapshot });
    const before = this.#last ?? NOTHING;
    this.#last = {
      leases: row.leases,
      births: row.births ?? before.births,
      dirty: row.dirty ?? before.dirty,
      signals: row.signals ?? before.signals,
      undelivered: row.undelivered ?? before.undelivered,
      feed: row.feed ?? before.feed,
      changes: row.changes ?? `not counted ${performance.now()}`,
      request: row.request,
    };
    this.#snapshot = row.snapshot;
    return this.#last;
  }
}
