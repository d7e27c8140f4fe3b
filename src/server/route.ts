// Owns how a route is described: one object with its address, the permission it needs, the schemas that
// validate and document it, and the verbs of the library it calls. INVARIANT: a route decides nothing.
import type { z } from '@hono/zod-openapi';
import type { Claim, Permission, Verbs } from './identity.js';
import type { Problem } from './problem.js';

/** What a handler gets: everything in it has passed the schemas of the route. */
interface Call<P, Q, B> {
  /** The verbs, as the identity of this request. */
  readonly gcos: Verbs;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** The entity tag that If-Match names. */
  readonly seen: string | undefined;
  /** What the request was accepted with: a token, or the secret of a browser's session. */
  readonly credential: string;
  readonly bySession: boolean;
  /** The address of the server as this client wrote it: scheme, name and port. */
  readonly origin: string;
  /** application/json, or another media type of the route that the client prefers. */
  readonly accepts: string;
  /** Where a stream that was interrupted continues. */
  readonly lastEventId: string | undefined;
  /** For an answer that no verb gives: fails unless the database accepts the credential for this route. */
  accepted(): Promise<void>;
  /** Aborted when the deadline of the request has passed, its client has gone, or the server stops. */
  readonly signal: AbortSignal;
}

/** A value with headers of its own, or with another status than the route declares. */
export class Reply {
  readonly value: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number | undefined;

  constructor(value: unknown, headers: Readonly<Record<string, string>> = {}, status?: number) {
    this.value = value;
    this.headers = headers;
    this.status = status;
  }
}

type ObjectSchema = z.ZodObject;
type Output<S> = S extends z.ZodType ? z.output<S> : undefined;

/** An answer that is no value to encode: its status, its media type and its bytes. */
export interface Refusal {
  readonly status: number;
  readonly type: string;
  readonly body: unknown;
}

interface Documented<P, Q> {
  /** Below /api/v1, with its parameters in braces: `/requests/{code}`. */
  readonly path: string;
  /** The address is as written, not below /api/v1. */
  readonly atRoot?: boolean;
  readonly summary: string;
  readonly description?: string;
  readonly params?: P;
  readonly query?: Q;
  /** The form of the answer outside: snake_case, 64-bit integers as text, never a bare list. */
  readonly answer: z.ZodType;
  /** Media types besides application/json that the route can answer in, such as text/csv. */
  readonly alsoAs?: readonly string[];
  /** The answer to a failure where another standard than RFC 9457 prescribes one. */
  failure?(problem: Problem): Refusal;
  /** Whether X-Request-ID is returned as it came, whatever it is: another standard demands that. */
  readonly echoesRequestId?: boolean;
  /** It costs nothing, and is answered however busy the server is. */
  readonly isLight?: boolean;
  /** How often the value of the handler has each outcome of the gate, for the metrics. */
  outcomes?(value: unknown): Readonly<Record<string, number>>;
}

interface Spec<P, Q, B> extends Documented<P, Q> {
  readonly permission: Permission;
  readonly body?: B;
  /** The scope and owner that the request names, for credentials that are limited to some. */
  limits?(input: { params: Output<P>; query: Output<Q>; body: Output<B> }): Pick<Claim, 'scope' | 'owner'>;
  /** Returns the library's value, a `Reply` around it, or a `Response` that streams. */
  handle(call: Call<Output<P>, Output<Q>, Output<B>>): Promise<unknown>;
}

interface BodySpec<P, Q, B> extends Spec<P, Q, B> {
  /** The largest body in bytes, if not the usual one. */
  readonly largestBody?: number;
}

interface ActSpec<P, Q, B> extends BodySpec<P, Q, B> {
  readonly method?: 'post' | 'put' | 'patch' | 'delete';
  /** 202: the work goes on after the answer. Default 200. */
  readonly status?: 200 | 201 | 202;
  /** Whether the act depends on what was seen: without If-Match it is refused. */
  readonly needsSeen?: boolean;
}

interface OpenSpec<P, Q> extends Documented<P, Q> {
  handle(
    call: Pick<Call<Output<P>, Output<Q>, undefined>, 'params' | 'query' | 'origin' | 'accepts' | 'signal'>,
  ): Promise<unknown>;
}

interface EnterSpec<P, Q, B> extends Documented<P, Q> {
  readonly method?: 'get' | 'post' | 'delete';
  readonly body?: B;
  handle(
    call: Pick<Call<Output<P>, Output<Q>, Output<B>>, 'query' | 'body' | 'signal'> & {
      readonly request: Request;
    },
  ): Promise<unknown>;
}

/** A route as the server runs it. */
export interface Route extends Documented<ObjectSchema, ObjectSchema> {
  /** `read` and `ask` change nothing that a repeat would change again; an `act` honours Idempotency-Key. */
  readonly kind: 'read' | 'ask' | 'act';
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** `public`: it needs no credential, and its handler has no verbs. */
  readonly permission: Permission | 'public';
  readonly status: 200 | 201 | 202;
  readonly body?: z.ZodType;
  readonly largestBody?: number;
  readonly needsSeen?: boolean;
  limits?(input: { params: unknown; query: unknown; body: unknown }): Pick<Claim, 'scope' | 'owner'>;
  handle(call: Call<unknown, unknown, unknown> & { readonly request: Request }): Promise<unknown>;
}

type MaybeObject = ObjectSchema | undefined;

/** A route that only reads. */
export const read = <P extends MaybeObject = undefined, Q extends MaybeObject = undefined>(
  spec: Spec<P, Q, undefined>,
): Route => ({ ...spec, kind: 'read', method: 'get', status: 200 }) as unknown as Route;

/** A route that asks with a document, by POST: the gate, a plan. */
export const ask = <
  P extends MaybeObject = undefined,
  Q extends MaybeObject = undefined,
  B extends z.ZodType | undefined = undefined,
>(
  spec: BodySpec<P, Q, B>,
): Route => ({ ...spec, kind: 'ask', method: 'post', status: 200 }) as Route;

/** A route that changes something. */
export const act = <
  P extends MaybeObject = undefined,
  Q extends MaybeObject = undefined,
  B extends z.ZodType | undefined = undefined,
>(
  spec: ActSpec<P, Q, B>,
): Route => ({ method: 'post', status: 200, ...spec, kind: 'act' }) as Route;

/** A route that needs no credential: it says nothing of what is governed. */
export const open = <P extends MaybeObject = undefined, Q extends MaybeObject = undefined>(
  spec: OpenSpec<P, Q>,
): Route => ({ ...spec, kind: 'read', method: 'get', status: 200, permission: 'public' }) as unknown as Route;

/** A route by which a browser signs in or out. It needs no credential, or brings its own. */
export const enter = <
  P extends MaybeObject = undefined,
  Q extends MaybeObject = undefined,
  B extends z.ZodType | undefined = undefined,
>(
  spec: EnterSpec<P, Q, B>,
): Route => ({ method: 'post', ...spec, kind: 'ask', status: 200, permission: 'public' }) as unknown as Route;

/** The address of a route from the root on. */
export const addressOf = ({ path, atRoot }: Pick<Route, 'path' | 'atRoot'>): string =>
  atRoot === true ? path : `/api/v1${path}`;
