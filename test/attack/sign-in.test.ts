// What a stolen login of `gcos serve`, another login, and code of the host can do with sign-ins.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asHost, urlAs } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { createPeople, type People, type Person } from '../support/people.js';
import { actBy, present, withClient } from '../support/tokens.js';

const DENIED = { code: '42501' };
const ISSUER = 'https://id.example';
let estate: Estate;
let people: People;
let mia: Person;
let server: string;
let made = 0;
const host = (text: string) => asHost(estate.url, text);
const HOOK = {
  location: 'https://hooks.example.com/gcos',
  types: ['ledger.closed'],
  format: 'slack',
} as const;
const now = () => Math.floor(Date.now() / 1_000);

/** An ID token that no provider signed. */
function forged(claims: Record<string, unknown>): string {
  made += 1;
  const all = {
    iss: ISSUER,
    iat: now(),
    exp: now() + 600,
    nonce: `nonce of attempt ${made}, long`,
    ...claims,
  };
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${encode({ alg: 'RS256' })}.${encode(all)}.${'A'.repeat(342)}`;
}
const SIGN_IN = (token: string) => `select outcome, secret from gcos_trust.gcos_sign_in('${token}')`;
const written = async () =>
  (
    await host(`select (select count(*)::int from gcos_token) as tokens, (select count(*)::int from gcos_session) as sessions,
      (select count(*)::int from gcos_person_identity) as identities, (select count(*)::int from governance_actor) as people`)
  )[0];

beforeAll(async () => {
  estate = await createEstate('installed');
  people = createPeople(estate.url);
  mia = await people.person('mia', 'member');
  server = urlAs(estate.url, 'server');
  await estate.gcos.people.add('eva', {
    approverType: 'president',
    identity: { issuer: ISSUER, subject: 'eva-1' },
  });
});
afterAll(async () => {
  await people?.close();
  await estate?.close();
});

describe('a stolen login of the server', () => {
  it('can assert that a mapped person has signed in: of level oidc, recorded, with evidence that shows it', async () => {
    const token = forged({ sub: 'eva-1' });
    const [row] = await asHost(server, SIGN_IN(token));
    expect(row).toMatchObject({ outcome: 'ok' });
    const secret = String(row?.['secret']);
    const decide = async (action: string) => {
      const { code } = await mia.gcos.requests.open(action, { note: 'x' });
      const [result] = await actBy(
        server,
        secret,
        'decide',
        `select outcome from gcos_decide('${code}', 'approve', null, null)`,
      );
      return { code, outcome: result?.['outcome'] };
    };
    const low = await decide('gcos.remediation.propose');
    expect(low.outcome).toBe('ok');
    expect(
      await host(
        `select identity_level, login like 'oidc:%' as signed_in from governance_decision where request_code = '${low.code}'`,
      ),
    ).toEqual([{ identity_level: 'oidc', signed_in: true }]);
    expect((await decide('gcos.ruleset.activate')).outcome).toBe('identity_level');
    const audited = await host(
      `select l.kind, l.login, e.id_token from gcos_log l join gcos_sign_in_evidence e on e.token_id = l.subject where l.kind = 'sign_in.made' and e.id_token = '${token}'`,
    );
    expect(audited).toEqual([{ kind: 'sign_in.made', login: 'gcos_server', id_token: token }]);
    // What it opened makes no further credentials and changes nobody's rights.
    for (const text of [
      `select outcome from gcos_create_token('mine', null, false, '{read}', null, null, 1)`,
      `select outcome from gcos_create_link('x')`,
    ])
      await expect(actBy(server, secret, 'operate', text), text).rejects.toMatchObject({ code: 'UG033' });
    for (const text of [
      `select outcome from gcos_map_identity('mia', '${ISSUER}', 'thief')`,
      `select outcome from gcos_erase_person('mia')`,
      `select outcome from gcos_write_person('eve', null, 'president', true)`,
    ])
      expect(await actBy(server, secret, 'operate', text), text).toEqual([{ outcome: 'not_administrator' }]);
    expect(
      await actBy(server, secret, 'operate', `select outcome from gcos_set_setting('sign_in.session', '{}')`),
    ).toEqual([{ outcome: 'setting_protected' }]);
    // Nor does it make the worker call an address, in the network of the operator or elsewhere.
    const { id } = await mia.gcos.webhooks.add(HOOK);
    for (const text of [
      `select gcos_add_webhook('http://169.254.169.254/', '{*}', 'slack', null, true)`,
      `select gcos_rotate_webhook(${id}, 'env:PATH', 0)`,
      `select gcos_remove_webhook(${id})`,
    ])
      await expect(actBy(server, secret, 'operate', text), text).rejects.toMatchObject({ code: 'UG033' });
    expect(await estate.gcos.webhooks.list()).toMatchObject([{ id, location: HOOK.location }]);
    // A credential that was presented asserts nothing.
    await withClient(server, async (client) => {
      await client.query('begin');
      await present(client, secret, 'operate');
      expect((await client.query(SIGN_IN(forged({ sub: 'eva-1' })))).rows).toEqual([
        { outcome: 'not_server', secret: null },
      ]);
      await client.query('rollback');
    });
    expect(await estate.gcos.log.verify()).toMatchObject({ intact: true });
  });

  it('reaches with forged sign-ins what a policy counts sign-ins for, and at high risk nothing by default', async () => {
    const approve = async (action: string, subjects: readonly string[]) => {
      const { code } = await mia.gcos.requests.open(action, { note: 'x' });
      const outcomes = [];
      for (const subject of subjects) {
        const [row] = await asHost(server, SIGN_IN(forged({ sub: subject })));
        const [result] = await actBy(
          ...([server, String(row?.['secret']), 'decide'] as const),
          `select outcome from gcos_decide('${code}', 'approve', null, null)`,
        );
        outcomes.push(result?.['outcome']);
      }
      return { outcomes, status: (await estate.gcos.requests.show(code)).status };
    };
    for (const person of ['kim', 'leo'])
      await estate.gcos.people.add(person, {
        ...{ approverType: 'council', identity: { issuer: ISSUER, subject: `${person}-1` } },
      });
    const council = ['eva-1', 'kim-1', 'leo-1'];
    expect(await approve('gcos.exception.grant', ['eva-1'])).toEqual({
      outcomes: ['ok'],
      status: 'approved',
    });
    expect(await approve('gcos.ruleset.activate', council)).toEqual({
      outcomes: ['identity_level', 'identity_level', 'identity_level'],
      status: 'pending',
    });
    // One person is one person, however many sign-ins are forged.
    await host(`update governance_setting set setting_value = jsonb_set(setting_value, '{levels}', '{"high": ["login", "oidc"]}')
      where setting_key = 'approval.policy'`);
    expect(await approve('gcos.ruleset.activate', ['kim-1', 'kim-1', 'eva-1'])).toEqual({
      outcomes: ['ok', 'decision_repeated', 'ok'],
      status: 'pending',
    });
    // This is what that policy costs: the signatures of the evidence show the theft, afterwards.
    expect(await approve('gcos.ruleset.activate', council)).toEqual({
      outcomes: ['ok', 'ok', 'ok'],
      status: 'approved',
    });
    await host(
      `update governance_setting set setting_value = setting_value - 'levels' where setting_key = 'approval.policy'`,
    );
  });

  it('cannot sign in others, map people, or write or read what sign-ins are made of', async () => {
    const before = await written();
    for (const [outcome, claims] of [
      ['identity_unmapped', { sub: 'eva-2' }],
      ['identity_unmapped', { sub: 'eva-1', iss: 'https://id.example.evil' }],
      ['identity_unmapped', { sub: 'mia' }],
      ['evidence_invalid', { sub: ['eva-1'] }],
      ['evidence_invalid', { sub: 'eva-1', nonce: 'short' }],
      ['evidence_expired', { sub: 'eva-1', exp: now() - 600 }],
      ['evidence_expired', { sub: 'eva-1', iat: now() - 86_400 }],
      ['evidence_expired', { sub: 'eva-1', iat: now() + 86_400 }],
    ] as const)
      expect(await asHost(server, SIGN_IN(forged(claims))), outcome).toEqual([{ outcome, secret: null }]);
    for (const text of ['', 'x', 'a.b.c', `a.${'e'.repeat(20_000)}.c`, 'a.bnVsbA.c'])
      expect(await asHost(server, SIGN_IN(text))).toEqual([{ outcome: 'evidence_invalid', secret: null }]);
    for (const text of [
      `select outcome from gcos_map_identity('mia', '${ISSUER}', 'thief')`,
      `select outcome from gcos_erase_person('mia')`,
    ])
      expect(await asHost(server, text), text).toEqual([{ outcome: 'not_administrator' }]);
    for (const role of ['server', 'api', 'worker', 'reader', 'pruner'])
      for (const text of [
        'select from gcos_person_identity',
        'select from gcos_sign_in_evidence',
        `select gcos_delete_sign_ins('{}')`,
        `select gcos_id_token_claims('x')`,
      ])
        await expect(asHost(urlAs(estate.url, role), text), `${role}: ${text}`).rejects.toMatchObject(DENIED);
    for (const role of ['server', 'api', 'worker', 'pruner'])
      for (const text of [
        'delete from gcos_token',
        'delete from gcos_sign_in_evidence',
        'insert into gcos_person_identity default values',
      ])
        await expect(asHost(urlAs(estate.url, role), text), `${role}: ${text}`).rejects.toMatchObject(DENIED);
    expect(await written()).toEqual(before);
  });
});

describe('what is not the server', () => {
  it('makes no link to a sign-in, also not its person', async () => {
    await estate.gcos.people.map('mia', { identity: { issuer: ISSUER, subject: 'mia-1' } });
    expect(await asHost(server, SIGN_IN(forged({ sub: 'mia-1' })))).toMatchObject([{ outcome: 'ok' }]);
    const [row] = await host(`select sign_in_id from governance_sign_in where person_ref = 'mia'`);
    await expect(mia.gcos.sessions.createLink(String(row?.['sign_in_id']))).rejects.toMatchObject({
      code: 'token_unknown',
    });
  });

  it('asserts no sign-in: other logins, a person, a DBA, and code of the host', async () => {
    const before = await written();
    for (const url of [
      ...['api', 'worker', 'reader', 'pruner'].map((role) => urlAs(estate.url, role)),
      mia.url,
    ])
      await expect(asHost(url, SIGN_IN(forged({ sub: 'eva-1' })))).rejects.toMatchObject(DENIED);
    expect(await host(SIGN_IN(forged({ sub: 'eva-1' })))).toEqual([{ outcome: 'not_server', secret: null }]);
    await host(`create function public.enter() returns text language sql volatile as
      $f$ select outcome from gcos_trust.gcos_sign_in('${forged({ sub: 'eva-1' })}') $f$;
      create view public.innocent as select public.enter() as outcome;
      grant execute on function public.enter() to public; grant select on public.innocent to public`);
    expect(await asHost(server, 'select outcome from public.innocent')).toEqual([{ outcome: 'not_direct' }]);
    // Nor does code of the host map people in the session of an administrator.
    await host(`create function public.map() returns text language sql as
      $f$ select outcome from gcos_trust.gcos_map_identity('eva', '${ISSUER}', 'thief') $f$;
      create function public.erase() returns text language sql as
      $f$ select outcome from gcos_trust.gcos_erase_person('eva') $f$`);
    expect(await host('select public.map() as outcome')).toEqual([{ outcome: 'not_direct' }]);
    expect(await host('select public.erase() as outcome')).toEqual([{ outcome: 'not_direct' }]);
    await host('drop view public.innocent; drop function public.enter(), public.map(), public.erase()');
    expect(await written()).toEqual(before);
  });
});
