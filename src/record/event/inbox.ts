// Owns the operations on notifications: `gcos inbox`.
import { camelRow, type Database } from '../../db/index.js';
import type { Installation } from '../../host/index.js';
import { requireId, requireLimit, requirePosition } from '../../kernel/index.js';
import type { Page } from './events.js';
import {
  changeSubscriptions,
  type Delivery,
  escalateUnread,
  readDeliveries,
  requireExisting,
  type Subscription,
  type SubscriptionChoice,
  type SubscriptionRequest,
  subscribe,
} from './inbox/delivery.js';
import { listDeliveries, listSubscriptions } from './inbox/delivery.sql.js';

const READ = { isolation: 'repeatable read', readOnly: true } as const;
const WRITE = { isolation: 'read committed', retries: 3 } as const;

export class Inbox {
  readonly #db: Database;
  /** Also reports clearly that GCOS is not installed. */
  readonly #installation: Installation;

  /** @internal */
  constructor(db: Database, installation: Installation) {
    this.#db = db;
    this.#installation = installation;
  }

  /** Notifications of one recipient, oldest first; only unread ones unless `all` is set. */
  async list(
    page: Page & { readonly recipient: string; readonly all?: boolean; readonly after?: bigint },
  ): Promise<readonly Delivery[]> {
    const { all = false, after = 0n } = page;
    const limit = requireLimit(page.limit);
    requirePosition('after', after);
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ, async (tx) => {
      const recipient = await requireExisting(tx, page.recipient);
      return (await tx.run(listDeliveries, { recipient, all, after, limit })).map(camelRow);
    });
  }

  /**
   * Marks notifications as read, as the acting person; all unread ones if `ids` is missing. Returns their
   * number.
   */
  async read(request: { readonly recipient: string; readonly ids?: readonly bigint[] }): Promise<number> {
    const { recipient, ids = null } = request;
    for (const id of ids ?? []) requireId('notification', id);
    await this.#installation.requireInstalled();
    return this.#db.transaction(WRITE, (tx) => readDeliveries(tx, { recipient, ids }));
  }

  async subscribe(
    request: SubscriptionRequest,
  ): Promise<{ readonly subscription: string; readonly created: boolean }> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(WRITE, (tx) => subscribe(tx, request));
  }

  async subscriptions(
    page: Page & { readonly recipient?: string; readonly after?: string },
  ): Promise<readonly Subscription[]> {
    const { recipient = null, after = null } = page;
    const limit = requireLimit(page.limit);
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ, async (tx) => {
      if (recipient !== null) await requireExisting(tx, recipient);
      return (await tx.run(listSubscriptions, { recipient, after, limit })).map(camelRow);
    });
  }

  unsubscribe(choice: SubscriptionChoice): Promise<number> {
    return this.#change(choice, 'ended');
  }

  mute(choice: SubscriptionChoice): Promise<number> {
    return this.#change(choice, 'muted');
  }

  unmute(choice: SubscriptionChoice): Promise<number> {
    return this.#change(choice, 'unmuted');
  }

  async #change(choice: SubscriptionChoice, to: 'muted' | 'unmuted' | 'ended'): Promise<number> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(WRITE, (tx) => changeSubscriptions(tx, choice, to));
  }

  /** Notifies the council of notifications that stayed unread for too long. */
  escalate(): Promise<number> {
    return this.#db.transaction(WRITE, escalateUnread);
  }
}
