// Owns one request to a receiver: bounded in time, no redirect followed, no private address reached unless
// the webhook permits it.
import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { GcosError } from '../../kernel/index.js';
import { lookupFor, requirePermitted } from './address.js';
import type { Message } from './message.js';

/** What became of an attempt. `refused`: the receiver does not want this very message. */
export type Outcome =
  | { readonly kind: 'received' }
  | {
      readonly kind: 'gone' | 'refused' | 'unavailable';
      readonly error: string;
      readonly retryAfter: number | null;
    };

/** More of an answer is not read. */
const ANSWER_BYTES = 64 * 1_024;
const REFUSED = new Set([400, 413, 415, 422]);

/** Keeps a connection to one receiver. */
export class Receiver {
  readonly #url: URL;
  readonly #agent: PlainAgent;
  readonly #lookup: ReturnType<typeof lookupFor>;
  readonly #answerMs: number;

  constructor(url: URL, options: { readonly allowPrivate: boolean; readonly answerMs: number }) {
    requirePermitted(url, options.allowPrivate);
    this.#url = url;
    this.#lookup = lookupFor(options.allowPrivate);
    this.#answerMs = options.answerMs;
    const Agent = url.protocol === 'https:' ? TlsAgent : PlainAgent;
    this.#agent = new Agent({ keepAlive: true, maxSockets: 1 });
  }

  close(): void {
    this.#agent.destroy();
  }

  async send(message: Message, signal: AbortSignal): Promise<Outcome> {
    const late = AbortSignal.timeout(this.#answerMs);
    try {
      return outcomeOf(await this.#post(message, AbortSignal.any([signal, late])));
    } catch (error) {
      if (signal.aborted) throw error;
      if (late.aborted) return unavailable(`no answer within ${this.#answerMs / 1_000} s`);
      return unavailable(textOf(error));
    }
  }

  #post({ body, headers }: Message, signal: AbortSignal): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const post = this.#url.protocol === 'https:' ? tlsRequest : plainRequest;
      const length = { 'content-length': String(Buffer.byteLength(body)), 'user-agent': 'gcos' };
      const sent = post(
        this.#url,
        {
          method: 'POST',
          headers: { ...headers, ...length },
          agent: this.#agent,
          lookup: this.#lookup,
          signal,
        },
        (response) => {
          let bytes = 0;
          response.on('data', (part: Buffer) => {
            bytes += part.length;
            if (bytes > ANSWER_BYTES) response.destroy();
          });
          response.on('error', reject);
          response.on('close', () => resolve(response));
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  }
}

const unavailable = (error: string, retryAfter: number | null = null): Outcome => ({
  kind: 'unavailable',
  error,
  retryAfter,
});

/** The cause of a failed connection, without the address, which may hold a secret. */
function textOf(error: unknown): string {
  if (error instanceof GcosError) return error.message;
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  return code === undefined ? String(message) : `the connection failed: ${code}`;
}

function outcomeOf({ statusCode: status = 0, headers }: IncomingMessage): Outcome {
  if (status >= 200 && status < 300) return { kind: 'received' };
  if (status === 410) return { kind: 'gone', error: 'the receiver answered 410: gone', retryAfter: null };
  const seconds = Number(headers['retry-after']);
  const retryAfter = Number.isFinite(seconds) && seconds > 0 ? seconds : null;
  if (REFUSED.has(status)) return { kind: 'refused', error: `the receiver answered ${status}`, retryAfter };
  if (status >= 300 && status < 400)
    return unavailable(`the receiver answered ${status}; redirects are not followed`, retryAfter);
  return unavailable(`the receiver answered ${status}`, retryAfter);
}
