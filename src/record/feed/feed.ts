// Owns reading and numbering the feed: what changed, in the order in which it became visible. A reader keeps
// the last number it has seen. INVARIANT: numbers have no gaps, and an entry never appears below a number
// that was read before.
import type { Database, Transaction } from '../../db/index.js';
import type { Installation } from '../../host/index.js';
import { requireLimit, requirePosition } from '../../kernel/index.js';
import { numberEntries, readEdges, readEntries } from './feed.sql.js';
import { matchesType, requireTypes } from './type.js';

export interface FeedEntry {
  readonly number: bigint;
  /** Unique everywhere, also after a restore; of a signal, its id in the outbox. */
  readonly id: string;
  /** Such as `finding.raised`; docs/feed.md lists them. */
  readonly type: string;
  /** The address of what changed: a table, and the key in it. */
  readonly subject: string;
  /** Addresses and counts. */
  readonly payload: Readonly<Record<string, unknown>>;
  readonly occurredAt: string;
  readonly numberedAt: string;
}

export interface FeedPage {
  readonly entries: readonly FeedEntry[];
  /**
   * True: entries after `after` are not kept any more, or never were in this database. What was derived from
   * earlier entries must be read again; `entries` is empty, and `next` is the last number.
   */
  readonly reset: boolean;
  /** The number to continue after. */
  readonly next: bigint;
  /** The last number that was given. */
  readonly last: bigint;
}

const LIMIT = 500;
const READ = { isolation: 'repeatable read', readOnly: true } as const;

export interface FeedRequest {
  /** The last number that the reader has; undefined: from the oldest entry that is kept. */
  readonly after?: bigint;
  /** How many numbers to look at, at most; entries of other types count. */
  readonly limit?: number;
  /** Only entries of these types, such as `ledger.closed` or `finding.*`. */
  readonly types?: readonly string[];
}

/** A page of the feed in the caller's transaction. */
export async function readFeed(
  tx: Transaction,
  { after, limit = LIMIT, types = ['*'] }: FeedRequest,
): Promise<FeedPage> {
  const { last_number: last, first_number: first } = await tx.one(readEdges, {});
  const from = after ?? first - 1n;
  if (from < first - 1n || from > last) return { entries: [], reset: true, next: last, last };
  const rows = from === last ? [] : await tx.run(readEntries, { after: from, limit });
  const entries = rows.map((row) => ({
    number: row.number,
    id: row.id,
    type: row.type,
    subject: row.subject,
    payload: JSON.parse(row.payload) as Record<string, unknown>,
    occurredAt: row.occurred_at,
    numberedAt: row.numbered_at,
  }));
  return {
    entries: entries.filter((entry) => matchesType(types, entry.type)),
    reset: false,
    next: entries.at(-1)?.number ?? from,
    last,
  };
}

export interface Numbering {
  readonly numbered: number;
  readonly last: bigint;
  /** Whether the next round would find more. */
  readonly more: boolean;
}

/** Numbers up to `limit` entries in the caller's transaction. */
export async function numberFeed(tx: Transaction, limit: number): Promise<Numbering> {
  const row = await tx.one(numberEntries, { limit });
  return { numbered: Number(row.numbered), last: row.last_number, more: row.more };
}

export class Feed {
  readonly #db: Database;
  readonly #installation: Installation;

  /** @internal */
  constructor(db: Database, installation: Installation) {
    this.#db = db;
    this.#installation = installation;
  }

  /** The entries after a number, oldest first. */
  async read(request: FeedRequest = {}): Promise<FeedPage> {
    const { after, types = ['*'] } = request;
    if (after !== undefined) requirePosition('after', after);
    const limit = requireLimit(request.limit ?? LIMIT);
    await this.#installation.requireInstalled();
    const from = after === undefined ? {} : { after };
    return this.#db.transaction(READ, async (tx) => {
      await requireTypes(tx, types);
      return readFeed(tx, { ...from, limit, types });
    });
  }

  /** The last number that was given: one statement, for those who poll. */
  async last(): Promise<bigint> {
    await this.#installation.requireInstalled();
    const row = await this.#db.transaction(READ, (tx) => tx.one(readEdges, {}));
    return row.last_number;
  }
}
