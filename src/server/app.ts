// Owns what every request passes: its id, the guard, its route, the limits, and the form of a refusal.
// docs/architecture.md follows the same steps.
import { randomUUID } from 'node:crypto';
import { type Context, Hono } from 'hono';
import type { Gcos } from '../index.js';
import type { ErrorKinds } from '../kernel/index.js';
import { serverErrors } from './errors.js';
import { allowOrigins, guard, headersOf, type Surface } from './guard.js';
import { LARGEST_BODY } from './input.js';
import { type Limits, Rates, Running, withDeadline } from './limits.js';
import { refusalOf } from './reply.js';
import { addressOf, type Route } from './route.js';
import { runRoute } from './run.js';

/** What is known of a request once it was answered. */
export interface Answered {
  readonly requestId: string;
  readonly method: string;
  /** The address of the route, without the values in it; null: there is no such route. */
  readonly route: string | null;
  readonly status: number;
  readonly ms: number;
  /** Why it was refused. */
  readonly error: unknown;
  /** How often each outcome of the gate was answered. */
  readonly outcomes: Readonly<Record<string, number>>;
}

export interface AppOptions {
  readonly routes: readonly Route[];
  /** The verbs, without an identity. */
  readonly gcos: Gcos;
  /** Every error with its text. */
  readonly kinds: ErrorKinds;
  readonly surface: Surface;
  readonly limits: Limits;
  readonly running: Running;
  /** Aborted: the server takes no new requests. */
  readonly stopping: AbortSignal;
  /** Compare every answer with what its route documents, and fail if it differs: for tests. */
  readonly checkAnswers: boolean;
  readonly onAnswered: (answered: Answered) => void;
  /** Answers for a page of the console; undefined: the address is none. */
  readonly screen?: (request: Request) => Response | undefined;
}

interface State {
  Variables: {
    requestId: string;
    route: Route | undefined;
    error: unknown;
    outcomes: Readonly<Record<string, number>> | undefined;
  };
}
type RequestContext = Context<State>;

/** An id of the client, for its own log; anything else gets a new one. */
const OWN_ID = /^[\w.:-]{1,100}$/;
const requestIdOf = (given: string | undefined): string =>
  given !== undefined && OWN_ID.test(given) ? given : randomUUID();

/** Requests at a time whose body may need sixteen times the memory of any other. */
const LARGE_AT_ONCE = 8;

const isLarge = (context: Context): boolean => Number(context.req.header('content-length')) > LARGEST_BODY;

/** Hono writes parameters with a colon. */
const patternOf = (route: Route): string => addressOf(route).replaceAll(/\{(\w+)\}/g, ':$1');

export function makeApp(options: AppOptions): Hono<State> {
  const { gcos, routes, kinds, surface, limits, running, stopping, checkAnswers, onAnswered } = options;
  const app = new Hono<State>();
  const rates = new Rates(limits.perSecond);
  /** Requests without a credential, so that they leave room for the others. */
  const entering = new Running(limits.atOnce);
  const large = new Running(LARGE_AT_ONCE);
  const headers = Object.entries(headersOf(surface));
  const scheme = surface.secure ? 'https' : 'http';
  const refuse = (context: RequestContext, error: unknown): Response => {
    context.set('error', error);
    return refusalOf(context.get('route'), error, { requestId: context.get('requestId'), kinds });
  };

  app.use(async (context, next) => {
    const begun = performance.now();
    const requestId = requestIdOf(context.req.header('x-request-id'));
    context.set('requestId', requestId);
    await next();
    const { res } = context;
    // The answer to HEAD is that to GET without its body: what would be streamed ends here.
    if (context.req.method === 'HEAD') await res.body?.cancel();
    res.headers.set('x-request-id', requestId);
    for (const [name, value] of headers) if (!res.headers.has(name)) res.headers.set(name, value);
    if (stopping.aborted) res.headers.set('connection', 'close');
    const route = context.get('route');
    const given = context.req.header('x-request-id');
    if (route?.echoesRequestId && given !== undefined) res.headers.set('x-request-id', given);
    onAnswered({
      requestId,
      method: context.req.method,
      route: route === undefined ? null : addressOf(route),
      status: res.status,
      ms: performance.now() - begun,
      error: context.get('error'),
      outcomes: context.get('outcomes') ?? {},
    });
  });
  app.use(guard(surface));
  if (surface.corsOrigins.length > 0) app.use(allowOrigins(surface));

  for (const route of routes)
    app.on(route.method, patternOf(route), async (context) => {
      context.set('route', route);
      try {
        const origin = `${scheme}://${context.req.header('host')}`;
        return await withDeadline(
          limits.deadlineMs,
          () => context.req.raw.signal,
          (signal) => {
            const run = () =>
              runRoute(context, route, { gcos, rates, surface, signal, origin, check: checkAnswers });
            if (route.isLight) return run();
            if (route.permission === 'public') return entering.run(run);
            if (stopping.aborted) throw serverErrors.server_stopping('the server is stopping');
            return running.run(isLarge(context) ? () => large.run(run) : run);
          },
        );
      } catch (error) {
        return refuse(context, error);
      }
    });
  const methods = new Map<string, string[]>();
  for (const route of routes)
    methods.set(patternOf(route), [...(methods.get(patternOf(route)) ?? []), route.method.toUpperCase()]);
  for (const [pattern, known] of methods)
    app.all(pattern, (context) => {
      const refusal = refuse(context, serverErrors.method_unknown('the address exists, with other methods'));
      refusal.headers.set('allow', known.join(', '));
      return refusal;
    });
  const screen = options.screen ?? (() => undefined);
  app.notFound(
    (context) =>
      screen(context.req.raw) ?? refuse(context, serverErrors.route_unknown('there is no such address')),
  );
  app.onError((error, context) => refuse(context, error));
  return app;
}
