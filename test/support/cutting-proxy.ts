// A proxy on loopback between GCOS and its server that cuts connections at the moments that matter: before a
// COMMIT arrives at the server, right after it was forwarded, or once the server has answered it.
import { connect, createServer, type Socket } from 'node:net';

/** What happens to a connection at its next COMMIT. */
export type Cut = 'never' | 'before' | 'after' | 'answered';

export interface CuttingProxy {
  readonly url: string;
  /** How often a connection was cut at each moment. */
  readonly cuts: Readonly<Record<Exclude<Cut, 'never'> | 'any', number>>;
  /** Cuts every open connection now, whatever it does. */
  cutAll(): void;
  stop(): Promise<void>;
}

/** `commit` as a simple query of the driver. */
const COMMIT = Buffer.from('commit\0');

/** Listens in front of the server at `url`; `next` says for each COMMIT what happens to its connection. */
export async function startCuttingProxy(url: string, next: () => Cut): Promise<CuttingProxy> {
  const target = new URL(url);
  const cuts = { before: 0, after: 0, answered: 0, any: 0 };
  const open = new Set<readonly [Socket, Socket]>();
  const server = createServer((client) => {
    const backend = connect(Number(target.port), target.hostname);
    const pair = [client, backend] as const;
    open.add(pair);
    let cutAtAnswer = false;
    const drop = () => {
      open.delete(pair);
      for (const each of pair) each.destroy();
    };
    for (const each of pair) each.setNoDelay(true).on('error', drop).on('close', drop);
    client.on('data', (chunk: Buffer) => {
      const cut = chunk.includes(COMMIT) ? next() : 'never';
      if (cut === 'before' || cut === 'after') cuts[cut] += 1;
      if (cut === 'before') return drop();
      // The client learns nothing; the server commits.
      if (cut === 'after') return void backend.end(chunk, () => client.destroy());
      cutAtAnswer = cut === 'answered';
      backend.write(chunk);
    });
    backend.on('data', (chunk: Buffer) => {
      if (!cutAtAnswer) return void client.write(chunk);
      cuts.answered += 1;
      drop();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  const proxied = new URL(url);
  proxied.hostname = '127.0.0.1';
  proxied.port = String(address.port);
  const cutAll = () => {
    for (const pair of open) for (const each of pair) each.destroy();
  };
  return {
    url: proxied.href,
    cuts,
    cutAll() {
      cuts.any += open.size;
      cutAll();
    },
    async stop() {
      cutAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
