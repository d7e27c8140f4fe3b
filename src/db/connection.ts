// Owns one connection of the pool: what the driver leaves open when a handshake fails is closed here.
import type { Duplex } from 'node:stream';
import pg from 'pg';

/** Where the driver keeps its socket; its types do not show it. */
interface WithSocket {
  readonly connection: { readonly stream: Duplex };
}

export class PooledClient extends pg.Client {
  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
    if (callback === undefined) return super.connect() as unknown as Promise<pg.Client>;
    super.connect((error: Error) => {
      // Without a password the driver gives up on its side only, and the open socket keeps the process alive
      // until the server's authentication time-out.
      if (error) this.cut();
      callback(error);
    });
    return undefined;
  }

  /** Drops the connection once the server has sent more than `bytes` from now on; tells whether it did. */
  cutAfter(bytes: number): () => boolean {
    let left = bytes;
    (this as unknown as WithSocket).connection.stream.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) this.cut();
    });
    return () => left < 0;
  }

  /** Drops the connection at once, without a word to the server. */
  cut(): void {
    (this as unknown as WithSocket).connection.stream.destroy();
  }
}
