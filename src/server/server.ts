// Owns the server process: listening, and stopping gracefully.
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { errorKinds, type Gcos, type Log, version } from '../index.js';
import { makeApp } from './app.js';
import { serverErrors } from './errors.js';
import { healthRoutes } from './health.js';
import type { Identify } from './identity.js';
import { openApiDocument, openApiRoute } from './openapi.js';
import type { Route } from './route.js';
import { resourceRoutes } from './routes.js';

export interface ServerOptions {
  readonly gcos: Gcos;
  readonly identify: Identify;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** 0: any free port. */
  readonly port: number;
  readonly log: Log;
  /** Compare every answer with what its route documents: for tests. */
  readonly checkAnswers?: boolean;
}

export interface RunningServer {
  readonly url: string;
  /** Every route, for tests. */
  readonly routes: readonly Route[];
  close(): Promise<void>;
}

/** Every route, and the document that describes them. */
function allRoutes(gcos: Gcos, stopping: AbortSignal): Route[] {
  let document: unknown;
  const routes: Route[] = [
    ...healthRoutes({ gcos, stopping }),
    ...resourceRoutes,
    openApiRoute(() => {
      document ??= openApiDocument(routes, version);
      return document;
    }),
  ];
  return routes;
}

export async function openServer(options: ServerOptions): Promise<RunningServer> {
  const { gcos, identify, host = '127.0.0.1', port, log, checkAnswers = false } = options;
  const stopping = new AbortController();
  const routes = allRoutes(gcos, stopping.signal);
  const app = makeApp({
    routes,
    identify,
    kinds: { ...errorKinds, ...serverErrors.kinds },
    checkAnswers,
    onFailure: (error, requestId) =>
      log('error', 'request_failed', {
        request_id: requestId,
        error: error instanceof Error ? error.message : String(error),
      }),
  });
  const server = createAdaptorServer({ fetch: app.fetch });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { port: opened } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${opened}`,
    routes,
    close: async () => {
      stopping.abort();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
