// Owns cancelling a statement that runs on another connection, with the protocol's cancel request.
import { connect } from 'node:net';
import type pg from 'pg';

/**
 * The backend of a connected client. The driver keeps these fields but does not declare them in its types.
 */
interface Backend {
  readonly processID: number | null;
  readonly secretKey: number | null;
  readonly host: string;
  readonly port: number;
}

const CANCEL_REQUEST_CODE = 80877102;

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
    const socket = connect(address, () => socket.end(request));
    socket.setTimeout(2_000, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve());
  });
}
