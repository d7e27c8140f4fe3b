// A client of the stream of events.

interface Message {
  readonly id: string | undefined;
  readonly event: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what the server sent
  readonly data: any;
}

/** A client as a browser is: it comes back with the last id until it is closed. */
export class StreamClient {
  readonly messages: Message[] = [];
  comments = 0;
  lastId: string | undefined;
  status = 0;
  readonly #close = new AbortController();
  readonly done: Promise<void>;

  readonly address: () => { readonly url: string; readonly token: string };

  constructor(address: () => { readonly url: string; readonly token: string }, lastId?: string) {
    this.address = address;
    this.lastId = lastId;
    this.done = this.#run();
  }

  close(): void {
    this.#close.abort();
  }

  numbers(): readonly bigint[] {
    return this.messages.flatMap(({ event, id }) =>
      event === undefined && id !== undefined ? [BigInt(id)] : [],
    );
  }

  async #run(): Promise<void> {
    while (!this.#close.signal.aborted) {
      try {
        await this.#read();
        if (this.messages.at(-1)?.event === 'ended') return;
      } catch {
        // The server is away, or the test has closed the client.
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async #read(): Promise<void> {
    const { url, token } = this.address();
    const response = await fetch(`${url}/api/v1/stream`, {
      signal: this.#close.signal,
      headers: {
        authorization: `Bearer ${token}`,
        ...(this.lastId === undefined ? {} : { 'last-event-id': this.lastId }),
      },
    });
    this.status = response.status;
    let text = '';
    const decoder = new TextDecoder();
    for await (const part of response.body ?? []) {
      text += decoder.decode(part, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) this.#take(block);
    }
  }

  #take(block: string): void {
    const fields = new Map(
      block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    );
    if (block.startsWith(':')) this.comments += 1;
    if (!fields.has('data')) return;
    const id = fields.get('id');
    if (id !== undefined) this.lastId = id;
    this.messages.push({ id, event: fields.get('event'), data: JSON.parse(fields.get('data') ?? '') });
  }
}
