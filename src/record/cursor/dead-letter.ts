// Owns all dead letters: items that workers could not process, and signals that could not be promoted. An
// operator can list and retry them; they are never dropped. INVARIANT: an item is dead if and only if it is
// marked as dead; a later change of the settings does not affect it.
import type { Database, Transaction } from '../../db/index.js';
import type { Installation } from '../../host/index.js';
import { requireForm, requireKnown, requireLimit } from '../../kernel/index.js';
import { currentActor } from '../approval/index.js';
import { countRows, deadSignalRows, listOrigins, listRows, retryRows, showRow } from './dead-letter.sql.js';
import { cursorErrors } from './errors.js';

export interface DeadLetter {
  readonly id: string;
  /** The worker of the item, or `event` for a signal. */
  readonly origin: string;
  readonly hint: string;
  readonly table: string | null;
  readonly ref: string | null;
  readonly failures: number;
  readonly lastError: string | null;
  readonly deadLetteredAt: string | null;
  /** A signal whose row another program removed from event_pending: it is listed, but cannot be retried. */
  readonly lost: boolean;
}

export interface DeadLetterPage {
  readonly letters: readonly DeadLetter[];
  /** The `after` of the next page; null if this is the last page. */
  readonly next: string | null;
}

export interface DeadLetterDetail extends DeadLetter {
  readonly address: string | null;
  readonly state: 'dead' | 'lost' | 'waiting' | 'completed';
  readonly completedAt: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface DeadLetterChoice {
  readonly ids?: readonly string[];
  readonly origin?: string;
  readonly dryRun?: boolean;
}

/** The number of dead letters per origin. */
export async function countDeadLetters(tx: Transaction): Promise<ReadonlyMap<string, bigint>> {
  const rows = await tx.run(countRows, {});
  return new Map(rows.map((row) => [row.origin, row.letters]));
}

function stateOf(row: {
  readonly processed_at: string | null;
  readonly dead_lettered_at: string | null;
  readonly lost: boolean;
}): DeadLetterDetail['state'] {
  if (row.lost) return 'lost';
  if (row.processed_at !== null) return 'completed';
  return row.dead_lettered_at === null ? 'waiting' : 'dead';
}

/** What can leave dead letters although it has not run here yet. */
const ORIGINS = ['backfill', 'closing_run', 'delivery', 'event', 'intake', 'scan'];

async function requireOrigin(tx: Transaction, origin: string | undefined): Promise<void> {
  if (origin === undefined) return;
  const found = (await tx.run(listOrigins, {})).map((row) => row.origin);
  requireKnown(origin, { what: 'worker', known: [...new Set([...ORIGINS, ...found])] });
}

/** The id of a row of event_pending: a number or a UUID, depending on the host. */
const requireLetterId = (id: string): string => requireForm('id', id, /^[\w-]{1,64}$/, '1017 or a UUID');

const READ = { isolation: 'repeatable read', readOnly: true } as const;

/**
 * Puts signals back in the promoter's queue, at their old position, and returns their number. The caller
 * passes this function in, because this module may not import the event module.
 */
export type ReviveSignals = (tx: Transaction, orderNos: readonly bigint[]) => Promise<number>;

export class DeadLetters {
  readonly #db: Database;
  readonly #installation: Installation;
  readonly #reviveSignals: ReviveSignals;

  /** @internal */
  constructor(db: Database, installation: Installation, reviveSignals: ReviveSignals) {
    this.#db = db;
    this.#installation = installation;
    this.#reviveSignals = reviveSignals;
  }

  async list(options: { origin?: string; after?: string; limit?: number } = {}): Promise<DeadLetterPage> {
    await this.#installation.requireInstalled();
    const limit = requireLimit(options.limit ?? 50);
    if (options.after !== undefined) requireLetterId(options.after);
    return this.#db.transaction(READ, async (tx) => {
      await requireOrigin(tx, options.origin);
      const rows = await tx.run(listRows, {
        origin: options.origin ?? null,
        after: options.after ?? null,
        limit: limit + 1,
      });
      const letters = rows.slice(0, limit).map((row) => ({
        id: row.id,
        origin: row.origin,
        hint: row.hint,
        table: row.entity_table,
        ref: row.entity_ref,
        failures: row.error_count,
        lastError: row.last_error,
        deadLetteredAt: row.dead_lettered_at,
        lost: row.lost,
      }));
      return { letters, next: rows.length > limit ? (letters.at(-1)?.id ?? null) : null };
    });
  }

  async show(id: string): Promise<DeadLetterDetail> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ, async (tx) => {
      const [row] = await tx.run(showRow, { id });
      if (row === undefined) throw cursorErrors.dead_letter_unknown(`there is no dead letter \`${id}\``);
      const payload = JSON.parse(row.capture_payload ?? '{}') as Record<string, unknown>;
      return {
        id: row.id,
        origin: row.origin,
        hint: row.hint,
        table: row.entity_table,
        ref: row.entity_ref,
        failures: row.error_count,
        lastError: row.last_error,
        deadLetteredAt: row.dead_lettered_at,
        lost: row.lost,
        address: row.canonical_address,
        state: stateOf(row),
        completedAt: row.processed_at,
        payload,
      };
    });
  }

  /**
   * Makes dead letters due again at once, as the acting person. Throws, and changes nothing, if a named one
   * is lost or not dead.
   */
  async retry(choice: DeadLetterChoice): Promise<{ id: string; origin: string }[]> {
    await this.#installation.requireInstalled();
    const run = async (tx: Transaction) => {
      await currentActor(tx);
      await requireOrigin(tx, choice.origin);
      const ids = choice.ids ?? null;
      const rows = [];
      if (choice.origin !== 'event')
        rows.push(
          ...(await tx.run(retryRows, {
            ids,
            worker: choice.origin ?? null,
          })),
        );
      if (choice.origin === undefined || choice.origin === 'event')
        rows.push(...(await this.#retrySignals(tx, ids)));
      const done = new Set(rows.map((row) => row.id));
      const missing = (choice.ids ?? []).filter((id) => !done.has(id));
      if (missing.length > 0)
        throw cursorErrors.dead_letter_unknown(
          `there is no dead letter to retry: \`${missing.join('`, `')}\``,
        );
      return rows.map((row) => ({ id: row.id, origin: row.origin }));
    };
    const options = { isolation: 'read committed' } as const;
    return choice.dryRun === true ? this.#db.rehearse(options, run) : this.#db.transaction(options, run);
  }

  async #retrySignals(
    tx: Transaction,
    ids: readonly string[] | null,
  ): Promise<{ id: string; origin: string }[]> {
    const rows = await tx.run(deadSignalRows, { ids });
    if (rows.length === 0) return [];
    const revived = await this.#reviveSignals(
      tx,
      rows.map((row) => row.order_no),
    );
    if (revived !== rows.length)
      throw cursorErrors.dead_letter_unknown(
        `${rows.length - revived} of ${rows.length} signals are not in the promoter's queue; nothing was changed`,
      );
    return rows.map((row) => ({ id: row.id, origin: 'event' }));
  }
}
