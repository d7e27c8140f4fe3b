// A receiver of webhooks on loopback. It answers as the test says, and verifies what it receives with an
// independent implementation of Standard Webhooks.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface Received {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

export type Answer = number | 'never' | { readonly status: number; readonly headers: Record<string, string> };

export class TestReceiver {
  readonly received: Received[] = [];
  /** Every request that came, also those it did not accept. */
  requests = 0;
  /** What it answers; 204 by default. */
  answer: (request: Received, no: number) => Answer = () => 204;
  readonly #server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => this.#receive(Buffer.concat(parts).toString(), request.headers, response));
  });
  readonly #secrets: readonly string[];
  #port = 0;

  /** With secrets, a message is accepted only if one of them verifies it. */
  constructor(...secrets: string[]) {
    this.#secrets = secrets;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/hook`;
  }

  get port(): number {
    return this.#port;
  }

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
    return this;
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** The codes of the objects that the received signals are about, in the order of arrival. */
  refs(): readonly string[] {
    return this.received.flatMap(({ body }) =>
      String(body['subject']).startsWith('feed_test:') ? [String(body['subject']).slice(10)] : [],
    );
  }

  #receive(text: string, raw: Readonly<Record<string, unknown>>, response: ServerResponse): void {
    this.requests += 1;
    const headers = Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, String(value)]));
    const isGenuine =
      this.#secrets.length === 0 ||
      this.#secrets.some((secret) => {
        try {
          new Webhook(secret).verify(text, headers);
          return true;
        } catch {
          return false;
        }
      });
    const request = { headers, body: JSON.parse(text) as Record<string, unknown> };
    const answer = isGenuine ? this.answer(request, this.requests) : 401;
    if (answer === 'never') return;
    const { status, headers: more } = typeof answer === 'number' ? { status: answer, headers: {} } : answer;
    if (status < 300) this.received.push(request);
    response.writeHead(status, more).end();
  }
}
