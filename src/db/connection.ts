// Owns one connection of the pool, including the socket that the driver leaves open after a failed handshake.
import type { Duplex } from 'node:stream';
import pg from 'pg';

/** The driver's socket, which its types do not declare. */
interface WithSocket {
  readonly connection: { readonly stream: Duplex };
}

/** A warning of the server as the error that it announces. */
const lastWords = (message: string | undefined): Error =>
  new pg.DatabaseError(message ?? 'the server stops', 0, 'error');

export class PooledClient extends pg.Client {
  /** How long the server may take for one statement; undefined: no limit. */
  deadlineMs: number | undefined;
  /** Called after each answer. */
  onAnswer: (() => void) | undefined;
  #waiting = 0;
  #statements = 1;
  #timer: NodeJS.Timeout | undefined;
  /** Why the connection ended, if something said so before the statement failed that needed it. */
  #farewell: Error | undefined;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const note = (error: Error): void => {
      this.#farewell ??= error;
    };
    // While no statement runs, what the server says about the end reaches no statement. A server that stops
    // at once, or has crashed, says so in a warning.
    this.on('error', note);
    this.on('notice', (notice) => {
      if (notice.code?.startsWith('57P'))
        note(Object.assign(lastWords(notice.message), { code: notice.code }));
    });
  }

  /**
   * Waits for the answer to a statement. Closes the connection if none arrives by the deadline: a server
   * whose machine is gone, or a proxy that stopped forwarding, would otherwise be waited for until TCP gives
   * up. The server's time-out, and so the deadline, applies to each statement of a script.
   */
  async answer<T>(statement: Promise<T>, statements = 1): Promise<T> {
    this.#waiting += 1;
    this.#statements = statements;
    this.#watch();
    try {
      const answer = await statement;
      this.onAnswer?.();
      return answer;
    } catch (error) {
      throw error instanceof pg.DatabaseError ? error : (this.#farewell ?? error);
    } finally {
      this.#waiting -= 1;
      this.#watch();
    }
  }

  /** Every answer restarts the time for the statements behind it. */
  #watch(): void {
    clearTimeout(this.#timer);
    if (this.#waiting > 0 && this.deadlineMs !== undefined)
      this.#timer = setTimeout(() => this.#giveUp(), this.deadlineMs * this.#statements);
  }

  #giveUp(): void {
    const seconds = Math.round(((this.deadlineMs ?? 0) * this.#statements) / 1_000);
    this.#farewell ??= new Error(`the server did not answer a statement for ${seconds} s`);
    this.cut();
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
    if (callback === undefined) return super.connect() as unknown as Promise<pg.Client>;
    super.connect((error: Error) => {
      // Without a password the driver gives up but leaves the socket open. The open socket would keep the
      // process alive until the server's authentication time-out.
      if (error) this.cut();
      callback(error);
    });
    return undefined;
  }

  /**
   * Closes the connection once the server has sent more than `bytes` from now on. The result reports whether
   * it did.
   */
  cutAfter(bytes: number): () => boolean {
    let left = bytes;
    (this as unknown as WithSocket).connection.stream.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) this.cut();
    });
    return () => left < 0;
  }

  /** Closes the socket at once, without notifying the server. */
  cut(): void {
    (this as unknown as WithSocket).connection.stream.destroy();
  }
}

const direct = new WeakMap<pg.ClientBase, boolean>();

/**
 * Whether this connection always reaches the same server process. A pooler may use another one for each
 * transaction; it announces a process number of its own, so that it can forward cancel requests.
 */
export async function isDirect(client: PooledClient): Promise<boolean> {
  const known = direct.get(client);
  if (known !== undefined) return known;
  const { rows } = await client.answer(client.query<{ pid: number }>('select pg_backend_pid() as pid'));
  const announced = (client as unknown as { readonly processID: number | null }).processID;
  const found = rows[0]?.pid === announced;
  direct.set(client, found);
  return found;
}
