// Sign-in through a real OpenID Connect provider: what is accepted, recorded and kept, and what is refused.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asHost, urlAs } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { startServer, type TestServer } from '../support/http.js';
import { Browser, claimsOf, isSigned, startProvider, type TestProvider } from '../support/oidc.js';

let estate: Estate;
let provider: TestProvider;
let server: TestServer;
const host = (text: string) => asHost(estate.url, text);
const SUBJECT = 'f2b1c0de-5d1a-4c57-8a55-7d0a3f3c1001';

beforeAll(async () => {
  [estate, provider] = await Promise.all([createEstate('installed'), startProvider()]);
  for (const [person, subject, approverType] of [
    ['ana', SUBJECT, 'president'],
    ['ben', 'subject-of-ben', 'council'],
    ['cy', 'subject-of-cy', 'council'],
  ] as const)
    await estate.gcos.people.add(person, { approverType, identity: { issuer: provider.issuer, subject } });
  server = await startServer(estate, { oidc: provider.oidc });
});
afterAll(async () => {
  await server?.close();
  await provider?.close();
  await estate?.close();
});
beforeEach(() => {
  provider.account = SUBJECT;
  provider.alter = undefined;
  provider.forge = false;
});

const now = () => Math.floor(Date.now() / 1_000);
const browser = () => new Browser(server.url);
const written = async () =>
  (
    await host(`select (select count(*)::int from gcos_token where credential_kind = 'oidc') as sign_ins,
      (select count(*)::int from gcos_session) as sessions, (select count(*)::int from gcos_sign_in_evidence) as evidence`)
  )[0];
const signedIn = async (account: string) => {
  provider.account = account;
  const own = browser();
  expect((await own.signIn()).status).toBe(302);
  return own.headers();
};
const as = (headers: Record<string, string>, path: string, more = {}) =>
  server.call(`/api/v1${path}`, { as: null, headers, ...more });

describe('a sign-in', () => {
  it('is offered, opens a session of level oidc, and goes to the page that was asked for', async () => {
    const { json } = await server.call('/api/v1/session/methods', { as: null });
    expect(json.methods.map((each: { method: string }) => each.method)).toEqual(['token', 'link', 'oidc']);
    const own = browser();
    const page = await own.signIn('/findings?status=open');
    expect(page).toMatchObject({
      status: 302,
      location: `${provider.oidc.publicUrl}/findings?status=open`,
      text: '',
    });
    expect(own.cookies()).toMatch(/^gcos_session=gcos_[0-9a-f_]+$/);
    const shown = (await own.open('/api/v1/session')).json;
    expect(shown).toMatchObject({ name: 'ana', level: 'oidc', approver_type: 'president' });
    expect(shown.permissions).toEqual(['decide', 'gate', 'operate', 'read']);
    expect(Date.parse(shown.expires_at) - Date.now()).toBeLessThan(12 * 3_600_000 + 1_000);
    expect(Date.parse(shown.expires_at) - Date.now()).toBeGreaterThan(11 * 3_600_000);
  });

  it('is recorded with its level, keeps the ID token as evidence, and logs nothing of it', async () => {
    await signedIn(SUBJECT);
    const token = provider.lastToken;
    const [row] = await host(
      `select t.token_id, t.person_ref, e.id_token from gcos_token t join gcos_sign_in_evidence e using (token_id)
       order by t.created_at desc limit 1`,
    );
    expect(row).toMatchObject({ person_ref: 'ana', id_token: token });
    expect(isSigned(String(row?.['id_token']), provider.publicKey)).toBe(true);
    const links = await host(
      `select kind, payload ->> 'person_ref' as person, payload::text as payload from gcos_log where subject = '${row?.['token_id']}'`,
    );
    expect(links).toMatchObject([{ kind: 'sign_in.made', person: 'ana' }]);
    const [{ everything } = {}] = await host(`select string_agg(l::text, ' ') as everything from gcos_log l`);
    for (const secret of [SUBJECT, token, provider.oidc.clientSecret])
      for (const text of [String(everything), server.logged.join('\n')]) expect(text).not.toContain(secret);
    expect(server.logged.join('\n')).not.toMatch(/code=|gcos_session=/);
    const [{ copies } = {}] = await host(
      `select count(*)::int as copies from governance_sign_in s where s::text like '%${SUBJECT}%'`,
    );
    expect(copies).toBe(0);
    expect(await estate.gcos.log.verify()).toMatchObject({ intact: true });
  });

  it('tolerates clocks that differ a little, and not more', async () => {
    provider.alter = (claims) => ({ ...claims, iat: now() + 30, exp: now() + 3_600 });
    expect((await browser().signIn()).status).toBe(302);
    provider.alter = (claims) => ({ ...claims, iat: now() - 300, exp: now() - 30 });
    expect((await browser().signIn()).status).toBe(302);
    const before = await written();
    for (const [iat, exp] of [
      [900, 3_600],
      [-3_600, -900],
    ] as const) {
      provider.alter = (claims) => ({ ...claims, iat: now() + iat, exp: now() + exp });
      expect((await browser().signIn()).json.code).toMatch(/^sign_in_(failed|refused)$/);
    }
    expect(await written()).toEqual(before);
  });
});

