// Owns what a webhook receives: CloudEvents 1.0 in JSON, signed as Standard Webhooks 1.0 describes, or a text
// for Slack. Addresses and counts, as in the feed.
import { createHmac } from 'node:crypto';
import { toWire } from '../../kernel/index.js';
import type { FeedEntry } from '../../record/feed/index.js';

export type WebhookFormat = 'cloudevents' | 'slack';
export type Sendable = Pick<FeedEntry, 'id' | 'type' | 'subject' | 'payload' | 'occurredAt'> & {
  /** Null: not from the feed, such as a test. */
  readonly number: bigint | null;
};

export interface Message {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface MessageOptions {
  readonly format: WebhookFormat;
  /** Where the events come from: the database and the schema. */
  readonly source: string;
  /** With none, the message is not signed. */
  readonly keys: readonly Buffer[];
  /** The address of the console; null: not configured. */
  readonly console: string | null;
}

function cloudEvent({ id, type, subject, payload, occurredAt, number }: Sendable, source: string): string {
  return JSON.stringify({
    specversion: '1.0',
    id,
    source,
    type: `gcos.${type}`,
    subject,
    time: toWire(occurredAt),
    datacontenttype: 'application/json',
    // The extension `sequence`: compares as text.
    ...(number === null ? {} : { sequence: String(number).padStart(20, '0') }),
    data: payload,
  });
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function slackText({ type, subject, payload }: Sendable, console: string | null): string {
  const facts = Object.entries(payload).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [`${name.replaceAll('_', ' ')} ${value}`]
      : [],
  );
  const link = console === null ? '' : `\n<${console}|open in GCOS>`;
  return JSON.stringify({
    text: `*${escaped(type.replace('.', ': '))}* ${escaped(subject)}\n${escaped(facts.join(', '))}${link}`,
  });
}

/** The signatures of a message by every key: the receiver needs one of them. */
function sign(id: string, timestamp: string, body: string, keys: readonly Buffer[]): string {
  return keys
    .map((key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`)
    .join(' ');
}

export function makeMessage(entry: Sendable, { format, source, keys, console }: MessageOptions): Message {
  const body = format === 'slack' ? slackText(entry, console) : cloudEvent(entry, source);
  const type = format === 'slack' ? 'application/json' : 'application/cloudevents+json';
  const timestamp = String(Math.floor(Date.now() / 1_000));
  return {
    body,
    headers: {
      'content-type': `${type}; charset=utf-8`,
      ...(keys.length === 0
        ? {}
        : {
            'webhook-id': entry.id,
            'webhook-timestamp': timestamp,
            'webhook-signature': sign(entry.id, timestamp, body, keys),
          }),
    },
  };
}
