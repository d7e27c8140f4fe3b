// Owns COPY FROM STDIN: rows stream to the server as fast as it takes them, so that memory does not grow with
// their number. The driver knows the messages of the protocol and has no interface for them; this is the
// whole of what a package for it would add.
import type { Writable } from 'node:stream';
import type pg from 'pg';

/** The part of the driver's connection that COPY needs, which its types do not declare. */
interface CopyConnection {
  readonly stream: Writable;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
}

/** A column of one row; null: the SQL value NULL. */
export type CopyRow = readonly (string | null)[];

const CHUNK_BYTES = 65_536;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** One row in the text format of COPY. */
function lineOf(row: CopyRow): string {
  const fields = row.map((value) =>
    value === null ? '\\N' : value.replace(/[\\\n\r\t]/g, (found) => ESCAPES[found] ?? found),
  );
  return `${fields.join('\t')}\n`;
}

/** @internal One COPY FROM STDIN as the driver submits a query. `finished` settles with its end. */
export class CopyIn implements pg.Submittable {
  readonly finished: Promise<void>;
  readonly #text: string;
  readonly #rows: AsyncIterable<CopyRow>;
  #settle: { resolve: () => void; reject: (error: unknown) => void } | undefined;
  /** Why the rows ended early; the server only reports that they did. */
  #trouble: unknown;
  #failure: Error | undefined;
  #pumping: Promise<void> = Promise.resolve();

  constructor(text: string, rows: AsyncIterable<CopyRow>) {
    this.#text = text;
    this.#rows = rows;
    this.finished = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
  }

  submit(connection: unknown): void {
    (connection as CopyConnection).query(this.#text);
  }

  handleCopyInResponse(connection: unknown): void {
    this.#pumping = this.#pump(connection as CopyConnection);
  }

  handleCommandComplete(): void {}

  handleError(error: Error): void {
    // After an error the driver reports nothing more to this query.
    this.#failure = error;
    this.#end();
  }

  handleReadyForQuery(): void {
    this.#end();
  }

  /** The rows may still be waiting for their source: they end before the caller uses it again. */
  #end(): void {
    const { resolve, reject } = this.#settle ?? {};
    this.#pumping.then(() => {
      const failed = this.#trouble ?? this.#failure;
      if (failed === undefined) resolve?.();
      else reject?.(failed);
    });
  }

  async #pump(connection: CopyConnection): Promise<void> {
    try {
      let chunk = '';
      for await (const row of this.#rows) {
        if (this.#failure !== undefined) return;
        chunk += lineOf(row);
        if (chunk.length < CHUNK_BYTES) continue;
        connection.sendCopyFromChunk(Buffer.from(chunk));
        chunk = '';
        if (connection.stream.writableNeedDrain) await drained(connection.stream);
      }
      if (this.#failure !== undefined) return;
      if (chunk !== '') connection.sendCopyFromChunk(Buffer.from(chunk));
      connection.endCopyFrom();
    } catch (error) {
      this.#trouble = error;
      if (this.#failure === undefined) connection.sendCopyFail('the rows could not be read');
    }
  }
}

/** Resolves when the stream takes more, or never will. */
function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.on('drain', done).on('close', done);
    if (stream.destroyed) done();
  });
}
