// Writers of the loss test. They make the order of commits differ from the order of ids and times.
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

export function randomOf(seed: number): () => number {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

export interface WriterOptions {
  readonly url: string;
  readonly seed: number;
  readonly writers: number;
  /** Distinguishes the births of this run from all others. */
  readonly mark: string;
}

/**
 * mixed: births, changes in place and moves. few: the same by few writers with short transactions, so that
 * the horizon follows closely. births: only births of new keys. still: paused. over: stopped.
 */
export type Phase = 'mixed' | 'few' | 'births' | 'still' | 'over';
const FEW = 6;

const COLLECTIONS = ['orders', 'articles', 'comments', 'dot_tools'];
const BORN = ['now()', 'clock_timestamp()', "'1970-01-01'", "'2999-12-31'", "now() - interval '3 hours'"];

export class Writers {
  phase: Phase = 'mixed';
  readonly done: Promise<void>;
  births = 0;
  transactions = 0;
  #open = 0;
  readonly #options: WriterOptions;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.done = Promise.all(Array.from({ length: options.writers }, (_, index) => this.#write(index))).then(
      () => undefined,
    );
    this.done.catch(() => undefined);
  }

  get #changes(): boolean {
    return this.phase === 'mixed' || this.phase === 'few';
  }

  /** Starts no new transaction and waits until the open ones have ended. */
  async hold(): Promise<void> {
    this.phase = 'still';
    while (this.#open > 0) await pause(5);
  }

  #row(random: () => number): { code: string; collection: string; bornAt: string } {
    this.births += 1;
    // One birth in twenty repeats an earlier key.
    const again = this.#changes && random() < 0.05;
    const number = again ? Math.ceil(random() * this.births) : this.births;
    return {
      code: `L-${this.#options.mark}-${number}`,
      collection: COLLECTIONS[Math.floor(random() * COLLECTIONS.length)] ?? 'orders',
      bornAt: BORN[Math.floor(random() * BORN.length)] ?? 'now()',
    };
  }

  #birth(random: () => number): string {
    const insert = 'insert into birth_registry (entity_code, collection_name, born_at)';
    const { code, collection, bornAt } = this.#row(random);
    return `${insert} values ('${code}', '${collection}', ${bornAt})`;
  }

  /** A bulk load, by COPY. */
  #copy(random: () => number): string {
    const lines = Array.from({ length: 1 + Math.floor(random() * 20) }, () => {
      const { code, collection } = this.#row(random);
      return `${code},${collection},2026-05-0${1 + Math.floor(random() * 9)}`;
    });
    return `copy birth_registry (entity_code, collection_name, born_at) from program 'printf "${lines.join('\\\\n')}\\\\n"' with (format csv)`;
  }

  #some(random: () => number): string {
    const number = 1 + Math.floor(random() * this.births);
    // Mostly a birth of this run, by code; sometimes a birth of the estate.
    return random() < 0.8
      ? `(select min(id) from birth_registry where entity_code = 'L-${this.#options.mark}-${number}')`
      : `${2_000 + Math.floor(random() * 1_000)}`;
  }

  #change(random: () => number): string {
    const kind = random();
    if (!this.#changes || this.births < 50 || kind < 0.55) return this.#birth(random);
    if (kind < 0.62) return this.#copy(random);
    if (kind < 0.82)
      return `update birth_registry set certified = not coalesce(certified, false) where id = ${this.#some(random)}`;
    const to = random() < 0.5 ? 'orders' : 'articles';
    return `update birth_registry set collection_name = '${to}' where id = ${this.#some(random)}`;
  }

  /** Most transactions pause for at most 20 ms; some pause for up to three seconds. */
  #delay(random: () => number): string {
    const longest = { mixed: 3, few: 0.02, births: 0.4, still: 0.1, over: 0.1 }[this.phase];
    const seconds = random() < 0.85 ? random() * 0.02 : random() * random() * longest;
    return `select pg_sleep(${seconds.toFixed(3)})`;
  }

  async #transact(client: pg.Client, random: () => number, name: string): Promise<void> {
    await client.query('begin');
    for (let step = Math.ceil(random() * 4); step > 0; step -= 1) {
      const kind = random();
      if (kind < 0.25) {
        await client.query('savepoint s');
        await client.query(this.#change(random));
        await client.query(this.#delay(random));
        await client.query(random() < 0.3 ? 'rollback to s' : 'release s');
      } else if (kind < 0.4) {
        const fails = random() < 0.4 ? 'perform 1 / 0;' : '';
        await client.query(`do $$ begin
          begin ${this.#change(random)}; ${fails} exception when division_by_zero then null; end;
        end $$`);
      } else await client.query(this.#change(random));
      if (random() < 0.5) await client.query(this.#delay(random));
    }
    const end = random();
    if (end < 0.12) await client.query('rollback');
    else if (end < 0.25) {
      await client.query(`prepare transaction '${name}'`);
      await client.query(this.#delay(random));
      await client.query(`${random() < 0.3 ? 'rollback' : 'commit'} prepared '${name}'`);
    } else await client.query('commit');
    this.transactions += 1;
  }

  async #write(index: number): Promise<void> {
    const { url, seed, mark } = this.#options;
    const random = randomOf(seed + index * 7_919);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      for (let turn = 0; this.phase !== 'over'; turn += 1) {
        if (this.phase === 'still' || (this.phase === 'few' && index >= FEW)) {
          await pause(5);
          continue;
        }
        this.#open += 1;
        try {
          await this.#transact(client, random, `l-${mark}-${index}-${turn}`);
        } catch (error) {
          // Deadlock: two writers locked the same rows in opposite order.
          if ((error as { code?: string }).code !== '40P01') throw error;
          await client.query('rollback');
        } finally {
          this.#open -= 1;
        }
      }
    } finally {
      await client.end();
    }
  }
}
