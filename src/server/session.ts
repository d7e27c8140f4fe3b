// The resource `session`: a browser signs in with a token or a link, and gets a cookie that no script can
// read. A write with that cookie needs a second value, which only a page of this server can know.
import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import type { Gcos } from '../index.js';
import { serverErrors } from './errors.js';
import { enter, Reply, read } from './route.js';
import { time } from './schema.js';

/** A browser accepts the longer name only over HTTPS, for this host alone. */
const cookieName = (secure: boolean): string => (secure ? '__Host-gcos_session' : 'gcos_session');

const SAFE = /^(?:GET|HEAD)$/;

/** The value that a page sends with each write, derived from the secret of its session. */
const csrfTokenOf = (secret: string): string =>
  createHash('sha256').update(`gcos-csrf:${secret}`).digest('hex');

const isSame = (left: string, right: string): boolean =>
  left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));

/** The secret of the session that a browser sends; undefined: it sends none. */
export function sessionOf(
  request: { readonly method: string; readonly headers: Headers },
  { secure }: { readonly secure: boolean },
): string | undefined {
  const cookies = (request.headers.get('cookie') ?? '').split(/; */).map((pair) => pair.split('='));
  const found = cookies.filter(([name]) => name === cookieName(secure)).map(([, value]) => value ?? '');
  const [secret] = found;
  if (secret === undefined || secret === '') return undefined;
  if (found.length > 1) throw serverErrors.credential_missing('the request has several session cookies');
  const proof = request.headers.get('x-csrf-token') ?? '';
  if (!SAFE.test(request.method) && !isSame(proof, csrfTokenOf(secret)))
    throw serverErrors.csrf_refused('the header X-CSRF-Token is missing, or that of another session');
  return secret;
}

function cookie(secure: boolean, value: string, seconds: number): string {
  return [
    `${cookieName(secure)}=${value}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    `Max-Age=${seconds}`,
    ...(secure ? ['Secure'] : []),
  ].join('; ');
}

const opened = z.object({ expires_at: time }).openapi('OpenedSession');

const identity = z
  .object({
    name: z.string().openapi({ description: 'the person, or the name of the token of a pipeline' }),
    person: z.string().nullable(),
    approver_type: z.string().nullable().openapi({ description: 'the kind of approver' }),
    level: z.enum(['token']).openapi({ description: 'how it is known who acts' }),
    token: z.string().openapi({ description: 'the id of the token' }),
    permissions: z.array(z.enum(['read', 'gate', 'decide', 'operate'])),
    scopes: z.array(z.string()).nullable(),
    owners: z.array(z.string()).nullable(),
    csrf_token: z.string().nullable().openapi({
      description:
        'to be sent as X-CSRF-Token with each write of a browser; null: a token was sent, which needs none',
    }),
    expires_at: time,
  })
  .openapi('Session');

const secretText = z.string().min(1).max(200);

export const sessionRoutes = ({ gcos, secure }: { readonly gcos: Gcos; readonly secure: boolean }) => [
  enter({
    path: '/session',
    summary: 'Sign a browser in, with a token or with a link that was made for this',
    body: z.union([z.object({ token: secretText }).strict(), z.object({ link: secretText }).strict()]),
    answer: opened,
    handle: async ({ body }) => {
      const { secret, expiresAt } = await gcos.sessions.open('token' in body ? body.token : body.link);
      const seconds = Math.max(1, Math.floor((Date.parse(expiresAt) - Date.now()) / 1_000));
      return new Reply({ expiresAt }, { 'set-cookie': cookie(secure, secret, seconds) });
    },
  }),
  read({
    path: '/session',
    permission: 'read',
    summary: 'Whom the credential of this request acts for',
    answer: identity,
    handle: async ({ gcos: own, credential, bySession }) => {
      const shown = await own.sessions.show();
      if (shown === undefined) throw serverErrors.credential_missing('the request has no credential');
      return {
        ...shown,
        name: shown.person ?? shown.name,
        level: 'token',
        csrfToken: bySession ? csrfTokenOf(credential) : null,
      };
    },
  }),
  enter({
    method: 'delete',
    path: '/session',
    summary: 'Sign out: here, or everywhere',
    query: z.object({ everywhere: z.enum(['true', 'false']).default('false') }),
    answer: z.object({ ended: z.int() }),
    handle: async ({ request, query: { everywhere } }) => {
      const secret = sessionOf(request, { secure });
      const ended =
        secret === undefined ? 0n : await gcos.sessions.close(secret, { everywhere: everywhere === 'true' });
      return new Reply({ ended: Number(ended) }, { 'set-cookie': cookie(secure, '', 0) });
    },
  }),
];
