// Owns the one reader of the feed in this process: it polls while there are streams, and keeps the newest
// entries in the form in which they are sent, for all of them.
import { setTimeout as timer } from 'node:timers/promises';
import type { Gcos } from '../index.js';
import { toWire } from '../kernel/index.js';

const POLL_MS = 200;
/** After an error, such as a restart of the database server. */
const RETRY_MS = 1_000;
const PAGE = 500;
/** How many of the newest entries are kept. */
const KEPT = 5_000;

export interface Sent {
  readonly number: bigint;
  /** The entry as one event of the stream. */
  readonly text: string;
}

type Feed = Pick<Gcos['feed'], 'read' | 'last'>;
type Page = Awaited<ReturnType<Feed['read']>>;

export const eventOf = (entry: Page['entries'][number]): Sent => ({
  number: entry.number,
  text: `id: ${entry.number}\ndata: ${JSON.stringify(toWire(entry))}\n\n`,
});

export class FeedHub {
  readonly #feed: Feed;
  readonly #waiting = new Set<() => void>();
  #kept: Sent[] = [];
  #last: bigint | undefined;
  #streams = 0;
  #polling = false;

  constructor(feed: Feed) {
    this.#feed = feed;
  }

  get streams(): number {
    return this.#streams;
  }

  /** Counts a stream. While there is one, the hub polls. Returns what ends it. */
  join(): () => void {
    this.#streams += 1;
    if (!this.#polling) void this.#poll();
    let joined = true;
    return () => {
      if (joined) this.#streams -= 1;
      joined = false;
    };
  }

  /** What follows `number`, if all of it is kept here; undefined: the database must be asked. */
  after(number: bigint): readonly Sent[] | undefined {
    if (this.#last === undefined) return undefined;
    if (number === this.#last) return [];
    const [first] = this.#kept;
    if (first === undefined || number < first.number - 1n || number > this.#last) return undefined;
    return this.#kept.slice(Number(number - first.number) + 1, Number(number - first.number) + 1 + PAGE);
  }

  /** Resolves when there may be more, or after `ms`. */
  async news(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    let wake = (): void => undefined;
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const late = setTimeout(wake, ms);
    this.#waiting.add(wake);
    signal.addEventListener('abort', wake);
    await woken;
    clearTimeout(late);
    this.#waiting.delete(wake);
    signal.removeEventListener('abort', wake);
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  async #poll(): Promise<void> {
    this.#polling = true;
    while (this.#streams > 0)
      try {
        await this.#look();
        await timer(POLL_MS);
      } catch {
        // A stream finds out by itself, with the credential of its client, why the database does not answer.
        await timer(RETRY_MS);
      }
    this.#polling = false;
    // Numbers have no gaps, but nothing reads what comes now.
    this.#kept = [];
    this.#last = undefined;
  }

  async #look(): Promise<void> {
    const last = await this.#feed.last();
    if (this.#last === undefined) {
      this.#last = last;
      this.#wake();
    }
    while (this.#last !== last) {
      const page: Page = await this.#feed.read({ after: this.#last, limit: PAGE });
      if (page.reset) this.#kept = [];
      this.#kept.push(...page.entries.map(eventOf));
      if (this.#kept.length > KEPT) this.#kept.splice(0, this.#kept.length - KEPT);
      this.#last = page.next;
      this.#wake();
      if (page.next >= page.last) break;
    }
  }
}
