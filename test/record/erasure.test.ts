// Erasing a person: what identifies them goes, what they decided stays, and log and ledger still verify. And
// how long sign-ins are kept.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asHost, urlAs } from '../support/database.js';
import { createEstate, type Estate, openAt } from '../support/estate.js';
import { createPeople, type People, type Person } from '../support/people.js';
import { actBy } from '../support/tokens.js';

const ISSUER = 'https://id.example';
const SUBJECT = 'subject-b7f3a1';
const TOKEN_NAME = 'laptop of Maria in room 12';
let estate: Estate;
let people: People;
let maria: Person;
const host = (text: string) => asHost(estate.url, text);

function idToken(subject: string, nonce: string): string {
  const now = Math.floor(Date.now() / 1_000);
  const claims = { iss: ISSUER, sub: subject, iat: now, exp: now + 600, nonce };
  return `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;
}
async function signIn(subject: string, nonce: string): Promise<string> {
  const [row] = await asHost(
    urlAs(estate.url, 'server'),
    `select outcome, secret from gcos_trust.gcos_sign_in('${idToken(subject, nonce)}')`,
  );
  expect(row).toMatchObject({ outcome: 'ok' });
  return String(row?.['secret']);
}

/** Every table of the database in which the text stands. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await host(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname in ('public', 'gcos_trust')`,
  );
  const query = tables
    .map(
      ({ name }) =>
        `select '${name}' as name where exists (select from ${name} t where t::text like '%${text}%')`,
    )
    .join(' union all ');
  return (await host(query)).map(({ name }) => String(name));
}

beforeAll(async () => {
  estate = await createEstate('scanned');
  people = createPeople(estate.url);
  maria = await people.person('maria', 'president');
  await estate.gcos.people.map('maria', { identity: { issuer: ISSUER, subject: SUBJECT } });
});
afterAll(async () => {
  await people?.close();
  await estate?.close();
});

