// Owns a webhook as it is stored.
import type { RowOf } from '../../db/index.js';
import type { WebhookFormat } from './message.js';
import type { readWebhooks } from './webhook.sql.js';

export interface Webhook {
  readonly id: bigint;
  /** The address, or the place where the worker reads it. */
  readonly location: string;
  /** Names and patterns such as `finding.*`. */
  readonly types: readonly string[];
  readonly format: WebhookFormat;
  /** The place of the secret; null: messages are not signed. */
  readonly secret: string | null;
  /** The place of the former secret, which signs as well until `formerUntil`. */
  readonly formerSecret: string | null;
  readonly formerUntil: string | null;
  readonly bothSign: boolean;
  /** Whether private addresses, and addresses without encryption, are permitted. */
  readonly allowPrivate: boolean;
  readonly addedAt: string;
  readonly addedBy: string;
  /** Failing: it is retried. Disabled: the receiver answered that it is gone. */
  readonly state: 'active' | 'failing' | 'disabled';
  /** The last number of the feed that it has. */
  readonly sentNumber: bigint;
  /** How many numbers of the feed it has not looked at. */
  readonly waiting: bigint;
  readonly delivered: bigint;
  readonly deliveredAt: string | null;
  readonly failures: number;
  readonly failingSince: string | null;
  readonly nextAttemptAt: string | null;
  readonly lastError: string | null;
  readonly disabledAt: string | null;
  /** The source of its events: the database. */
  readonly source: string;
}

export const webhookOf = (row: RowOf<typeof readWebhooks>): Webhook => ({
  id: row.webhook_id,
  location: row.location,
  types: row.types,
  format: row.format === 'slack' ? 'slack' : 'cloudevents',
  secret: row.secret,
  formerSecret: row.former_secret,
  formerUntil: row.former_until,
  bothSign: row.both_sign,
  allowPrivate: row.allow_private,
  addedAt: row.added_at,
  addedBy: row.added_by,
  state: row.disabled_at !== null ? 'disabled' : row.failing_since !== null ? 'failing' : 'active',
  sentNumber: row.sent_number,
  waiting: row.waiting,
  delivered: row.delivered,
  deliveredAt: row.delivered_at,
  failures: row.failures,
  failingSince: row.failing_since,
  nextAttemptAt: row.next_attempt_at,
  lastError: row.last_error,
  disabledAt: row.disabled_at,
  source: `/gcos/${encodeURIComponent(row.database)}`,
});
