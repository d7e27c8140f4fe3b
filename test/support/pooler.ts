// A proxy that behaves like a connection pooler: it sends the client a process number of its own.
import { connect, createServer, type Socket } from 'node:net';

const KEY_DATA = 'K'.charCodeAt(0);
const IDLE = 'I'.charCodeAt(0);
const HEADER = 5;

/** Changes the process number in the server's first messages; leaves everything else unchanged. */
function renumber(chunk: Buffer): Buffer {
  for (let at = 0; at + HEADER <= chunk.length; at += 1 + chunk.readInt32BE(at + 1))
    if (chunk[at] === KEY_DATA) {
      chunk.writeInt32BE(chunk.readInt32BE(at + HEADER) ^ 0x0f0f0f, at + HEADER);
      break;
    }
  return chunk;
}

/** Listens on loopback in front of the server at `url`; returns the URL to use instead. */
export async function startPooler(url: string): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const target = new URL(url);
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const backend = connect(Number(target.port), target.hostname);
    for (const socket of [client, backend]) {
      open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => open.delete(socket));
    }
    client.pipe(backend);
    let isReady = false;
    backend.on('data', (chunk: Buffer) => {
      const sent = isReady ? chunk : renumber(chunk);
      isReady ||= chunk.includes(KEY_DATA) && chunk.at(-1) === IDLE;
      client.write(sent);
    });
    backend.on('end', () => client.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  const pooled = new URL(url);
  pooled.port = String(address.port);
  return {
    url: pooled.href,
    async stop() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
