// Owns the steps of one request to one route. INVARIANT: no answer of a verb leaves before the database
// accepted the credential for the permission of the route, in the transaction of that verb.
import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import type { Gcos } from '../index.js';
import { GcosError, hasCode } from '../kernel/index.js';
import { serverErrors } from './errors.js';
import type { Surface } from './guard.js';
import { type Claim, credentialOf, requireAccepted, type Verbs } from './identity.js';
import { type Input, readInput } from './input.js';
import type { Rates } from './limits.js';
import { replyOf } from './reply.js';
import type { Route } from './route.js';
import { sessionOf } from './session.js';

export interface Runner {
  /** The verbs, without an identity. */
  readonly gcos: Gcos;
  readonly rates: Rates;
  readonly surface: Surface;
  /** Made when it is asked for. */
  readonly signal: () => AbortSignal;
  /** The address of the server as this client wrote it. */
  readonly origin: string;
  /** Compare every answer with what its route documents. */
  readonly check: boolean;
}

/** With what the request came. */
interface Carried {
  readonly credential: string;
  readonly bySession: boolean;
  accepted(): Promise<void>;
}

const NOTHING: Carried = { credential: '', bySession: false, accepted: async () => undefined };

/** What is wrong with a request is only for those whose credential is accepted. */
async function refuseInput(gcos: Gcos, claim: Claim, error: unknown): Promise<never> {
  if (error instanceof GcosError && error.exit === 3) await requireAccepted(gcos, claim);
  throw error;
}

/** The same for a request that cannot be read: it names no scope and no owner yet. */
const refuseUnread = (gcos: Gcos, claim: Claim, error: unknown): Promise<never> =>
  refuseInput(gcos, claim, error).catch((refusal: unknown) => {
    throw hasCode(refusal, 'outside_limits') ? error : refusal;
  });

const KEY = /^[\x21-\x7e]{1,200}$/;

/** The key of an act; undefined: it named none, and a repeat acts again. */
function actKeyOf(context: Context, route: Route, { params, query, body, seen }: Input) {
  const key = context.req.header('idempotency-key');
  if (route.kind !== 'act' || key === undefined) return undefined;
  if (!KEY.test(key))
    throw serverErrors.request_malformed(
      'Idempotency-Key is not 1 to 200 visible characters, such as a UUID',
    );
  const whole = JSON.stringify([
    route.method,
    route.path,
    params ?? null,
    query ?? null,
    body ?? null,
    seen ?? null,
  ]);
  return { key, request: createHash('sha256').update(whole).digest('hex') };
}

/** The answer to one request, or an error that becomes one. */
export async function runRoute(context: Context, route: Route, runner: Runner): Promise<Response> {
  const { gcos: own, rates, surface, signal, origin, check } = runner;
  const { permission } = route;
  const request = context.req.raw;
  const handle = async (input: Input, gcos: Verbs, carried: Carried) => {
    const value = await route.handle({
      ...input,
      ...carried,
      gcos,
      request,
      origin,
      get signal() {
        return signal();
      },
    });
    const reply = replyOf(route, value, { check });
    context.set('outcomes', route.outcomes?.(value));
    return reply;
  };
  if (permission === 'public') {
    const input = await readInput(context, route, NOTHING.accepted);
    return handle(input, undefined as unknown as Verbs, NOTHING);
  }
  const authorization = context.req.header('authorization');
  const session = authorization === undefined ? sessionOf(request, surface) : undefined;
  const credential = session ?? credentialOf(authorization);
  rates.take(credential);
  const bare = { credential, permission };
  const input = await readInput(context, route, () => requireAccepted(own, bare)).catch((error: unknown) =>
    refuseUnread(own, bare, error),
  );
  const claim = { credential, permission, ...route.limits?.(input) };
  const act = actKeyOf(context, route, input);
  const carried = {
    credential,
    bySession: session !== undefined,
    accepted: () => requireAccepted(own, claim),
  };
  if (act === undefined) {
    const asOf = Object(input.query).as_of as unknown;
    // A chosen moment may be older than the end of the credential, which counts now.
    if (asOf !== undefined) await requireAccepted(own, claim);
    const answer = () => handle(input, own.as(claim), carried);
    const reply = await answer()
      .catch(async (error: unknown) => {
        if (route.kind !== 'read' || asOf !== undefined || !hasCode(error, 'as_of_expired')) throw error;
        // The credential may be younger than the shared moment. One that does not exist is refused here.
        await requireAccepted(own, claim);
        own.renewMoment();
        return answer();
      })
      .catch((error: unknown) => refuseInput(own, claim, error));
    // The next read of this client must show what it wrote.
    if (route.kind === 'act') own.renewMoment();
    return reply;
  }
  const { status, answer, repeated } = await own.once(claim, act, async (gcos) => {
    const reply = await handle(input, gcos, carried);
    return { status: reply.status, answer: await reply.text() };
  });
  own.renewMoment();
  return new Response(answer, {
    status,
    headers: {
      'content-type': 'application/json',
      ...(repeated ? { 'idempotency-replayed': 'true' } : {}),
    },
  });
}
