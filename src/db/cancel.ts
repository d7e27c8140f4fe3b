// Owns cancelling a statement that runs on another connection, with the protocol's cancel request. The
// request holds a secret of the connection, so it is encrypted if the connection is.
import { connect, isIP, type Socket } from 'node:net';
import * as tls from 'node:tls';
import type pg from 'pg';

/**
 * The backend of a connected client. The driver keeps these fields but does not declare them in its types.
 */
interface Backend {
  readonly processID: number | null;
  readonly secretKey: number | null;
  readonly host: string;
  readonly port: number;
  readonly ssl: false | tls.ConnectionOptions;
}

const TLS_REQUEST_CODE = 80877103;
const CANCEL_REQUEST_CODE = 80877102;

/** Sends `request` as the first message of a connection, in the form of the connection it is about. */
function send(socket: Socket, { host, ssl }: Backend, request: Buffer): void {
  if (ssl === false) {
    socket.end(request);
    return;
  }
  const ask = Buffer.alloc(8);
  ask.writeInt32BE(8, 0);
  ask.writeInt32BE(TLS_REQUEST_CODE, 4);
  socket.write(ask);
  socket.once('data', (answer: Buffer) => {
    if (answer.toString() !== 'S') {
      socket.destroy();
      return;
    }
    const name = isIP(host) === 0 ? { servername: host } : {};
    // The driver hides the key from a copy of the options.
    const options = { ...ssl, ...('key' in ssl ? { key: ssl.key } : {}) };
    const encrypted = tls.connect({ socket, host, ...name, ...options }, () => encrypted.end(request));
    encrypted.on('error', () => socket.destroy());
  });
}

/**
 * Requests that the server cancel the statement of `client`. Never fails: at worst the statement times out.
 */
export async function cancelRunning(client: pg.ClientBase): Promise<void> {
  const backend = client as unknown as Backend;
  if (backend.processID === null || backend.secretKey === null) return;
  const request = Buffer.alloc(16);
  request.writeInt32BE(16, 0);
  request.writeInt32BE(CANCEL_REQUEST_CODE, 4);
  request.writeInt32BE(backend.processID, 8);
  request.writeInt32BE(backend.secretKey, 12);
  const address = backend.host.startsWith('/')
    ? { path: `${backend.host}/.s.PGSQL.${backend.port}` }
    : { host: backend.host, port: backend.port };
  await new Promise<void>((resolve) => {
    const socket = connect(address, () => send(socket, backend, request));
    socket.setTimeout(2_000, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve());
  });
}