describe('what the provider says', () => {
  it('is refused if it is expired, for another client, with another nonce or issuer, or not signed', async () => {
    const before = await written();
    const cases: [string, NonNullable<TestProvider['alter']>][] = [
      ['expired', (claims) => ({ ...claims, iat: now() - 7_200, exp: now() - 3_600 })],
      ['audience', (claims) => ({ ...claims, aud: 'another' })],
      ['audiences', (claims) => ({ ...claims, aud: ['gcos', 'another'], azp: 'another' })],
      ['nonce', (claims) => ({ ...claims, nonce: 'a nonce of another sign-in, as long' })],
      ['no nonce', ({ nonce: _, ...claims }) => claims],
      ['issuer', (claims) => ({ ...claims, iss: 'http://127.0.0.1:1' })],
      ['no subject', ({ sub: _, ...claims }) => claims],
    ];
    const answers = [];
    for (const [name, alter] of cases) {
      provider.alter = alter;
      const own = browser();
      const { status, json } = await own.signIn();
      answers.push([name, status, json?.code, own.cookies().includes('gcos_session')]);
    }
    expect(answers).toEqual(cases.map(([name]) => [name, 403, 'sign_in_failed', false]));
    provider.alter = undefined;
    provider.forge = true;
    expect((await browser().signIn()).json.code).toBe('sign_in_failed');
    expect(await written()).toEqual(before);
  });

  it('is refused for a user whom no administrator mapped, with what to do, and creates nothing', async () => {
    provider.account = 'unmapped-user';
    const before = await written();
    const own = browser();
    const { status, json } = await own.signIn();
    expect([status, json.code]).toEqual([403, 'sign_in_unmapped']);
    expect(json.help).toContain(`gcos person map PERSON --issuer ${provider.issuer} --subject unmapped-user`);
    expect(own.cookies()).not.toContain('gcos_session');
    expect(await written()).toEqual(before);
    // The same subject of another issuer is another user.
    await host(`update gcos_person_identity set issuer = 'https://other.example' where person_ref = 'ana'`);
    provider.account = SUBJECT;
    expect((await browser().signIn()).json.code).toBe('sign_in_unmapped');
    await host(`update gcos_person_identity set issuer = '${provider.issuer}' where person_ref = 'ana'`);
    await host(`update governance_actor set active = false where person_ref = 'ana'`);
    expect((await browser().signIn()).json.code).toBe('sign_in_unmapped');
    await host(`update governance_actor set active = true where person_ref = 'ana'`);
    expect(await written()).toEqual(before);
  });

  it('is refused the second time: the same answer, here and at another server', async () => {
    const own = browser();
    const back = await own.comeBack();
    const kept = own.cookies();
    expect((await own.open(back)).status).toBe(302);
    const before = await written();
    const again = (at: TestServer) =>
      at.call(back.replace(provider.oidc.publicUrl, ''), { as: null, headers: { cookie: kept } });
    expect((await again(server)).json).toMatchObject({
      ...{ code: 'sign_in_failed', detail: 'this sign-in has come back before' },
    });
    // The provider gives nothing for the code a second time.
    const other = await startServer(estate, { oidc: provider.oidc });
    expect((await again(other)).json.code).toBe('sign_in_failed');
    await other.close();
    // The database refuses what no server remembers: the same ID token, and another one with its nonce.
    const token = provider.lastToken;
    const [head, , signature] = token.split('.');
    const altered = { ...claimsOf(token), iat: now() };
    const body = Buffer.from(JSON.stringify(altered)).toString('base64url');
    for (const each of [token, `${head}.${body}.${signature}`])
      expect(
        await asHost(
          urlAs(estate.url, 'server'),
          `select outcome, secret from gcos_trust.gcos_sign_in('${each}')`,
        ),
      ).toEqual([{ outcome: 'replayed', secret: null }]);
    expect(await written()).toEqual(before);
  });
});

