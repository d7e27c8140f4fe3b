// Owns the operations on signals and signal types: `gcos event`, and the calls of the layers above.
import { camelRow, type Database } from '../../db/index.js';
import type { Installation } from '../../host/index.js';
import { requireKnown, requireLimit, requirePosition, requireText } from '../../kernel/index.js';
import { currentActor } from '../approval/index.js';
import { SEVERITIES, type Severity } from './catalogue.js';
import {
  closeDue,
  closePromotion,
  type DuePromotion,
  type HeldGap,
  type HeldSignal,
  type Promotion,
  type PromotionCounts,
  promoteBatch,
  readHeldGaps,
} from './promotion/promote.js';
import { listHeld, listKnownTypes } from './promotion/promote.sql.js';
import { type Emission, emitSignals, type Signal } from './signal/emit.js';
import {
  addTypes,
  chooseTypes,
  type RegisteredType,
  requireStream,
  switchTypes,
  TYPES,
} from './type/type.js';
import { listTypes } from './type/type.sql.js';

const READ = { isolation: 'repeatable read', readOnly: true } as const;
const WRITE = { isolation: 'read committed', retries: 5 } as const;
/** Keeps a promoter's transaction short, because an operator who switches types waits for it. */
const BATCH = 1_000;

export interface Page {
  readonly limit: number;
}

export class Events {
  readonly #db: Database;
  /** Also reports clearly that GCOS is not installed. */
  readonly #installation: Installation;

  /** @internal */
  constructor(db: Database, installation: Installation) {
    this.#db = db;
    this.#installation = installation;
  }

  async types(
    page: Page & { readonly stream?: string; readonly after?: string },
  ): Promise<readonly RegisteredType[]> {
    const { stream, after = null } = page;
    const limit = requireLimit(page.limit);
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ, async (tx) =>
      (
        await tx.run(listTypes, { stream: stream === undefined ? null : requireStream(stream), after, limit })
      ).map(camelRow),
    );
  }

  /** Registers an operator's own type, inactive, as the acting person; false if it was already registered. */
  async register(type: {
    readonly type: string;
    readonly stream: string;
    readonly severity: Severity;
    readonly description: string;
  }): Promise<boolean> {
    requireKnown(type.severity, { what: 'severity', known: SEVERITIES });
    requireText('description', type.description);
    await this.#installation.requireInstalled();
    const entry = { ...type, stream: requireStream(type.stream), heartbeat: false };
    const added = await this.#db.transaction(WRITE, async (tx) => {
      await currentActor(tx);
      return addTypes(tx, [entry]);
    });
    return added.length > 0;
  }

  /**
   * Activates GCOS's types that match `patterns`, as the acting person, and returns the types that changed. A
   * dry run returns the types that would change.
   */
  activate(patterns: readonly string[], options: { readonly dryRun?: boolean } = {}): Promise<string[]> {
    return this.#switch(patterns, true, options.dryRun ?? false);
  }

  deactivate(patterns: readonly string[], options: { readonly dryRun?: boolean } = {}): Promise<string[]> {
    return this.#switch(patterns, false, options.dryRun ?? false);
  }

  async #switch(patterns: readonly string[], active: boolean, dryRun: boolean): Promise<string[]> {
    await this.#installation.requireInstalled();
    // Read in a separate transaction first, so that the transaction that takes the table lock holds no other
    // lock.
    const types = (await this.#db.transaction(READ, (tx) => chooseTypes(tx, patterns)))
      .filter((each) => each.active !== active)
      .map((each) => each.eventType);
    if (dryRun || types.length === 0) return types;
    // Gives a clear error for a login without a person. The function itself also refuses such a login.
    return this.#db.transaction(WRITE, async (tx) => {
      await currentActor(tx);
      return switchTypes(tx, { types, active });
    });
  }

  /**
   * Emits or holds in its own transaction. Code that causes signals calls `emitSignals` in its transaction.
   */
  async emit(signals: readonly Signal[]): Promise<Emission> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(WRITE, (tx) => emitSignals(tx, signals));
  }

  /** Held signals in their order; `deadLettered` selects only the dead-lettered or only the waiting ones. */
  async held(
    page: Page & { readonly type?: string; readonly deadLettered?: boolean; readonly after?: bigint },
  ): Promise<readonly HeldSignal[]> {
    const { type = null, deadLettered = null, after = null } = page;
    const limit = requireLimit(page.limit);
    if (after !== null) requirePosition('after', after);
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ, async (tx) => {
      if (type !== null) {
        const known = (await tx.run(listKnownTypes, {})).map((row) => row.event_type);
        requireKnown(type, { ...TYPES, known });
      }
      return (await tx.run(listHeld, { type, deadLettered, after, limit })).map(camelRow);
    });
  }

  /**
   * Promotes all signals that may be emitted, in short transactions, and reports the remaining ones and why.
   */
  async promote(options: { readonly limit?: number } = {}): Promise<Promotion> {
    const counts = await this.#promoteAll(options.limit ?? Number.POSITIVE_INFINITY);
    return this.#db.transaction(WRITE, (tx) => closePromotion(tx, counts));
  }

  /** @internal The same for a worker, once a second: it does not count what remains. */
  async promoteDue(): Promise<DuePromotion> {
    const counts = await this.#promoteAll(Number.POSITIVE_INFINITY);
    return this.#db.transaction(WRITE, (tx) => closeDue(tx, counts));
  }

  /** @internal The types with waiting signals, and how many there are, up to a thousand. */
  async heldGaps(): Promise<readonly HeldGap[]> {
    return this.#db.transaction(READ, readHeldGaps);
  }

  async #promoteAll(most: number): Promise<PromotionCounts> {
    await this.#installation.requireInstalled();
    const total = { promoted: 0, failed: 0, deadLettered: 0 };
    let run: { since?: string } = {};
    for (;;) {
      const limit = Math.min(BATCH, most - total.promoted);
      const batch = await this.#db.transaction(WRITE, (tx) => promoteBatch(tx, { limit, ...run }));
      total.promoted += batch.promoted;
      total.failed += batch.failed;
      total.deadLettered += batch.deadLettered;
      if (!batch.more || total.promoted >= most) return total;
      // Try each refused signal only once per run: an immediate retry would only consume its attempts.
      run = { since: batch.since };
    }
  }
}
