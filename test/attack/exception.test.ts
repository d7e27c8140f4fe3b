// Attacks on exceptions with psql, by members of gcos_api: a registered person, and a login that no person
// has. An approval serves one exception, once; grants and revocations happen now.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ExceptionTerms } from '../../src/index.js';
import { resetClock, setClock } from '../support/clock.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { createPeople, type People, type Person } from '../support/people.js';

const DAY_MS = 86_400_000;
const terms: ExceptionTerms = {
  subject: { kind: 'collection', collection: 'venues' },
  scope: 'health',
  link: 'owner',
  expiresAt: new Date(Date.now() + 30 * DAY_MS).toISOString(),
};
const subject = `'collection', 'venues', null, null, null, 'health', 'owner', 'please'`;

describe('an attack on exceptions', () => {
  let estate: Estate;
  let people: People;
  let member: Person;
  let president: Person;
  let stranger: string;
  const sql = (text: string) => asHost(estate.url, text);
  const outcome = async (url: string, call: string) =>
    (await asHost(url, `select outcome from ${call}`))[0]?.['outcome'];
  const grantWith = (approval: string, expires = `'${terms.expiresAt}'`) =>
    `gcos_grant_exception(${subject}, ${expires}, ${approval}, null)`;
  const approved = async () => {
    const code = await member.gcos.exceptions.openRequest(terms, { reason: 'please' });
    await president.gcos.requests.approve(code);
    return code;
  };
  const inForce = async () =>
    (
      await sql('select exception_code as code from governance_exception_in_force(gcos_now()) order by 1')
    ).map((row) => row['code']);
  beforeEach(async () => {
    estate = await createEstate('judged');
    people = createPeople(estate.url);
    member = await people.person('asking', 'member');
    president = await people.person('deciding', 'president');
    stranger = (await people.login('stranger')).url;
  });
  afterEach(async () => {
    await people.close();
    await estate.close();
  });

  it('cannot use one approval twice, not even for an exception that was revoked, and not at the same moment', async () => {
    const approval = await approved();
    const calls = await Promise.all([1, 2, 3].map(() => outcome(member.url, grantWith(`'${approval}'`))));
    expect(calls.sort()).toEqual(['approval_used', 'approval_used', 'ok']);
    const [code] = await inForce();
    expect(await outcome(member.url, `gcos_revoke_exception('${code}', 'it is over', null)`)).toBe('ok');
    expect(await inForce()).toEqual([]);
    expect(await outcome(member.url, grantWith(`'${approval}'`))).toBe('approval_used');
    expect(await outcome(member.url, `gcos_revoke_exception('${code}', 'again', null)`)).toBe(
      'exception_unknown',
    );
    expect(await inForce()).toEqual([]);
    // Not even the owner of the table writes the same terms again; others are not what was approved.
    await expect(
      sql(
        `insert into governance_exception (subject_kind, collection_name, entity_code, scope, link, reason, requested_by, granted_at, expires_at, fingerprint, approval_ref)
         select subject_kind, collection_name, entity_code, scope, link, 'x', requested_by, granted_at, expires_at, fingerprint, approval_ref
         from governance_exception where approval_ref = '${approval}'`,
      ),
    ).rejects.toThrow(/governance_exception_one_approval/);
  });

  it('cannot take the approval of other terms, and so cannot block the exception that it was given for', async () => {
    const approval = await approved();
    for (const call of [
      grantWith(`'${approval}'`, `'${terms.expiresAt}'::timestamptz + interval '1 second'`),
      `gcos_grant_exception('collection', 'venues', null, null, null, 'health', null, 'any link', '${terms.expiresAt}', '${approval}', null)`,
      grantWith(`'APR-0001'`),
      grantWith(`'no such request'`),
    ])
      expect(await outcome(member.url, call)).toBe('approval_differs');
    expect(await outcome(member.url, grantWith(`'${approval}'`))).toBe('ok');
    expect(await inForce()).toHaveLength(1);
  });

  it('cannot grant or revoke at another time than now, and not beyond the longest time', async () => {
    const approval = await approved();
    for (const url of [member.url, stranger])
      for (const call of [
        `gcos_grant_exception(${subject}, '${terms.expiresAt}', '${approval}', null, now() - interval '1 year', 'info')`,
        `gcos_revoke_exception('GEX-0001', 'x', null, now() - interval '1 year', 'info')`,
        `gcos_revoke_exception('GEX-0001', 'x', null, now() + interval '1 year', 'info')`,
      ])
        await expect(outcome(url, call)).rejects.toThrow(/does not exist/);
    expect(await outcome(member.url, grantWith(`'${approval}'`))).toBe('ok');
    const [code] = await inForce();
    await asHost(member.url, `select gcos_revoke_exception('${code}', 'x', null)`);
    const [row] = await sql(
      `select abs(extract(epoch from now() - revoked_at)) < 60 as now_only, abs(extract(epoch from now() - granted_at)) < 60 as granted_now
       from governance_exception where exception_code = '${code}'`,
    );
    expect(row).toEqual({ now_only: true, granted_now: true });
    for (const [expires, expected] of [
      [`now() + interval '181 days'`, 'too_long'],
      [`'infinity'`, 'too_long'],
      [`now() - interval '1 second'`, 'ends_before_it_begins'],
      ['null', 'ends_before_it_begins'],
    ] as const)
      expect(await outcome(member.url, grantWith('null', expires))).toBe(expected);
  });

  it('cannot revive an exception after its end, and needs a registered person', async () => {
    const approval = await approved();
    expect(await outcome(stranger, grantWith(`'${approval}'`))).toBe('login_unknown');
    expect(await outcome(stranger, grantWith('null'))).toBe('login_unknown');
    expect(await outcome(member.url, grantWith(`'${approval}'`))).toBe('ok');
    const [code] = await inForce();
    expect(await outcome(stranger, `gcos_revoke_exception('${code}', 'x', null)`)).toBe('login_unknown');
    await setClock(estate.url, { ahead: '31 days' });
    expect(await inForce()).toEqual([]);
    expect(await outcome(member.url, grantWith(`'${approval}'`))).toBe('ends_before_it_begins');
    await resetClock(estate.url);
    for (const call of ['gcos_apply_exception_changes()', 'gcos_announce_grants(now())'])
      for (const url of [member.url, stranger])
        await expect(asHost(url, `select ${call}`)).rejects.toThrow(/permission denied/);
  });

  it('takes the time and the alert level of decisions about input from the server', async () => {
    const object = `array['dot_tools'], array['DOT-141'], 'suspicious', null`;
    for (const url of [member.url, stranger])
      for (const call of [
        `gcos_input_quarantine(${object}, 'infinity', 'info')`,
        `gcos_input_release(${object}, '-infinity', 'info')`,
        `gcos_input_trust('origin', 'tool', '*', 'trusted', 'x', null, now() - interval '1 year', 'info')`,
      ])
        await expect(outcome(url, call)).rejects.toThrow(/does not exist/);
    expect(await outcome(stranger, `gcos_input_quarantine(${object})`)).toBe('login_unknown');
    expect(await outcome(member.url, `gcos_input_quarantine(${object})`)).toBe('ok');
    const [row] = await sql(
      `select quarantined_by as by, abs(extract(epoch from now() - quarantined_at)) < 60 as now_only from governance_input_state where entity_code = 'DOT-141'`,
    );
    expect(row).toEqual({ by: 'asking', now_only: true });
    for (const url of [member.url, stranger])
      await expect(asHost(url, 'select gcos_seed_input()')).rejects.toThrow(/permission denied/);
  });
});