describe('a browser', () => {
  it('that comes back with another state is refused, and its code is not used', async () => {
    const before = await written();
    const { lastToken } = provider;
    for (const alter of [
      (address: URL) => address.searchParams.set('state', 'A'.repeat(43)),
      (address: URL) => address.searchParams.delete('state'),
      (address: URL) => address.searchParams.append('state', 'B'),
    ]) {
      const own = browser();
      const back = new URL(await own.comeBack());
      alter(back);
      const { status, json } = await own.open(back.href);
      expect([status, json?.code]).toEqual([
        expect.any(Number),
        expect.stringMatching(/^(sign_in_failed|request_malformed)$/),
      ]);
      expect(own.cookies()).not.toContain('gcos_session');
    }
    expect(provider.lastToken).toBe(lastToken);
    expect(await written()).toEqual(before);
  });

  it('that did not begin the sign-in gets no session from it', async () => {
    const attacker = browser();
    const back = await attacker.comeBack();
    const victim = browser();
    expect((await victim.open(back)).json.code).toBe('sign_in_failed');
    // Not even if it has begun one itself.
    await victim.comeBack();
    expect((await victim.open(back)).json.code).toBe('sign_in_failed');
    expect(victim.cookies()).not.toContain('gcos_session');
    // Or with a cookie that it, or another, made.
    victim.put('gcos_sign_in', Buffer.from('x'.repeat(60)).toString('base64url'));
    expect((await victim.open(back)).json.code).toBe('sign_in_failed');
    const planted = browser();
    planted.put('gcos_session', `gcos_${'0'.repeat(12)}_${'0'.repeat(72)}`);
    await planted.signIn();
    expect(planted.cookies()).not.toContain('0'.repeat(72));
    expect((await planted.open('/api/v1/session')).status).toBe(200);
  });

  it('comes back to a page of this server only', async () => {
    for (const to of [
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      'x',
      '',
    ])
      expect(
        (await browser().open(`/api/v1/session/oidc/start?to=${encodeURIComponent(to)}`)).status,
        to,
      ).toBe(400);
    const { location } = await browser().signIn('/.//evil.example');
    expect(new URL(location ?? '').host).toBe(new URL(provider.oidc.publicUrl).host);
  });

  it('writes with the value of its page, and signs out everywhere', async () => {
    const [first, second] = [await signedIn(SUBJECT), await signedIn(SUBJECT)];
    const refused = await as({ cookie: first.cookie }, '/session?everywhere=true', { method: 'DELETE' });
    expect([refused.status, refused.json.code]).toEqual([403, 'csrf_refused']);
    expect((await as(second, '/status')).status).toBe(200);
    expect((await as(first, '/session?everywhere=true', { method: 'DELETE' })).status).toBe(200);
    for (const each of [first, second]) expect((await as(each, '/status')).status).toBe(401);
  });
});

describe('a quorum', () => {
  const policy = (levels: unknown) =>
    host(
      `update governance_setting set setting_value = '${JSON.stringify({
        quorum: { low: { any: 1 }, medium: { any: 2 }, high: { any: 2 } },
        levels,
      })}' where setting_key = 'approval.policy'`,
    );
  const openRequest = async (action: string) => {
    await host(
      `insert into governance_actor (person_ref, approver_type) values ('opener', 'member') on conflict do nothing`,
    );
    const { token } = await estate.gcos.tokens.create({
      name: 'o',
      person: 'opener',
      permissions: ['decide'],
    });
    return (
      await estate.gcos.as({ credential: token, permission: 'decide' }).requests.open(action, { note: 'x' })
    ).code;
  };
  const approve = async (headers: Record<string, string>, code: string) => {
    const { decides_on: seen } = (await as(headers, `/requests/${code}`)).json;
    return as({ ...headers, 'if-match': `"${seen}"` }, `/requests/${code}/approve`, { body: {} });
  };

  it('is reached by two people who signed in, where the policy counts that level', async () => {
    await policy({ medium: ['oidc', 'token'], high: ['login', 'oidc', 'token'] });
    for (const action of ['gcos.exception.grant', 'gcos.ruleset.activate']) {
      const code = await openRequest(action);
      const ben = await signedIn('subject-of-ben');
      expect((await approve(ben, code)).status).toBe(200);
      // The same person with a second sign-in, and with a token.
      const { token } = await estate.gcos.tokens.create({
        ...{ name: 'of ben', person: 'ben', permissions: ['read', 'decide'] },
      });
      for (const credential of [await signedIn('subject-of-ben'), { authorization: `Bearer ${token}` }]) {
        const again = await approve(credential, code);
        expect([again.status, again.json.code]).toEqual([409, 'decision_repeated']);
      }
      expect((await estate.gcos.requests.show(code)).status).toBe('pending');
      expect((await approve(await signedIn('subject-of-cy'), code)).status).toBe(200);
      expect(await estate.gcos.requests.show(code)).toMatchObject({ status: 'approved' });
      expect(
        await host(
          `select person_ref, identity_level, left(login, 5) as login from governance_decision where request_code = '${code}' order by id`,
        ),
      ).toEqual([
        { person_ref: 'ben', identity_level: 'oidc', login: 'oidc:' },
        { person_ref: 'cy', identity_level: 'oidc', login: 'oidc:' },
      ]);
    }
  });

  it('counts logins only at high risk by default, and whatever the policy in force says', async () => {
    await policy({ medium: ['oidc'], high: ['login', 'oidc'] });
    const code = await openRequest('gcos.exception.grant');
    expect((await approve(await signedIn('subject-of-ben'), code)).status).toBe(200);
    await policy({ medium: ['login'] });
    const high = await openRequest('gcos.ruleset.activate');
    for (const each of [code, high]) {
      const refused = await approve(await signedIn('subject-of-cy'), each);
      expect([refused.status, refused.json.code]).toEqual([409, 'identity_level_refused']);
    }
    expect((await estate.gcos.requests.show(code)).decisions).toMatchObject([
      { level: 'oidc', counts: false },
    ]);
    expect(await estate.gcos.log.verify()).toMatchObject({ intact: true });
  });
});