describe('an erased person', () => {
  it('leaves nothing that identifies them; what they decided stays, and everything verifies', async () => {
    const secret = await signIn(SUBJECT, 'the nonce of the first one');
    await signIn(SUBJECT, 'the nonce of the second one');
    const token = await maria.gcos.tokens.create({ name: TOKEN_NAME, permissions: ['read', 'decide'] });
    const opener = await people.person('opener', 'member');
    const { code } = await opener.gcos.requests.open('gcos.remediation.propose', { x: 1 });
    await actBy(
      urlAs(estate.url, 'server'),
      secret,
      'decide',
      `select outcome from gcos_decide('${code}', 'approve', null, null)`,
    );
    await maria.gcos.inbox.subscribe({ recipient: 'maria', stream: 'governance.coverage' });
    await host(`insert into governance_delivery (kind, recipient_ref, severity, signals, window_start, delivered_at)
      values ('digest', 'maria', 'low', 1, now(), now())`);
    const [kept] = await host(
      `select e.id_token from gcos_sign_in_evidence e join gcos_token t using (token_id) where t.person_ref = 'maria' limit 1`,
    );
    const body = String(kept?.['id_token']);
    expect(await tablesWith(SUBJECT)).toEqual(['gcos_trust.gcos_person_identity']);
    expect(await tablesWith(TOKEN_NAME)).toEqual(['gcos_trust.gcos_token']);
    expect(await tablesWith(body)).toEqual(['gcos_trust.gcos_sign_in_evidence']);

    const rehearsed = await estate.gcos.people.erase('maria', { dryRun: true });
    expect(await estate.gcos.people.erase('maria')).toEqual(rehearsed);
    expect(rehearsed).toEqual({
      person: 'maria',
      identities: 1n,
      signIns: 2n,
      sessions: 2n,
      tokens: 1n,
      notifications: 1n,
    });
    for (const text of [SUBJECT, TOKEN_NAME, body]) expect(await tablesWith(text), text).toEqual([]);
    expect(
      await host(`select person_ref, login, active, erased from governance_actor where person_ref = 'maria'`),
    ).toEqual([{ person_ref: 'maria', login: null, active: false, erased: true }]);
    expect(
      await host(
        `select ended_at is not null as ended from governance_subscription where recipient_ref = 'maria'`,
      ),
    ).toEqual([{ ended: true }]);
    expect((await estate.gcos.requests.show(code)).decisions).toMatchObject([
      { person: 'maria', level: 'oidc', counts: true },
    ]);
    const kinds = await host(
      `select kind from gcos_log where position > (select max(position) from gcos_log where kind like 'request.%') order by kind`,
    );
    expect(kinds.map(({ kind }) => kind)).toEqual([
      'actor.changed',
      'identity.unmapped',
      'person.erased',
      'token.revoked',
    ]);
    expect(await estate.gcos.log.verify()).toMatchObject({ intact: true });
    expect(await estate.gcos.ledgers.verify()).toMatchObject({ closes: true });

    // None of their credentials works, and the name is given to no other person.
    const server = await openAt(urlAs(estate.url, 'server'));
    for (const credential of [secret, token.token])
      await expect(server.as({ credential, permission: 'read' }).tokens.list()).rejects.toMatchObject({
        code: expect.stringMatching(/^credential_(unknown|revoked)$/),
      });
    await expect(server.sessions.signIn(idToken(SUBJECT, 'the nonce of a third one'))).rejects.toMatchObject({
      code: 'sign_in_unmapped',
    });
    await server.close();
    await expect(maria.gcos.requests.open('gcos.remediation.propose', {})).rejects.toMatchObject({
      code: 'actor_unknown',
    });
    for (const again of [
      () => estate.gcos.people.map('maria', { identity: { issuer: ISSUER, subject: SUBJECT } }),
      () => estate.gcos.people.map('maria', { approverType: 'member' }),
      () => estate.gcos.people.add('maria'),
      () => estate.gcos.people.erase('maria'),
    ])
      await expect(again()).rejects.toMatchObject({ code: 'person_invalid' });
  });

  it('is erased by an administrator only, and a person is mapped to subjects of their own', async () => {
    const ben = await people.person('ben', 'member');
    await expect(ben.gcos.people.erase('ben')).rejects.toMatchObject({ code: 'administrator_required' });
    await expect(
      ben.gcos.people.map('ben', { identity: { issuer: ISSUER, subject: 'b' } }),
    ).rejects.toMatchObject({ code: 'administrator_required' });
    await estate.gcos.people.map('ben', { identity: { issuer: ISSUER, subject: 'b' } });
    expect(await estate.gcos.people.map('ben', { identity: { issuer: ISSUER, subject: 'b' } })).toMatchObject(
      { identities: 1n },
    );
    await estate.gcos.people.add('cara');
    for (const identity of [
      { issuer: ISSUER, subject: 'b' },
      { issuer: 'id.example', subject: 'c' },
      { issuer: ISSUER, subject: '' },
    ])
      await expect(estate.gcos.people.map('cara', { identity })).rejects.toMatchObject({
        code: 'person_invalid',
      });
    await expect(estate.gcos.people.erase('nobody-of-that-name')).rejects.toMatchObject({
      code: 'person_unknown',
    });
  });
});

describe('a sign-in', () => {
  it('is deleted with its evidence after the days of history.keep, and the log still verifies', async () => {
    await estate.gcos.people.add('dora', { identity: { issuer: ISSUER, subject: 'dora-1' } });
    await signIn('dora-1', 'the nonce of an old one');
    await signIn('dora-1', 'the nonce of a new one');
    const prune = async () =>
      (await asHost(urlAs(estate.url, 'worker'), 'select gcos_prune_sign_ins(100)::int as gone'))[0]?.[
        'gone'
      ];
    expect(await prune()).toBe(0);
    await host(`set session_replication_role = replica;
      update gcos_token set created_at = now() - interval '402 days', expires_at = now() - interval '401 days'
      where token_id = (select token_id from gcos_sign_in_evidence where nonce_hash = sha256('the nonce of an old one'))`);
    expect(await prune()).toBe(1);
    expect(await host(`select count(*)::int as n from gcos_sign_in_evidence`)).toEqual([{ n: 1 }]);
    expect(await host(`select count(*)::int as n from gcos_session`)).toEqual([{ n: 1 }]);
    expect(await host(`select pruned::int as pruned from gov_worker_pruned where kind = 'sign_ins'`)).toEqual(
      [{ pruned: 1 }],
    );
    expect(await estate.gcos.log.verify()).toMatchObject({ intact: true });
  });
});
