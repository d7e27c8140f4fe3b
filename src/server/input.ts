// Owns the reading of a request into what its route declares: parameters, query, body and If-Match. What the
// schemas do not name is refused, and so is a query parameter that stands twice.
import type { Context } from 'hono';
import type { z } from 'zod';

import { GcosError } from '../kernel/index.js';
import { serverErrors } from './errors.js';
import { readJson } from './json.js';
import type { Route } from './route.js';

/** The largest body, unless a route accepts more. */
export const LARGEST_BODY = 1_048_576;

export interface Input {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly seen: string | undefined;
  /** The media type that the client prefers among those of the route. */
  readonly accepts: string;
  /** Where a stream that was interrupted continues. */
  readonly lastEventId: string | undefined;
}

interface Place {
  readonly at: string;
  readonly message: string;
}

const placesOf = (part: string, { issues }: z.core.$ZodError): Place[] =>
  issues.map(({ path, message }) => ({ at: [part, ...path.map(String)].join('.'), message }));

function parse(schema: z.ZodType | undefined, part: string, given: unknown, places: Place[]): unknown {
  const parsed = schema?.safeParse(given);
  if (parsed === undefined) return undefined;
  if (!isStorable(given)) places.push({ at: part, message: 'has characters that cannot be stored' });
  if (parsed.success) return parsed.data;
  places.push(...placesOf(part, parsed.error));
  return undefined;
}

const tooLarge = (most: number) => serverErrors.body_too_large(`the body is larger than ${most} bytes`);

/** Each parameter of the address once. A name that stands twice could mean two things. */
function queryOf(context: Context, places: Place[]): Record<string, string> {
  const { url } = context.req;
  const start = url.indexOf('?');
  if (start === -1) return {};
  const given = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
    if (given.has(name)) places.push({ at: `query.${name}`, message: 'stands more than once' });
    given.set(name, value);
  }
  return Object.fromEntries(given);
}

/** What arrives of a body without a length, counted meanwhile: a large one must say how large it is. */
async function arriving(request: Request): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of request.body ?? []) {
    length += part.byteLength;
    if (length > LARGEST_BODY) throw tooLarge(LARGEST_BODY);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** The bytes of the body, at most `most`. More than any body may have is read only of accepted clients. */
async function bytesOf(request: Request, most: number, accepted: () => Promise<void>): Promise<Uint8Array> {
  const announced = request.headers.get('content-length');
  const length = announced === null ? undefined : Number(announced);
  if (length !== undefined && length > most) throw tooLarge(most);
  if (length !== undefined && length > LARGEST_BODY) await accepted();
  try {
    // Read as a whole, without a stream in between.
    return length === undefined ? await arriving(request) : new Uint8Array(await request.arrayBuffer());
  } catch (error) {
    if (error instanceof GcosError) throw error;
    throw serverErrors.body_invalid('the body ended before it was complete');
  }
}

/** PostgreSQL stores no text with a null character, and half a character is none. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !UNSTORABLE.test(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, each]) => !UNSTORABLE.test(name) && isStorable(each));
}

async function bodyOf(
  context: Context,
  { largestBody = LARGEST_BODY }: Route,
  accepted: () => Promise<void>,
): Promise<unknown> {
  const type = context.req.header('content-type') ?? '';
  if (!/^application\/json *(; *charset=utf-8)?$/i.test(type))
    throw serverErrors.content_type_unsupported(
      type === '' ? 'the body has no content type' : 'the content type of the body is not application/json',
    );
  if (context.req.header('content-encoding') !== undefined)
    throw serverErrors.content_type_unsupported('the body is compressed');
  return readJson(await bytesOf(context.req.raw, largestBody, accepted));
}

/** The one entity tag of If-Match; `*` would match what was never seen. */
function seenOf(context: Context, { needsSeen }: Route): string | undefined {
  const header = context.req.header('if-match');
  if (header === undefined) {
    if (needsSeen) throw serverErrors.precondition_missing('the request has no If-Match');
    return undefined;
  }
  const tag = /^"([\x21\x23-\x7e]{1,200})"$/.exec(header)?.[1];
  if (tag === undefined)
    throw serverErrors.request_malformed('If-Match is not one strong entity tag, such as "3f9a"');
  return tag;
}

/** Another media type than JSON only if the client names it, and before JSON. */
function acceptedOf(context: Context, { alsoAs = [] }: Route): string {
  const wanted = (context.req.header('accept') ?? '').split(',').map((part) => part.split(';')[0]?.trim());
  const first = wanted.find((type) => type === 'application/json' || alsoAs.some((other) => other === type));
  return first ?? 'application/json';
}

const strictSchemas = new WeakMap<Route, { readonly params?: z.ZodType; readonly query?: z.ZodType }>();

/** The schemas of a route's parameters that refuse what they do not name, made once. */
function strictOf(route: Route) {
  const known = strictSchemas.get(route);
  if (known !== undefined) return known;
  const made = {
    ...(route.params === undefined ? {} : { params: route.params.strict() }),
    ...(route.query === undefined ? {} : { query: route.query.strict() }),
  };
  strictSchemas.set(route, made);
  return made;
}

/** What the request gives, checked by the schemas of the route. `accepted` fails unless its credential is. */
export async function readInput(
  context: Context,
  route: Route,
  accepted: () => Promise<void>,
): Promise<Input> {
  const places: Place[] = [];
  const strict = strictOf(route);
  const params = parse(strict.params, 'path', context.req.param(), places);
  const given = queryOf(context, places);
  const query = parse(strict.query, 'query', given, places);
  if (route.query === undefined)
    for (const name of Object.keys(given)) places.push({ at: `query.${name}`, message: 'is not known here' });
  const seen = seenOf(context, route);
  const body =
    route.body === undefined
      ? undefined
      : parse(route.body, 'body', await bodyOf(context, route, accepted), places);
  const lastEventId = context.req.header('last-event-id');
  if (places.length === 0)
    return { params, query, body, seen, lastEventId, accepts: acceptedOf(context, route) };
  const [first] = places;
  throw serverErrors.request_malformed(`${first?.at}: ${first?.message}`, { facts: { errors: places } });
}
