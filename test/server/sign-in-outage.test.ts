// Sign-in while the provider is away, at each step of it, and when it changes its key: what needs no provider
// is served, the browser and the operator learn why, and the next sign-in works without a restart.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { startServer, type TestServer } from '../support/http.js';
import { Browser, startProvider, type TestProvider } from '../support/oidc.js';
import { until } from '../support/wait.js';

let estate: Estate;
let provider: TestProvider;
const servers: TestServer[] = [];
const SUBJECT = 'subject-of-ana';

beforeAll(async () => {
  [estate, provider] = await Promise.all([createEstate('installed'), startProvider()]);
  await estate.gcos.people.add('ana', { identity: { issuer: provider.issuer, subject: SUBJECT } });
  provider.account = SUBJECT;
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});
afterAll(async () => {
  await provider?.close();
  await estate?.close();
});

async function serve(): Promise<{ server: TestServer; browser: () => Browser }> {
  const server = await startServer(estate, { oidc: provider.oidc });
  servers.push(server);
  return { server, browser: () => new Browser(server.url) };
}
const START = '/api/v1/session/oidc/start?to=/';
const warnings = (server: TestServer) => server.logged.filter((line) => line.includes('"level":"warn"'));
const signIns = async () =>
  Number((await asHost(estate.url, 'select count(*) as n from gcos_sign_in_evidence'))[0]?.['n']);

it.each([
  ['does not listen', async () => provider.stop(), async () => provider.listen()],
  [
    'answers with an error',
    async () => {
      provider.outage = 503 as const;
    },
    async () => {
      provider.outage = undefined;
    },
  ],
])('a provider that %s: at the start of the server, of a sign-in, and at its end', async (_, leave, come) => {
  await leave();
  const { server, browser } = await serve();
  await until('the operator is told', () => warnings(server).length > 0);
  expect(JSON.parse(warnings(server)[0] ?? '')).toMatchObject({
    event: 'provider_unavailable',
    message: expect.stringContaining(`the metadata of the provider at ${provider.issuer}/ cannot be read`),
    help: expect.stringContaining('--oidc-issuer'),
  });
  // A token signs in, and every other request is answered.
  expect((await server.call('/healthz', { as: null })).status).toBe(200);
  expect((await server.call('/api/v1/status')).status).toBe(200);
  expect(
    (await server.call('/api/v1/session', { as: null, body: { token: server.tokens.read } })).status,
  ).toBe(200);
  const { status, headers, json } = await server.call(START, { as: null });
  expect([status, json.code, Number(headers.get('retry-after')) > 0]).toEqual([
    ...[503, 'provider_unavailable', true],
  ]);
  await come();
  const own = browser();
  expect((await own.signIn()).status).toBe(302);
  expect((await own.open('/api/v1/session')).json).toMatchObject({ name: 'ana', level: 'oidc' });

  // What it knows of the provider lasts: the browser sees the outage there. Between, and at the end.
  const second = browser();
  const back = await second.comeBack();
  const before = await signIns();
  await leave();
  expect((await browser().open(START)).status).toBe(302);
  const late = await second.open(back);
  expect([late.status, late.json.code]).toEqual([503, 'provider_unavailable']);
  expect(late.text).not.toContain('ECONN');
  expect(second.cookies()).not.toContain('gcos_session');
  await come();
  expect(await signIns()).toBe(before);
  expect((await second.signIn()).status).toBe(302);
  expect(await signIns()).toBe(before + 1);
});

it('an issuer that differs from the one in its own metadata opens no session', async () => {
  const elsewhere = provider.issuer.replace('127.0.0.1', 'localhost');
  const server = await startServer(estate, { oidc: { ...provider.oidc, issuer: elsewhere } });
  servers.push(server);
  await until('the operator is told', () => warnings(server).length > 0);
  expect((await server.call(START, { as: null })).json.code).toBe('provider_unavailable');
});

it('a new key of the provider: one sign-in fails at most, and the next one reads the keys again', async () => {
  const { browser } = await serve();
  expect((await browser().signIn()).status).toBe(302);
  provider.rotate();
  const first = await browser().signIn();
  expect([first.status, first.json?.code]).toEqual([403, 'sign_in_failed']);
  expect((await browser().signIn()).status).toBe(302);
  // The former key signs nothing any more, under whatever name.
  provider.forge = true;
  expect((await browser().signIn()).json.code).toBe('sign_in_failed');
  provider.forge = false;
  expect((await browser().signIn()).status).toBe(302);
});
