// A proxy that can stop forwarding without closing, as a machine that is gone does, and can point at another
// server.
import { connect, createServer, type Socket } from 'node:net';

export interface FrozenProxy {
  readonly url: string;
  /** From now on nothing passes in either direction, also on new connections. */
  freeze(): void;
  thaw(): void;
  /** From now on clients reach the server at `url`; open connections are closed. */
  pointAt(url: string): void;
  stop(): Promise<void>;
}

/** Listens on loopback in front of the server at `url`. */
export async function startFrozenProxy(url: string): Promise<FrozenProxy> {
  let target = new URL(url);
  const open = new Set<Socket>();
  let isFrozen = false;
  const server = createServer((client) => {
    const backend = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [client, backend],
      [backend, client],
    ] as const) {
      open.add(from);
      from.on('data', (chunk: Buffer) => {
        if (!isFrozen) to.write(chunk);
      });
      from.on('end', () => {
        if (!isFrozen) to.end();
      });
      from.on('error', () => from.destroy());
      from.on('close', () => {
        open.delete(from);
        if (!isFrozen) to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  const proxied = new URL(url);
  proxied.port = String(address.port);
  return {
    url: proxied.href,
    freeze() {
      isFrozen = true;
    },
    thaw() {
      isFrozen = false;
      // What was swallowed is lost: both ends must start again.
      for (const socket of open) socket.destroy();
    },
    pointAt(next) {
      target = new URL(next);
      for (const socket of open) socket.destroy();
    },
    async stop() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
