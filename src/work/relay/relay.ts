// Owns the rounds of the relay. Each webhook is served by a task of its own, which may outlive the round that
// began it: a receiver that is slow or down delays nothing but its own messages.
import { type Database, readServerTime } from '../../db/index.js';
import { advance, type Lease, type RoundResult } from '../../record/cursor/index.js';
import { type Delivered, deliver } from './deliver.js';
import { webhookOf } from './webhook.js';
import { readDue, readNext } from './webhook.sql.js';

export const RELAY_LEASE = { worker: 'relay', source: 'gov_webhook' } as const;
/** How many receivers are served at the same time. */
const AT_ONCE = 16;
/** A round waits so long for its tasks, then others may begin. */
const ROUND_MS = 500;
const MOST_MS = 30_000;
const WRITE = { isolation: 'read committed', retries: 5 } as const;
const READ = { isolation: 'repeatable read', readOnly: true } as const;

export class Relay {
  readonly #db: Database;
  readonly #tasks = new Map<bigint, Promise<void>>();
  #done: Delivered[] = [];
  #errors: unknown[] = [];
  #total = 0;
  #restMs = MOST_MS;

  constructor(db: Database) {
    this.#db = db;
  }

  /** How long there is nothing to do unless the feed goes on. */
  get restMs(): number {
    return this.#restMs;
  }

  async round(lease: Lease, signal: AbortSignal): Promise<RoundResult> {
    // Fails while workers are paused, and once the lease is lost.
    await lease.work(WRITE, async (tx) => {
      await readServerTime(tx);
      await advance(tx, lease, 'main', {});
    });
    // Taken before the webhooks are read: what a task has sent by its end is not in a webhook that was read
    // before.
    const busy = new Set(this.#tasks.keys());
    const due = (await this.#db.transaction(READ, (tx) => tx.run(readDue, {}))).map(webhookOf);
    for (const webhook of due) {
      if (busy.has(webhook.id) || this.#tasks.size >= AT_ONCE) continue;
      const context = { db: this.#db, lease, signal };
      const task = deliver(context, webhook)
        .then((done) => {
          this.#done.push(done);
        })
        .catch((error: unknown) => {
          if (!signal.aborted) this.#errors.push(error);
        })
        .finally(() => this.#tasks.delete(webhook.id));
      this.#tasks.set(webhook.id, task);
    }
    const working = busy.size > 0 || this.#tasks.size > 0;
    await this.#wait(signal);
    const done = this.#done.splice(0);
    const sum = (of: (each: Delivered) => number) => done.reduce((total, each) => total + of(each), 0);
    const [error] = this.#errors.splice(0);
    if (error !== undefined) throw error;
    const did = {
      delivered: sum((each) => each.delivered),
      failed: sum((each) => each.failed),
      dead_lettered: sum((each) => each.deadLettered),
    };
    this.#total += did.delivered;
    const next = await this.#db.transaction(READ, (tx) => tx.one(readNext, {}));
    this.#restMs = Math.min(MOST_MS, (next.next_seconds ?? MOST_MS) * 1_000 + 50);
    return {
      more: working && !signal.aborted,
      progress: { value: String(this.#total) },
      lagSeconds: Math.max(0, next.lag_seconds ?? 0),
      did,
    };
  }

  /** Until every task has ended, or the round has lasted long enough; after a stop, until all have ended. */
  async #wait(signal: AbortSignal): Promise<void> {
    if (this.#tasks.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ROUND_MS);
    });
    await Promise.race([Promise.all(this.#tasks.values()), late]);
    clearTimeout(timer);
    if (signal.aborted) await Promise.all(this.#tasks.values());
  }
}
