// Owns the operations on webhooks: `gcos webhook`.
import { randomUUID } from 'node:crypto';
import { type Database, readServerTime, type Transaction } from '../../db/index.js';
import type { Installation } from '../../host/index.js';
import { requireId, requireKnown, requireWhole } from '../../kernel/index.js';
import { currentActor } from '../../record/approval/index.js';
import { requireTypes } from '../../record/feed/index.js';
import { requirePermitted } from './address.js';
import { openReceiver, readReceiverOptions } from './deliver.js';
import { webhookErrors } from './errors.js';
import type { WebhookFormat } from './message.js';
import { placeOf, readKey, readLocation } from './secret.js';
import { type Webhook, webhookOf } from './webhook.js';
import { addWebhook, readWebhooks, removeWebhook, rotateWebhook } from './webhook.sql.js';

const READ = { isolation: 'repeatable read', readOnly: true } as const;
const WRITE = { isolation: 'read committed', retries: 3 } as const;
export const WEBHOOK_FORMATS = ['cloudevents', 'slack'] as const;
/** For how long two secrets sign. */
const ROTATION_HOURS = 24;

export interface WebhookRequest {
  /** `https://…`, or `env:NAME` or `file:PATH` where the worker reads it. */
  readonly location: string;
  readonly types: readonly string[];
  readonly format?: WebhookFormat;
  /** `env:NAME` or `file:PATH`; only Slack needs none. */
  readonly secret?: string;
  readonly allowPrivate?: boolean;
}

export class Webhooks {
  readonly #db: Database;
  readonly #installation: Installation;

  /** @internal */
  constructor(db: Database, installation: Installation) {
    this.#db = db;
    this.#installation = installation;
  }

  async list(): Promise<readonly Webhook[]> {
    await this.#installation.requireInstalled();
    const rows = await this.#db.transaction(READ, (tx) => tx.run(readWebhooks, { id: null }));
    return rows.map(webhookOf);
  }

  /** Adds a webhook, as the acting person. It receives what is numbered from now on. */
  async add(request: WebhookRequest): Promise<Webhook> {
    const { types, format = 'cloudevents', allowPrivate = false } = request;
    requireKnown(format, { what: 'format of a webhook', known: WEBHOOK_FORMATS });
    const location = placeOf(request.location) ?? request.location;
    requirePermitted(readLocation(location), allowPrivate);
    const secret = this.#secretOf(request.secret, format);
    await this.#installation.requireInstalled();
    const id = await this.#db.transaction(WRITE, async (tx) => {
      await currentActor(tx);
      await requireTypes(tx, types);
      return (await tx.one(addWebhook, { location, types, format, secret, allowPrivate })).id;
    });
    return this.#find(id);
  }

  /** A new secret; the former one signs as well for a while, so that receivers can change theirs. */
  async rotate(id: bigint, secret: string, options: { readonly hours?: number } = {}): Promise<Webhook> {
    requireId('webhook', id);
    const hours = requireWhole('hours', options.hours ?? ROTATION_HOURS, 0, 720);
    const place = this.#secretOf(secret, 'cloudevents');
    const { rotated } = await this.#act((tx) => tx.one(rotateWebhook, { id, secret: place ?? '', hours }));
    if (!rotated) throw unknown(id);
    return this.#find(id);
  }

  /** Removes a webhook and its dead letters. */
  async remove(id: bigint): Promise<void> {
    requireId('webhook', id);
    const { removed } = await this.#act((tx) => tx.one(removeWebhook, { id }));
    if (!removed) throw unknown(id);
  }

  /** Sends one message of the type `webhook.test` from this process. Throws unless it is received. */
  async test(
    id: bigint,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<{ readonly ms: number }> {
    const webhook = await this.#find(requireId('webhook', id));
    const { at, options } = await this.#db.transaction(READ, async (tx) => ({
      at: await readServerTime(tx),
      options: await readReceiverOptions(tx),
    }));
    const receiver = openReceiver(webhook, options);
    const began = performance.now();
    try {
      const subject = `gov_webhook:${id}`;
      const entry = {
        number: null,
        id: randomUUID(),
        type: 'webhook.test',
        subject,
        payload: {},
        occurredAt: at,
      };
      const outcome = await receiver.send(entry, signal);
      if (outcome.kind !== 'received') throw webhookErrors.webhook_failed(outcome.error);
      return { ms: Math.round(performance.now() - began) };
    } finally {
      receiver.close();
    }
  }

  /** The place of a secret that can be read here. */
  #secretOf(text: string | undefined, format: WebhookFormat): string | null {
    if (text === undefined && format === 'slack') return null;
    const place = text === undefined ? undefined : placeOf(text);
    // INVARIANT: the message does not repeat the text, which may be the secret itself.
    if (place === undefined)
      throw webhookErrors.webhook_invalid('the place of the secret is missing: env:NAME or file:PATH');
    readKey(place);
    return place;
  }

  async #act<T>(act: (tx: Transaction) => Promise<T>): Promise<T> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(WRITE, async (tx) => {
      await currentActor(tx);
      return act(tx);
    });
  }

  async #find(id: bigint): Promise<Webhook> {
    await this.#installation.requireInstalled();
    const [row] = await this.#db.transaction(READ, (tx) => tx.run(readWebhooks, { id }));
    if (row === undefined) throw unknown(id);
    return webhookOf(row);
  }
}

const unknown = (id: bigint) => webhookErrors.webhook_unknown(`there is no webhook ${id}`);
