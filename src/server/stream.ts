// `GET /api/v1/stream`: the feed as server-sent events. A client that comes back with Last-Event-ID continues
// there, whatever process answers it. INVARIANT: a stream sends every number after the client's, once, in
// order, or `reset`.
import { z } from '@hono/zod-openapi';
import type { Gcos } from '../index.js';
import { serverErrors } from './errors.js';
import { eventOf, FeedHub } from './feed-hub.js';
import type { Verbs } from './identity.js';
import type { Limits } from './limits.js';
import type { Patience } from './listen.js';
import { type Route, read } from './route.js';

const RECONNECT_MS = 2_000;
const PAGE = 500;
/** Codes that end a stream: its credential is no longer accepted. */
const ENDED = /^(credential_|permission_|outside_limits|token_)/;

const event = (name: string, data: unknown, id?: bigint): string =>
  `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;

export interface StreamOptions {
  readonly gcos: Pick<Gcos, 'feed'>;
  /** Aborted: the server is stopping. */
  readonly stopping: AbortSignal;
  readonly limits: Pick<Limits, 'streams'>;
  readonly patience: Pick<Patience, 'heartbeatMs' | 'stalledMs'>;
}

/**
 * The bytes of a stream. INVARIANT: the next part is accepted when the connection asks for more, which it
 * does once the client has read what came before; so nothing piles up for a client that does not read.
 */
class Pipe {
  readonly body: ReadableStream<Uint8Array>;
  readonly #encoder = new TextEncoder();
  readonly #gone = new AbortController();
  readonly #stalledMs: number;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #onPull: (() => void) | undefined;

  /** A client that has not read a part for `stalledMs` is dropped; it may come back. */
  constructor(stalledMs: number) {
    this.#stalledMs = stalledMs;
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#onPull?.(),
        cancel: () => this.#gone.abort(),
      },
      { highWaterMark: 0 },
    );
  }

  /** Aborted when the client has gone, or was dropped. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Returns when the client has read it, or is gone. */
  async write(text: string): Promise<void> {
    if (this.gone.aborted) return;
    let resolve = (): void => undefined;
    const taken = new Promise<void>((done) => {
      resolve = done;
    });
    this.#onPull = resolve;
    this.gone.addEventListener('abort', resolve);
    const stalled = setTimeout(() => this.drop(), this.#stalledMs);
    this.#controller?.enqueue(this.#encoder.encode(text));
    await taken;
    clearTimeout(stalled);
    this.gone.removeEventListener('abort', resolve);
  }

  drop(): void {
    if (this.gone.aborted) return;
    this.#gone.abort();
    this.#controller?.error(new Error('the client does not read'));
  }

  end(): void {
    if (this.gone.aborted) return;
    this.#gone.abort();
    this.#controller?.close();
  }
}

export function streamRoutes(options: StreamOptions): readonly Route[] {
  const { stopping, limits, patience } = options;
  const { heartbeatMs, stalledMs } = patience;
  const hub = new FeedHub(options.gcos.feed);

  /** Sends what follows `from` until the client goes, its credential ends or the server stops. */
  async function feed(pipe: Pipe, { gcos, signal, from, fresh }: Start): Promise<void> {
    const stop = AbortSignal.any([stopping, pipe.gone, signal]);
    let at = from;
    await pipe.write(`retry: ${RECONNECT_MS}\n\n`);
    if (fresh) await pipe.write(event('ready', { number: String(at) }, at));
    let beatAt = performance.now() + heartbeatMs;
    while (!stop.aborted) {
      const known = hub.after(at);
      const page = known === undefined ? await gcos.feed.read({ after: at, limit: PAGE }) : undefined;
      if (page?.reset) {
        at = page.next;
        await pipe.write(event('reset', { next: String(at) }, at));
      }
      const sent = known ?? page?.entries.map(eventOf) ?? [];
      if (sent.length > 0) await pipe.write(sent.map((each) => each.text).join(''));
      at = sent.at(-1)?.number ?? at;
      if (performance.now() >= beatAt) {
        // The credential is asked about again: a revoked one ends the stream.
        await gcos.feed.last();
        await pipe.write(': heartbeat\n\n');
        beatAt = performance.now() + heartbeatMs;
      }
      if (sent.length === 0) await hub.news(Math.max(1, beatAt - performance.now()), stop);
    }
    if (stopping.aborted) await pipe.write(event('reconnect', { after: String(at) }));
  }

  async function run(pipe: Pipe, start: Start, leave: () => void): Promise<void> {
    try {
      await feed(pipe, start);
    } catch (error) {
      const code = String((error as { readonly code?: unknown }).code);
      // Anything else, such as a restart of the database server, is over when the client comes back.
      await pipe.write(event(ENDED.test(code) ? 'ended' : 'reconnect', { code }));
    } finally {
      leave();
      pipe.end();
    }
  }

  return [
    read({
      path: '/stream',
      permission: 'read',
      summary: 'What changes, as server-sent events, numbered in the order in which it became visible',
      description:
        'Continues after Last-Event-ID. Events: `ready` (the number to begin with), a message per entry of the feed, `reset` (what followed is no longer kept: read again what you show), `reconnect` and `ended`. A comment every 15 seconds.',
      alsoAs: ['text/event-stream'],
      answer: z.object({}).openapi({ description: 'never: the answer is a stream of events' }),
      handle: async ({ gcos, signal, lastEventId }) => {
        if (lastEventId !== undefined && !/^\d{1,18}$/.test(lastEventId))
          throw serverErrors.request_malformed('Last-Event-ID is not a number of the feed');
        // The credential is accepted, or the answer is a refusal.
        const last = await gcos.feed.last();
        if (hub.streams >= limits.streams)
          throw serverErrors.server_busy(`${limits.streams} streams are open already`);
        const pipe = new Pipe(stalledMs);
        const fresh = lastEventId === undefined;
        const start = { gcos, signal, fresh, from: fresh ? last : BigInt(lastEventId) };
        void run(pipe, start, hub.join());
        return new Response(pipe.body, {
          headers: {
            'content-type': 'text/event-stream',
            'cache-control': 'no-store',
            'x-accel-buffering': 'no',
          },
        });
      },
    }),
  ];
}

interface Start {
  readonly gcos: Verbs;
  readonly signal: AbortSignal;
  readonly from: bigint;
  readonly fresh: boolean;
}
