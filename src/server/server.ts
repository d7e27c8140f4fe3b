// Owns the server: its routes, its surface, from start to graceful stop.
import { errorKinds, type Gcos, GcosError, type Log, version } from '../index.js';
import { type Answered, makeApp } from './app.js';
import { openConsole } from './console.js';
import { serverErrors } from './errors.js';
import { healthRoutes, type Readiness } from './health.js';
import { DEFAULT_LIMITS, type Limits, Running } from './limits.js';
import { closeServer, DEFAULT_PATIENCE, isLoopback, listen, type Patience, type Tls } from './listen.js';
import { metricsRoute, ServerMetrics } from './metrics.js';
import { type OidcOptions, Provider } from './oidc.js';
import { openApiDocument, openApiRoute } from './openapi.js';
import type { Route } from './route.js';
import { resourceRoutes } from './routes.js';
import { sessionRoutes } from './session.js';
import { signInRoutes } from './sign-in.js';
import { type StreamOptions, streamRoutes } from './stream.js';

/** How long a stop waits for the requests that are running. */
const STOP_MS = 8_000;

export interface ServerOptions {
  /** Its login is that of the server: what a request may do follows from its credential alone. */
  readonly gcos: Gcos;
  /** Default 127.0.0.1. Another address needs `tls` or `behindProxy`. */
  readonly host?: string;
  /** 0: any free port. */
  readonly port: number;
  readonly tls?: Tls;
  /** A proxy in front speaks HTTPS with the clients. */
  readonly behindProxy?: boolean;
  /** More names by which clients reach this server. */
  readonly hostNames?: readonly string[];
  readonly corsOrigins?: readonly string[];
  /** The organisation's provider through which browsers sign in; undefined: none. */
  readonly oidc?: OidcOptions;
  readonly limits?: Partial<Limits>;
  readonly patience?: Partial<Patience>;
  readonly stopMs?: number;
  readonly log: Log;
  /** Compare every answer with what its route documents: for tests. */
  readonly checkAnswers?: boolean;
}

export interface RunningServer {
  readonly url: string;
  readonly port: number;
  /** Every route, for tests. */
  readonly routes: readonly Route[];
  /** No new requests; running ones end, within a deadline. */
  close(): Promise<void>;
}

/** Every route, and the document that describes them. */
function allRoutes(
  server: Readiness &
    Parameters<typeof sessionRoutes>[0] &
    Parameters<typeof signInRoutes>[0] &
    StreamOptions & { readonly metrics: () => Promise<string> },
): Route[] {
  let document: unknown;
  const routes: Route[] = [
    ...healthRoutes(server),
    ...sessionRoutes(server),
    ...signInRoutes(server),
    metricsRoute(server.metrics),
    ...resourceRoutes,
    ...streamRoutes(server),
    openApiRoute(() => {
      document ??= openApiDocument(routes, version);
      return document;
    }),
  ];
  return routes;
}

/** One line per request. Addresses are logged without the values in them, and never with their query. */
function logAnswered(log: Log, { requestId, method, route, status, ms, error }: Answered): void {
  const known = error instanceof GcosError ? error.code : 'internal_error';
  const message = error instanceof Error ? error.message : String(error);
  log(status >= 500 ? 'error' : 'info', 'request', {
    request_id: requestId,
    method,
    route,
    status,
    ms: Math.round(ms * 10) / 10,
    ...(error === undefined ? {} : { code: known }),
    ...(status >= 500 ? { error: message } : {}),
  });
}

function requireGuarded({ host = '127.0.0.1', tls, behindProxy }: ServerOptions): void {
  if (!isLoopback(host) && tls === undefined && behindProxy !== true)
    throw serverErrors.listen_refused(`\`${host}\` is reached from other machines, without TLS`);
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];
const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** The routes and the document without a server, for the reference. */
export function describeApi(): { readonly routes: readonly Route[]; readonly document: unknown } {
  // The handlers are not called.
  const none = {
    gcos: {} as Gcos,
    secure: true,
    stopping: AbortSignal.abort(),
    provider: undefined,
    limits: DEFAULT_LIMITS,
    patience: DEFAULT_PATIENCE,
  };
  const routes = allRoutes({ ...none, metrics: async () => '' });
  return { routes, document: openApiDocument(routes, version) };
}

export async function openServer(options: ServerOptions): Promise<RunningServer> {
  requireGuarded(options);
  const { gcos, host = '127.0.0.1', port, tls, log, stopMs = STOP_MS } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const patience = { ...DEFAULT_PATIENCE, ...options.patience };
  const stopping = new AbortController();
  const running = new Running(limits.atOnce);
  const metrics = await ServerMetrics.open();
  const secure = tls !== undefined || options.behindProxy === true;
  const { oidc } = options;
  if (oidc !== undefined && oidc.publicUrl.startsWith('https:') !== secure)
    throw serverErrors.sign_in_invalid(
      '--public-url begins with https exactly if browsers reach this server by TLS, here or at a proxy',
    );
  const provider = oidc === undefined ? undefined : new Provider(oidc);
  const ownName = oidc === undefined ? [] : [new URL(oidc.publicUrl).hostname];
  const routes = allRoutes({
    gcos,
    secure,
    provider,
    stopping: stopping.signal,
    limits,
    patience,
    metrics: () => metrics.text(running.now),
  });
  const app = makeApp({
    routes,
    gcos,
    kinds: { ...errorKinds, ...serverErrors.kinds },
    surface: {
      hostNames: [...LOOPBACK_NAMES, bracketed(host), ...ownName, ...(options.hostNames ?? [])].map((name) =>
        name.toLowerCase(),
      ),
      secure,
      corsOrigins: options.corsOrigins ?? [],
    },
    limits,
    running,
    stopping: stopping.signal,
    checkAnswers: options.checkAnswers === true,
    screen: openConsole(),
    onAnswered: (answered) => {
      const { error } = answered;
      metrics.count({ ...answered, code: error instanceof GcosError ? error.code : undefined });
      logAnswered(log, answered);
    },
  });
  const { server, port: opened } = await listen({
    fetch: app.fetch,
    host,
    port,
    ...(tls === undefined ? {} : { tls }),
    patience,
  });
  // What needs no provider is served without it: the operator reads here why browsers cannot sign in.
  void provider?.check().catch(({ code, message, help }: GcosError) => log('warn', code, { message, help }));
  return {
    url: `${tls === undefined ? 'http' : 'https'}://${bracketed(host)}:${opened}`,
    port: opened,
    routes,
    close: async () => {
      if (stopping.signal.aborted) return;
      stopping.abort();
      await closeServer(server, running.none(), stopMs);
    },
  };
}
