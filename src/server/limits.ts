// Owns how much the server takes on: requests at a time, requests per credential, and how long one may take.
// What exceeds a limit is refused at once, with the time after which a repeat makes sense.
import { createHash } from 'node:crypto';
import { serverErrors } from './errors.js';

export interface Limits {
  /** Requests that run at a time. */
  readonly atOnce: number;
  /** Requests per second and credential, on average; twice as many may come at once. */
  readonly perSecond: number;
  /** How long one request may take. */
  readonly deadlineMs: number;
  /** Streams that are open at a time. */
  readonly streams: number;
}

export const DEFAULT_LIMITS: Limits = { atOnce: 64, perSecond: 100, deadlineMs: 30_000, streams: 250 };

/** Credentials that are remembered. A forgotten one begins with a full allowance. */
const REMEMBERED = 10_000;

/** Requests of each credential: a bucket that fills steadily and holds two seconds' worth. */
export class Rates {
  readonly #perSecond: number;
  readonly #buckets = new Map<string, { left: number; at: number }>();

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** Counts one request; throws too_many_requests. The credential itself is not kept. */
  take(credential: string, now = performance.now()): void {
    const key = createHash('sha256').update(credential).digest('base64');
    const most = 2 * this.#perSecond;
    const found = this.#buckets.get(key) ?? { left: most, at: now };
    const left = Math.min(most, found.left + ((now - found.at) / 1_000) * this.#perSecond);
    this.#buckets.delete(key);
    this.#buckets.set(key, { left: Math.max(0, left - 1), at: now });
    if (this.#buckets.size > REMEMBERED) {
      const [oldest] = this.#buckets.keys();
      if (oldest !== undefined) this.#buckets.delete(oldest);
    }
    if (left < 1)
      throw serverErrors.too_many_requests(
        `this credential sends more than ${this.#perSecond} requests per second`,
      );
  }
}

/** Requests that run now. */
export class Running {
  readonly #most: number;
  #now = 0;
  #whenNone: (() => void)[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  get now(): number {
    return this.#now;
  }

  /** Resolves once no request runs. */
  none(): Promise<void> {
    return this.#now === 0 ? Promise.resolve() : new Promise((resolve) => this.#whenNone.push(resolve));
  }

  /** Runs `work` unless too many run already. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#now >= this.#most) throw serverErrors.server_busy(`${this.#most} requests are running already`);
    this.#now += 1;
    try {
      return await work();
    } finally {
      this.#now -= 1;
      if (this.#now === 0) for (const resolve of this.#whenNone.splice(0)) resolve();
    }
  }
}

const discard = (late: unknown): void => {
  if (late instanceof Response) void late.body?.cancel();
};

/**
 * What `work` returns, unless the deadline passes first. What then still runs in the database ends by its own
 * limits; a write that was repeated with its Idempotency-Key is done once all the same. Signals are made when
 * they are asked for: few requests need one.
 */
export async function withDeadline<T>(
  ms: number,
  outer: () => AbortSignal,
  work: (signal: () => AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      deadline.abort();
      reject(serverErrors.deadline_passed(`the request was not answered within ${ms} ms`));
    }, ms);
  });
  // A refusal before any work is an answer, too: then the deadline ends with it.
  const working = (async () => work(() => AbortSignal.any([outer(), deadline.signal])))();
  try {
    return await Promise.race([working, passed]);
  } catch (error) {
    // An answer that comes later is not sent: what it would stream ends.
    working.then(discard, () => undefined);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
