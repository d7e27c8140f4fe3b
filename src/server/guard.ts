// Owns what is refused before a route is looked up: requests to another host name, which a hostile page could
// let point here (DNS rebinding), and writes that a page of another site sends.
import type { Context, MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { serverErrors } from './errors.js';

export interface Surface {
  /** Names, without a port, by which clients reach this server. */
  readonly hostNames: readonly string[];
  /** Clients reach it by HTTPS: here, or at the proxy in front. */
  readonly secure: boolean;
  /** Origins whose pages may call the API; none by default. */
  readonly corsOrigins: readonly string[];
}

/** The name in a Host header, without the port. */
function nameOf(host: string): string | undefined {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(host)?.[1]?.toLowerCase();
}

/** The header, and the address: a request may name a host of its own in its first line. */
function requireOwnHost(context: Context, { hostNames }: Surface): void {
  const isOwn = (host: string | undefined) => hostNames.includes(nameOf(host ?? '') ?? '');
  if (!isOwn(context.req.header('host')) || !isOwn(context.req.url.split('/', 3)[2]))
    throw serverErrors.address_refused('the header Host names none of the names of this server');
}

const WRITES = /^(?:POST|PUT|PATCH|DELETE)$/;

/** A browser says from where a request comes. Other clients send neither header. */
function refuseCrossSite(context: Context, { corsOrigins, hostNames }: Surface): void {
  if (!WRITES.test(context.req.method)) return;
  const origin = context.req.header('origin');
  if (origin !== undefined && corsOrigins.includes(origin)) return;
  const site = context.req.header('sec-fetch-site');
  const isOwn =
    (site === undefined || site === 'same-origin' || site === 'none') &&
    (origin === undefined || (URL.canParse(origin) && isSameHost(new URL(origin), context, hostNames)));
  if (!isOwn) throw serverErrors.cross_site_refused('a page of another site sent this request');
}

const isSameHost = ({ host, hostname }: URL, context: Context, names: readonly string[]): boolean =>
  host === context.req.header('host')?.toLowerCase() && names.includes(hostname);

/** Refuses what the surface does not accept. */
export const guard =
  (surface: Surface): MiddlewareHandler =>
  async (context, next) => {
    requireOwnHost(context, surface);
    refuseCrossSite(context, surface);
    await next();
  };

/** Lets pages of the configured origins call the API; the credential stays in a header that they set. */
export const allowOrigins = ({ corsOrigins }: Surface): MiddlewareHandler =>
  cors({
    origin: [...corsOrigins],
    allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowHeaders: ['authorization', 'content-type', 'idempotency-key', 'if-match', 'x-request-id'],
    exposeHeaders: ['x-request-id', 'retry-after', 'idempotency-replayed'],
    maxAge: 600,
  });

/** The headers of every answer. */
export function headersOf({ secure }: Surface): Readonly<Record<string, string>> {
  return {
    'cache-control': 'no-store',
    'content-security-policy':
      "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...(secure ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}
