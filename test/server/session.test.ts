// Browser sessions: signing in with a token or a link, the cookie, writes, signing out.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { provideActors } from '../../src/demo/index.js';
import type { Gcos } from '../../src/index.js';
import { asHost, urlAs } from '../support/database.js';
import { createEstate, type Estate, openAt } from '../support/estate.js';
import { startServer, type TestServer } from '../support/http.js';
import { createPeople, type People, type Person } from '../support/people.js';

let estate: Estate;
let people: People;
let ana: Person;
let server: TestServer;
beforeAll(async () => {
  estate = await createEstate('installed');
  people = createPeople(estate.url);
  await provideActors(estate.gcos.db);
  ana = await people.person('ana', 'president');
  server = await startServer(estate);
});
afterAll(async () => {
  await server?.close();
  await people?.close();
  await estate?.close();
});

const PATH = '/api/v1/session';
const make = (...permissions: ('read' | 'gate' | 'decide' | 'operate')[]) =>
  ana.gcos.tokens.create({ name: 'console', permissions });

async function signIn(body: unknown, headers: Record<string, string> = {}) {
  const answer = await server.call(PATH, { as: null, method: 'POST', body, headers });
  const set = answer.headers.get('set-cookie') ?? '';
  return { ...answer, set, cookie: set.split(';')[0] ?? '' };
}

/** Signs in, and returns the headers of a page of the console. */
async function open(body: unknown): Promise<{ cookie: string; 'x-csrf-token': string }> {
  const { cookie, status } = await signIn(body);
  expect(status).toBe(200);
  const { json } = await server.call(PATH, { as: null, headers: { cookie } });
  return { cookie, 'x-csrf-token': json.csrf_token };
}

const whoIs = (headers: Record<string, string>) => server.call(PATH, { as: null, headers });

describe('a session', () => {
  it('is opened with a token, and acts for its person by a cookie that no script can read', async () => {
    const { token, id } = await make('read', 'decide');
    const { status, json, set, cookie, text } = await signIn({ token });
    expect(status).toBe(200);
    expect(Object.keys(json)).toEqual(['expires_at']);
    expect(set).toMatch(/^gcos_session=gcos_[0-9a-f_]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/);
    expect(cookie).not.toContain(token);
    expect(text).not.toContain(cookie.slice('gcos_session='.length));
    const shown = await whoIs({ cookie });
    expect(shown.json).toMatchObject({ name: 'ana', approver_type: 'president', level: 'token', token: id });
    expect(shown.json.permissions).toEqual(['decide', 'read']);
    expect((await server.call('/api/v1/status', { as: null, headers: { cookie } })).status).toBe(200);
  });

  it('writes only with the value that its page knows', async () => {
    const { code } = await estate.gcos.requests.open(
      'gcos.exception.grant',
      { note: 'x' },
      { as: 'member-1' },
    );
    const seen = (await server.call(`/api/v1/requests/${code}`)).json.decides_on;
    const { token } = await make('read', 'decide');
    const page = await open({ token });
    const other = await open({ token });
    const vote = (headers: Record<string, string>) =>
      server.call(`/api/v1/requests/${code}/approve`, {
        as: null,
        body: {},
        headers: { 'if-match': `"${seen}"`, ...headers },
      });
    for (const proof of ['', 'wrong', other['x-csrf-token']]) {
      const refused = await vote({ cookie: page.cookie, 'x-csrf-token': proof });
      expect([refused.status, refused.json.code]).toEqual([403, 'csrf_refused']);
    }
    expect(
      await asHost(estate.url, `select * from governance_decision where request_code = '${code}'`),
    ).toEqual([]);
    expect((await vote(page)).status).toBe(200);
    const [decision] = await asHost(
      estate.url,
      `select person_ref, identity_level from governance_decision where request_code = '${code}'`,
    );
    expect(decision).toEqual({ person_ref: 'ana', identity_level: 'token' });
  });

  it('is always a new one: a cookie from before the sign-in is not taken over', async () => {
    const { token } = await make('read');
    const planted = `gcos_session=gcos_${'0'.repeat(12)}_${'0'.repeat(72)}`;
    const { cookie } = await signIn({ token }, { cookie: planted });
    expect(cookie).not.toBe(planted);
    expect((await whoIs({ cookie: planted })).status).toBe(401);
    expect((await whoIs({ cookie })).status).toBe(200);
    const two = await whoIs({ cookie: `${planted}; ${cookie}` });
    expect([two.status, two.json.code]).toEqual([401, 'credential_missing']);
  });

  it('ends here, or everywhere', async () => {
    const { token } = await make('read');
    const [first, second, third] = [await open({ token }), await open({ token }), await open({ token })];
    const end = (headers: Record<string, string>, query = '') =>
      server.call(`${PATH}${query}`, { as: null, method: 'DELETE', headers });
    expect((await end({ cookie: first.cookie })).status).toBe(403);
    const ended = await end(first);
    expect([ended.status, ended.json]).toEqual([200, { ended: 1 }]);
    expect(ended.headers.get('set-cookie')).toMatch(/^gcos_session=; .*Max-Age=0/);
    expect((await whoIs(first)).status).toBe(401);
    expect((await whoIs(second)).status).toBe(200);
    const all = await end(second, '?everywhere=true');
    expect(all.json.ended).toBeGreaterThanOrEqual(2);
    expect((await whoIs(third)).status).toBe(401);
  });

  it('ends with its token and with its person', async () => {
    const revoked = await make('read');
    const page = await open({ token: revoked.token });
    await ana.gcos.tokens.revoke(revoked.id);
    expect((await whoIs(page)).json.code).toBe('credential_revoked');
    const other = await open({ token: (await make('read')).token });
    await asHost(estate.url, `update governance_actor set active = false where person_ref = 'ana'`);
    expect((await whoIs(other)).json.code).toBe('credential_revoked');
    await asHost(estate.url, `update governance_actor set active = true where person_ref = 'ana'`);
    expect((await whoIs(other)).status).toBe(200);
  });

  it('ends after its time, and longer than its token none lasts', async () => {
    const page = await open({ token: (await make('read')).token });
    await asHost(
      estate.url,
      `update gcos_session set created_at = created_at - interval '1 day', expires_at = now() - interval '1 second'`,
    );
    expect((await whoIs(page)).json.code).toBe('credential_expired');
    const short = await ana.gcos.tokens.create({ name: 'short', permissions: ['read'], days: 1 });
    await asHost(
      estate.url,
      `set session_replication_role = replica;
      update gcos_token set created_at = now() - interval '1 day', expires_at = now() + interval '1 minute' where token_id = '${short.id}'`,
    );
    const { json } = await signIn({ token: short.token });
    expect(Date.parse(json.expires_at) - Date.now()).toBeLessThan(61_000);
  });
});

