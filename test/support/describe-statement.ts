// Asks a server what a statement takes and returns, without running it: Parse and Describe of the protocol.
// Works the same on every version, where pg_prepared_statements tells result types only from 16 on.
import type pg from 'pg';

export interface Described {
  readonly params: readonly number[];
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}

interface Wire {
  parse(query: { text: string; name?: string; types?: number[] }): void;
  describe(target: { type: 'S'; name?: string }): void;
  sync(): void;
  once(event: string, listener: (message: never) => void): void;
  removeAllListeners(event: string): void;
}

/** A query object the driver's queue accepts: it stops before Bind and Execute. */
class Describe {
  readonly #text: string;
  readonly #done: (error: Error | undefined, described: Described) => void;
  #params: number[] = [];
  #fields: { name: string; dataTypeID: number }[] = [];

  constructor(text: string, done: (error: Error | undefined, described: Described) => void) {
    this.#text = text;
    this.#done = done;
  }

  submit(wire: Wire): void {
    wire.removeAllListeners('parameterDescription');
    wire.once('parameterDescription', (message: { dataTypeIDs: number[] }) => {
      this.#params = message.dataTypeIDs;
    });
    wire.parse({ text: this.#text });
    wire.describe({ type: 'S' });
    wire.sync();
  }

  handleRowDescription(message: { fields: { name: string; dataTypeID: number }[] }): void {
    this.#fields = message.fields;
  }

  handleReadyForQuery(): void {
    this.#done(undefined, { params: this.#params, fields: this.#fields });
  }

  handleError(error: Error): void {
    this.#done(error, { params: [], fields: [] });
  }
}

export function describeStatement(client: pg.Client, text: string): Promise<Described> {
  return new Promise((resolve, reject) => {
    const query = new Describe(text, (error, described) => (error ? reject(error) : resolve(described)));
    client.query(query as unknown as pg.Submittable);
  });
}
