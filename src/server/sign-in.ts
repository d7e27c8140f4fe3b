// The resource `session/oidc`: a browser goes to the organisation's provider, comes back, and gets the cookie
// of a session. What it carries in between only this server can read, and only this browser has.
import { z } from '@hono/zod-openapi';
import type { Gcos } from '../index.js';
import { serverErrors } from './errors.js';
import { type Provider, SIGN_IN_SECONDS } from './oidc.js';
import { enter, open } from './route.js';
import { cookieOf, sessionCookie, setCookie } from './session.js';

const START = '/session/oidc/start';
const COOKIE = 'gcos_sign_in';

/** A path of this server: no other host, no control character, no backslash, which browsers turn around. */
const page = z
  .string()
  .max(2_000)
  .regex(/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/, 'is a path of this server, such as /findings')
  .default('/');

const text = z.string().max(8_000).optional();

interface SignIn {
  readonly gcos: Gcos;
  readonly secure: boolean;
  /** Undefined: no provider is configured. */
  readonly provider: Provider | undefined;
}

const redirect = (location: URL, cookies: readonly string[]): Response => {
  const response = new Response(null, { status: 302, headers: { location: location.href } });
  for (const each of cookies) response.headers.append('set-cookie', each);
  return response;
};

export const signInRoutes = ({ gcos, secure, provider }: SignIn) => {
  const required = (): Provider => {
    if (provider === undefined)
      throw serverErrors.sign_in_unconfigured('this server has no provider to sign in through');
    return provider;
  };
  return [
    open({
      path: '/session/methods',
      summary: 'In which ways a browser can sign in',
      answer: z
        .object({
          methods: z.array(
            z.object({
              method: z.enum(['token', 'link', 'oidc']),
              issuer: z.string().nullable().openapi({ description: 'of the provider, for oidc' }),
              start: z
                .string()
                .openapi({ description: 'where to post the secret, or, for oidc, to send the browser' }),
            }),
          ),
        })
        .openapi('SignInMethods'),
      handle: async () => ({
        methods: [
          ...(['token', 'link'] as const).map((method) => ({
            method,
            issuer: null,
            start: '/api/v1/session',
          })),
          ...(provider === undefined
            ? []
            : [{ method: 'oidc', issuer: provider.issuer, start: `/api/v1${START}` }]),
        ],
      }),
    }),
    enter({
      method: 'get',
      path: START,
      summary: 'Send the browser to the provider',
      description: 'Answers 302. The browser keeps a sealed cookie for ten minutes, and must bring it back.',
      query: z.object({ to: page.openapi({ description: 'the page to which the browser comes back' }) }),
      answer: z.object({}).openapi({ description: 'none: the status is 302' }),
      handle: async ({ query: { to } }) => {
        const through = required();
        through.pageOf(to);
        const { location, sealed } = await through.begin(to);
        return redirect(location, [setCookie(COOKIE, { secure, value: sealed, seconds: SIGN_IN_SECONDS })]);
      },
    }),
    enter({
      method: 'get',
      path: '/session/oidc/callback',
      summary: 'Come back from the provider, and get a session',
      description: 'Answers 302 to the page that the sign-in began with. Each sign-in comes back once.',
      query: z.object({
        code: text,
        state: text,
        iss: text,
        session_state: text,
        scope: text,
        authuser: text,
        hd: text,
        prompt: text,
        error: text,
        error_description: text,
        error_uri: text,
      }),
      answer: z.object({}).openapi({ description: 'none: the status is 302' }),
      handle: async ({ request }) => {
        const through = required();
        const sealed = cookieOf(request.headers, COOKIE, { secure });
        if (sealed === undefined) throw serverErrors.sign_in_failed('this browser has begun no sign-in here');
        const { idToken, to } = await through.finish(sealed, new URL(request.url).search);
        const { secret, expiresAt } = await gcos.sessions.signIn(idToken);
        return redirect(to, [
          setCookie(COOKIE, { secure, value: '', seconds: 0 }),
          sessionCookie(secure, secret, expiresAt),
        ]);
      },
    }),
  ];
};
