// Owns the delivery to one webhook: its entries one after the other in the order of the feed, until one fails
// or nothing is left. What was received is recorded in batches, so a crash repeats some and loses none.
import { type Database, readServerTime, readSetting, type Transaction } from '../../db/index.js';
import {
  advance,
  completeRetries,
  dueRetries,
  type Lease,
  recordFailures,
} from '../../record/cursor/index.js';
import { matchesType, readFeed } from '../../record/feed/index.js';
import { makeMessage, type Sendable } from './message.js';
import { readKey, readLocation } from './secret.js';
import { type Outcome, Receiver } from './send.js';
import { webhookConsole, webhookLimits } from './setting.js';
import type { Webhook } from './webhook.js';
import { giveUp, noteFailed, noteSent } from './webhook.sql.js';

const WRITE = { isolation: 'read committed', retries: 5 } as const;
const READ = { isolation: 'repeatable read', readOnly: true } as const;
/** How many numbers of the feed one batch looks at, and how many dead letters it tries again. */
const PAGE = 200;
const LETTERS = 20;
/** What was received is recorded at least this often. */
const RECORD_MS = 1_000;
/** An entry that the receiver refuses as such is set aside after so many attempts. */
const REFUSALS = 5;

export interface DeliveryContext {
  readonly db: Database;
  readonly lease: Lease;
  readonly signal: AbortSignal;
}

export interface Delivered {
  readonly delivered: number;
  readonly failed: number;
  readonly deadLettered: number;
  /** Whether the feed has more for this webhook. */
  readonly more: boolean;
}

export interface ReceiverOptions {
  readonly console: string | null;
  readonly answerMs: number;
}

export async function readReceiverOptions(tx: Transaction): Promise<ReceiverOptions> {
  const { url } = await readSetting(tx, webhookConsole);
  const { answer_seconds: seconds } = await readSetting(tx, webhookLimits);
  return { console: url, answerMs: Math.ceil(seconds * 1_000) };
}

/** What messages to this webhook have in common. Throws if a secret or the address cannot be read. */
export function openReceiver(webhook: Webhook, { console, answerMs }: ReceiverOptions) {
  const { allowPrivate, format, secret, formerSecret, bothSign } = webhook;
  const places = [secret, bothSign ? formerSecret : null].filter((place) => place !== null);
  const keys = places.map(readKey);
  const receiver = new Receiver(readLocation(webhook.location), { allowPrivate, answerMs });
  return {
    close: () => receiver.close(),
    send: (entry: Sendable, signal: AbortSignal) =>
      receiver.send(makeMessage(entry, { format, source: webhook.source, keys, console }), signal),
  };
}

/** The feed no longer has what the webhook missed: the receiver is told, and continues behind it. */
const resetEntry = (webhook: Webhook, next: bigint, at: string): Sendable => ({
  number: null,
  id: `reset-${webhook.id}-${webhook.sentNumber}-${next}`,
  type: 'feed.reset',
  subject: 'gov_feed',
  payload: { after: String(webhook.sentNumber), next: String(next) },
  occurredAt: at,
});