describe('what does not sign in', () => {
  it('is refused: unknown, without the permission to read, a pipeline, a session itself', async () => {
    const { token: gateOnly } = await make('gate');
    const { token: pipeline } = await estate.gcos.tokens.create({
      name: 'pipeline',
      permissions: ['read', 'gate'],
      pipeline: true,
    });
    const { cookie } = await signIn({ token: (await make('read')).token });
    const cases: [unknown, number, string][] = [
      [{ token: 'x' }, 401, 'credential_unknown'],
      [{ token: gateOnly }, 403, 'permission_missing'],
      [{ token: pipeline }, 403, 'permission_missing'],
      [{ token: cookie.slice('gcos_session='.length) }, 401, 'credential_unknown'],
      [{ token: 'x', link: 'y' }, 400, 'input_invalid'],
      [{}, 400, 'input_invalid'],
    ];
    for (const [body, status, code] of cases) {
      const refused = await signIn(body);
      expect([refused.status, refused.json.code]).toEqual([status, code]);
      expect(refused.set).toBe('');
    }
  });
});

describe('a link', () => {
  it('opens one session, once, and is made by a person for an own token', async () => {
    const { id } = await make('read', 'gate', 'decide', 'operate');
    const { link } = await ana.gcos.sessions.createLink(id);
    const both = await Promise.all([signIn({ link }), signIn({ link })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect((await signIn({ link })).json.code).toBe('credential_unknown');
    const bob = await people.person('bob', 'member');
    await expect(bob.gcos.sessions.createLink(id)).rejects.toMatchObject({ code: 'token_unknown' });
    await ana.gcos.tokens.revoke(id);
    await expect(ana.gcos.sessions.createLink(id)).rejects.toMatchObject({ code: 'token_revoked' });
  });

  it('cannot be used late, as a token, or be made by a token', async () => {
    const { id, token } = await make('read', 'operate');
    const { link } = await ana.gcos.sessions.createLink(id);
    const api: Gcos = await openAt(urlAs(estate.url, 'server'));
    await expect(api.as({ credential: link, permission: 'read' }).tokens.list()).rejects.toMatchObject({
      code: 'credential_unknown',
    });
    await expect(
      api.as({ credential: token, permission: 'operate' }).sessions.createLink(id),
    ).rejects.toMatchObject({ code: 'permission_missing' });
    await asHost(
      estate.url,
      `update gcos_session set created_at = created_at - interval '1 hour', expires_at = now() - interval '1 second' where opened_at is null`,
    );
    expect((await signIn({ link })).json.code).toBe('credential_expired');
    for (const role of ['server', 'reader', 'worker', 'pruner'] as const) {
      const other = await openAt(urlAs(estate.url, role));
      await expect(asHost(urlAs(estate.url, role), 'select * from gcos_trust.gcos_session')).rejects.toThrow(
        /permission denied/,
      );
      await other.close();
    }
    await api.close();
  });
});
