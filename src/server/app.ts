// Owns how a request runs, from its address to its answer; docs/architecture.md follows the same steps.
// INVARIANT: no answer of a verb leaves before the credential was accepted for the permission of its route.
import { randomUUID } from 'node:crypto';
import { type Context, Hono } from 'hono';
import type { ErrorKinds } from '../kernel/index.js';
import { serverErrors } from './errors.js';
import { credentialOf, type Identify, type Verbs } from './identity.js';
import { readInput } from './input.js';
import { refusalOf, replyOf } from './reply.js';
import { addressOf, type Route } from './route.js';

export interface AppOptions {
  readonly routes: readonly Route[];
  readonly identify: Identify;
  /** Every error with its text. */
  readonly kinds: ErrorKinds;
  /** Compare every answer with what its route documents, and fail if it differs: for tests. */
  readonly checkAnswers?: boolean;
  /** Called for an error that is no refusal, with the id of its request. */
  readonly onFailure: (error: unknown, requestId: string) => void;
}

/** An id of the client, for its own log; anything else gets a new one. */
const OWN_ID = /^[\w.:-]{1,100}$/;
const requestIdOf = (given: string | undefined): string =>
  given !== undefined && OWN_ID.test(given) ? given : randomUUID();

/** Hono writes parameters with a colon. */
const patternOf = (route: Route): string => addressOf(route).replaceAll(/\{(\w+)\}/g, ':$1');

/** One request to one route. */
async function run(
  context: Context,
  route: Route,
  { identify, checkAnswers }: AppOptions,
): Promise<Response> {
  const credential =
    route.permission === 'public' ? undefined : credentialOf(context.req.header('authorization'));
  const input = await readInput(context, route);
  const gcos =
    route.permission === 'public' || credential === undefined
      ? undefined
      : await identify({ credential, permission: route.permission, ...route.limits?.(input) });
  const answer = await route.handle({ ...input, gcos: gcos as Verbs, signal: context.req.raw.signal });
  return replyOf(route, answer, { check: checkAnswers === true });
}

export function makeApp(options: AppOptions): Hono {
  const app = new Hono();
  const { routes, kinds, onFailure } = options;
  const refuse = (error: unknown, requestId: string, route?: Route): Response => {
    const refusal = refusalOf(route, error, { requestId, kinds });
    if (refusal.status >= 500) onFailure(error, requestId);
    return refusal;
  };
  app.use(async (context, next) => {
    const id = requestIdOf(context.req.header('x-request-id'));
    context.set('requestId' as never, id as never);
    await next();
    context.res.headers.set('x-request-id', id);
    context.res.headers.set('cache-control', 'no-store');
    context.res.headers.set('x-content-type-options', 'nosniff');
  });
  const idOf = (context: Context): string => context.get('requestId' as never) as string;
  for (const route of routes)
    app.on(route.method, patternOf(route), (context) =>
      run(context, route, options).catch((error: unknown) => refuse(error, idOf(context), route)),
    );
  const methods = new Map<string, string[]>();
  for (const route of routes)
    methods.set(patternOf(route), [...(methods.get(patternOf(route)) ?? []), route.method.toUpperCase()]);
  for (const [pattern, known] of methods)
    app.all(pattern, (context) => {
      const refusal = refuse(serverErrors.method_unknown('not with this method'), idOf(context));
      refusal.headers.set('allow', known.join(', '));
      return refusal;
    });
  app.notFound((context) => refuse(serverErrors.route_unknown('there is no such address'), idOf(context)));
  app.onError((error, context) => refuse(error, idOf(context)));
  return app;
}