export async function deliver(context: DeliveryContext, webhook: Webhook): Promise<Delivered> {
  const { db, lease, signal } = context;
  const { page, letters, options, at } = await db.transaction(READ, async (tx) => {
    const time = await readServerTime(tx);
    const due = await dueRetries(tx, lease, time, 1_000);
    return {
      at: time,
      page: await readFeed(tx, { after: webhook.sentNumber, limit: PAGE }),
      letters: due.filter(({ ref }) => ref.startsWith(`${webhook.id}/`)).slice(0, LETTERS),
      options: await readReceiverOptions(tx),
    };
  });
  const matching: readonly Sendable[] = page.reset
    ? [resetEntry(webhook, page.next, at)]
    : page.entries.filter((entry) => matchesType(webhook.types, entry.type));
  let delivered = 0;
  let recorded = 0;
  let recordedAt = performance.now();
  const record = async (number: bigint) => {
    await lease.work(WRITE, async (tx) => {
      await tx.one(noteSent, { id: webhook.id, number, delivered: BigInt(delivered - recorded) });
      await advance(tx, lease, 'main', { eventsSeen: delivered - recorded });
    });
    recorded = delivered;
    recordedAt = performance.now();
  };
  let receiver: ReturnType<typeof openReceiver> | undefined;
  try {
    receiver = openReceiver(webhook, options);
    const resent = await resend(context, receiver, letters);
    let last = webhook.sentNumber;
    for (const entry of matching) {
      const outcome = await receiver.send(entry, signal);
      if (outcome.kind !== 'received') {
        if (delivered > recorded) await record(last);
        const numbers = matching.flatMap(({ number }) => (number === null || number <= last ? [] : [number]));
        return { delivered, more: false, ...(await fail(context, webhook, outcome, numbers)) };
      }
      delivered += 1;
      last = entry.number ?? page.next;
      if (performance.now() - recordedAt > RECORD_MS) await record(last);
    }
    if (page.next > webhook.sentNumber || delivered > recorded) await record(page.next);
    return { delivered: delivered + resent, failed: 0, deadLettered: 0, more: page.next < page.last };
  } catch (error) {
    // What was received is not forgotten because the process is to stop, or a secret cannot be read.
    if (signal.aborted || !isConfiguration(error)) throw error;
    const text = error instanceof Error ? error.message : String(error);
    const outcome = { kind: 'unavailable', error: text, retryAfter: null } as const;
    const numbers = matching.flatMap(({ number }) => number ?? []);
    return { delivered, more: false, ...(await fail(context, webhook, outcome, numbers)) };
  } finally {
    receiver?.close();
  }
}

const isConfiguration = (error: unknown): boolean =>
  ['webhook_invalid', 'webhook_address_refused'].includes(
    String((error as { readonly code?: unknown }).code),
  );

/** Dead letters that a person put back; out of order, because what followed them was received already. */
async function resend(
  { lease, signal }: DeliveryContext,
  receiver: ReturnType<typeof openReceiver>,
  letters: Awaited<ReturnType<typeof dueRetries>>,
): Promise<number> {
  let received = 0;
  for (const { id, table, ref, detail } of letters) {
    const text = (name: string) => String(detail[name]);
    const entry: Sendable = {
      ...{ number: BigInt(text('number')), id: text('id'), type: text('type'), subject: text('subject') },
      payload: detail['payload'] as Sendable['payload'],
      occurredAt: text('occurred_at'),
    };
    const outcome = await receiver.send(entry, signal);
    await lease.work(WRITE, async (tx) => {
      if (outcome.kind === 'received') await completeRetries(tx, lease, 'main', [id]);
      else await recordFailures(tx, lease, 'main', [{ table, ref, error: outcome.error, detail }]);
      await advance(tx, lease, 'main', {});
    });
    if (outcome.kind !== 'received') break;
    received += 1;
  }
  return received;
}

/** Records a failed attempt, and gives up what has waited too long or is refused as such. */
async function fail(
  { lease }: DeliveryContext,
  webhook: Webhook,
  outcome: Exclude<Outcome, { readonly kind: 'received' }>,
  numbers: readonly bigint[],
): Promise<{ readonly failed: number; readonly deadLettered: number }> {
  const { kind, error, retryAfter } = outcome;
  return lease.work(WRITE, async (tx) => {
    const { failures } = await tx.one(noteFailed, {
      id: webhook.id,
      error,
      retryAfter,
      gone: kind === 'gone',
    });
    const refused = kind === 'refused' && failures >= REFUSALS;
    const { buried } = await tx.one(giveUp, {
      ...{ id: webhook.id, refused },
      numbers: refused ? numbers.slice(0, 1) : numbers,
    });
    await advance(tx, lease, 'main', { summary: { webhook: String(webhook.id), error } });
    return { failed: 1, deadLettered: Number(buried) };
  });
}
