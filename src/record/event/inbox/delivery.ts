// Owns notifications: the recipients of a signal, their read marks, and the escalation of unread
// notifications. A notification only informs: it carries no instruction, and muting it does not change a
// finding.
import type { CamelRow, RowOf, Transaction } from '../../../db/index.js';
import { requireKnownRecipient } from '../../../host/index.js';
import { requireKnown } from '../../../kernel/index.js';
import { currentActor } from '../../approval/index.js';
import { eventErrors } from '../errors.js';
import { requireNotificationSetting } from '../setting.js';
import { requireStream, TYPES } from '../type/type.js';
import {
  addSubscription,
  escalateRows,
  type listDeliveries,
  listRecipients,
  type listSubscriptions,
  listTables,
  listTypeNames,
  markRead,
  muteSubscriptions,
  unknownDeliveries,
} from './delivery.sql.js';

export type Delivery = CamelRow<RowOf<typeof listDeliveries>>;
export type Subscription = CamelRow<RowOf<typeof listSubscriptions>>;

/** Selects subscriptions of a recipient; a missing field does not restrict the selection. */
export interface SubscriptionChoice {
  readonly recipient: string;
  readonly subscription?: string;
  readonly type?: string;
  readonly stream?: string;
}

export interface SubscriptionRequest {
  readonly recipient: string;
  readonly type?: string;
  /** Also accept a type that is not registered, and a recipient that is neither a person nor a body. */
  readonly any?: boolean;
  readonly stream?: string;
  readonly subjectTable?: string;
  /** A signal matches if its payload contains this object. */
  readonly filter?: Readonly<Record<string, unknown>>;
}

function requireRecipient(recipient: string): string {
  if (recipient.trim() === '' || Buffer.byteLength(recipient) > 500 || recipient.includes('\0'))
    throw eventErrors.subscription_invalid('a recipient needs a name of at most 500 bytes');
  return recipient;
}

/** Throws if `recipient` is no person and no body, and was never subscribed or notified. */
export async function requireExisting(tx: Transaction, recipient: string): Promise<string> {
  await requireKnownRecipient(tx, requireRecipient(recipient), async () =>
    (await tx.run(listRecipients, {})).map((row) => row.recipient),
  );
  return recipient;
}

const knownStream = (stream: string | undefined): string | null =>
  stream === undefined ? null : requireStream(stream);

/** Marks notifications as read by the acting person. Throws if the recipient does not have one of `ids`. */
export async function readDeliveries(
  tx: Transaction,
  request: { readonly recipient: string; readonly ids: readonly bigint[] | null },
): Promise<number> {
  const { ids } = request;
  await currentActor(tx);
  const recipient = await requireExisting(tx, request.recipient);
  const [unknown] = ids === null ? [] : await tx.run(unknownDeliveries, { recipient, ids });
  if (unknown !== undefined)
    throw eventErrors.notification_unknown(`\`${recipient}\` has no notification ${unknown.id}`);
  return Number((await tx.one(markRead, { recipient, ids })).marked);
}

/** Subscribes a recipient. Idempotent: repeating a subscription does not create a second one. */
export async function subscribe(
  tx: Transaction,
  request: SubscriptionRequest,
): Promise<{ readonly subscription: string; readonly created: boolean }> {
  const recipient = requireRecipient(request.recipient);
  const stream = knownStream(request.stream);
  const { type, subjectTable, any = false } = request;
  if (!any) await requireExisting(tx, recipient);
  if (type !== undefined && !any) {
    const known = (await tx.run(listTypeNames, {})).map((row) => row.event_type);
    requireKnown(type, { ...TYPES, known });
  }
  if (subjectTable !== undefined) {
    const known = (await tx.run(listTables, { schema: tx.schema })).map((row) => row.relation);
    requireKnown(subjectTable, { what: 'table', known });
  }
  await currentActor(tx);
  return tx.one(addSubscription, {
    recipient,
    type: type ?? null,
    stream,
    subjectTable: request.subjectTable ?? null,
    filter: JSON.stringify(request.filter ?? {}),
  });
}

/** Mutes, unmutes or ends the selected subscriptions. Throws if none matches. */
export async function changeSubscriptions(
  tx: Transaction,
  choice: SubscriptionChoice,
  to: 'muted' | 'unmuted' | 'ended',
): Promise<number> {
  await currentActor(tx);
  const recipient = await requireExisting(tx, choice.recipient);
  const row = await tx.one(muteSubscriptions, {
    recipient,
    subscription: choice.subscription ?? null,
    type: choice.type ?? null,
    stream: knownStream(choice.stream),
    mute: to === 'muted',
    end: to === 'ended',
  });
  if (row.changed === 0n) {
    const { subscription, type } = choice;
    const which = `${subscription === undefined ? '' : ` \`${subscription}\``}${type === undefined ? '' : ` to \`${type}\``}`;
    throw eventErrors.subscription_unknown(`\`${choice.recipient}\` has no such subscription${which}`);
  }
  return Number(row.changed);
}

/**
 * Notifies the council, once per notification, of those that are unread for longer than their severity
 * allows. Returns their number.
 */
export async function escalateUnread(tx: Transaction): Promise<number> {
  await requireNotificationSetting(tx);
  return Number((await tx.one(escalateRows, {})).escalated);
}
