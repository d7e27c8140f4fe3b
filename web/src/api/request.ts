// The only place that talks to the server: same origin, the session's cookie, the CSRF token with each write.
import { problemFrom, RequestFailed } from './problem.js';

const BASE = '/api/v1';
let csrfToken = '';

/** The token that proves that a write comes from this page; the server gives it with the session. */
export function setCsrfToken(token: string): void {
  csrfToken = token;
}

export type Query = Readonly<Record<string, string | number | undefined>>;

/** The address of a list or object, with the filters that are set. */
export function addressOf(path: string, query: Query = {}): string {
  const address = new URL(
    path.startsWith('/') && !path.startsWith(BASE) ? BASE + path : path,
    location.origin,
  );
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') address.searchParams.set(name, String(value));
  return address.pathname + address.search;
}

interface Sent {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
  /** The entity tag of what the person saw when they decided. */
  readonly ifMatch?: string;
  /** The same for a repeat of the same act, so that it happens once. */
  readonly idempotencyKey?: string;
}

async function answerOf(response: Response): Promise<unknown> {
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw new RequestFailed(problemFrom(response.status, body));
  return body;
}

/** Reads one resource. */
export async function get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  const response = await fetch(addressOf(path, query), {
    headers: { accept: 'application/json' },
    credentials: 'same-origin',
    ...(signal === undefined ? {} : { signal }),
  });
  return (await answerOf(response)) as T;
}

/** Changes something. A failed connection is repeated by the person, with the same key. */
export async function send<T>(path: string, { method, body, ifMatch, idempotencyKey }: Sent): Promise<T> {
  const headers: Record<string, string> = { accept: 'application/json', 'x-csrf-token': csrfToken };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (ifMatch !== undefined) headers['if-match'] = ifMatch;
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
  const response = await fetch(addressOf(path), {
    method,
    headers,
    credentials: 'same-origin',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await answerOf(response)) as T;
}
