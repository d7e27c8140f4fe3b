// Owns the socket: where the server listens, with which certificate, and how long a client may take.
import { readFileSync } from 'node:fs';
import { createServer as createPlain, type Server } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createSecureContext } from 'node:tls';
import { createAdaptorServer } from '@hono/node-server';
import { serverErrors } from './errors.js';

/** Limits of a connection, so that a client that sends slowly, or not at all, is dropped. */
export interface Patience {
  /** For all headers of a request. */
  readonly headersMs: number;
  /** For a whole request, body included. */
  readonly requestMs: number;
  /** For the next request on a connection. */
  readonly keepAliveMs: number;
  /** Without a byte in either direction, also while an answer is read. */
  readonly silenceMs: number;
  /** Between two comments on a stream; its credential is asked about again with each. */
  readonly heartbeatMs: number;
  /** Until the client of a stream reads what waits for it. */
  readonly stalledMs: number;
}

export const DEFAULT_PATIENCE: Patience = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 5_000,
  silenceMs: 60_000,
  heartbeatMs: 15_000,
  stalledMs: 30_000,
};

const MOST_CONNECTIONS = 1_024;
const LARGEST_HEADERS = 16_384;

/** Files in PEM: a certificate chain, and its key. */
export interface Tls {
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

export interface ListenOptions {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  readonly host: string;
  readonly port: number;
  readonly tls?: Tls;
  readonly patience: Patience;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;

/** Whether only programs on this machine reach it. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host);

function readTls({ cert, key }: Tls): { cert: string; key: string } {
  if (cert === undefined || key === undefined)
    throw serverErrors.tls_invalid(
      `\`${cert ?? key}\` stands alone: a certificate and its key belong together`,
    );
  try {
    const read = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
    createSecureContext(read);
    return read;
  } catch (cause) {
    throw serverErrors.tls_invalid(`\`${cert}\` and \`${key}\` cannot be used`, { cause });
  }
}

export async function listen(options: ListenOptions): Promise<{ server: Server; port: number }> {
  const { fetch, host, port, tls, patience } = options;
  const secure = tls === undefined ? undefined : readTls(tls);
  const limits = {
    headersTimeout: patience.headersMs,
    requestTimeout: patience.requestMs,
    keepAliveTimeout: patience.keepAliveMs,
    connectionsCheckingInterval: Math.min(1_000, patience.headersMs),
    maxHeaderSize: LARGEST_HEADERS,
  };
  const server = createAdaptorServer(
    secure === undefined
      ? { fetch, createServer: createPlain, serverOptions: limits }
      : { fetch, createServer: createSecure, serverOptions: { ...limits, ...secure, minVersion: 'TLSv1.2' } },
  ) as Server;
  server.maxConnections = MOST_CONNECTIONS;
  // By default, Node hides what exceeds a number of headers, Origin among them. Their size is limited.
  server.maxHeadersCount = 0;
  server.setTimeout(patience.silenceMs);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(serverErrors.listen_refused(`port ${port} of ${host}: ${error.code}`, { cause: error })),
    );
    server.listen(port, host, resolve);
  });
  return { server, port: (server.address() as AddressInfo).port };
}

/** Takes no new connection, waits for `idle`, at most `ms`, then ends what is left. */
export async function closeServer(server: Server, idle: Promise<void>, ms: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([idle, deadline]);
  clearTimeout(timer);
  // Their answers are written: what is still open waits for a next request, or for a client that does not
  // read.
  server.closeIdleConnections();
  const graceful = setTimeout(() => server.closeAllConnections(), 500);
  await closed;
  clearTimeout(graceful);
}
