// The actor of a request; opening and listing requests. Every person is a real login.
import { describe, expect, it } from 'vitest';
import { currentActor } from '../../src/record/approval/index.js';
import { allPeople, HIGH, host, LOW, open, people, READ, useCouncil, written } from '../support/council.js';
import { asHost } from '../support/database.js';
import type { Person } from '../support/people.js';

useCouncil();

describe('the actor', () => {
  it('is the login, mapped by governance_actor', async () => {
    const { m1, clerk } = allPeople();
    const who = (person: Person, as?: string) =>
      person.gcos.db.transaction(READ, (tx) => currentActor(tx, as));
    expect(await who(m1)).toEqual({
      personRef: 'member-1',
      approverType: 'member',
      login: m1.login,
      verified: true,
    });
    expect(await who(m1, 'member-1')).toMatchObject({ personRef: 'member-1', verified: true });
    await expect(who(m1, 'president')).rejects.toMatchObject({ code: 'actor_not_allowed', exit: 3 });
    expect(await who(clerk, 'president')).toEqual({
      personRef: 'president',
      approverType: 'president',
      login: clerk.login,
      verified: false,
    });
    await expect(who(clerk, 'unregistered')).rejects.toMatchObject({ code: 'actor_unknown', exit: 3 });
    await expect(who(clerk, '')).rejects.toMatchObject({ code: 'actor_unknown' });
  });

  it('is refused if unmapped or inactive, and the help names the row that a DBA must insert', async () => {
    const stranger = await people.login('stranger');
    const act = () => stranger.gcos.requests.open(LOW, {});
    await expect(act()).rejects.toMatchObject({
      code: 'actor_unknown',
      exit: 3,
      help: expect.stringContaining(
        `insert into "gcos_trust".governance_actor (person_ref, login, approver_type) values ('PERSON', '${stranger.login}', 'member')`,
      ),
    });
    await host(
      `insert into governance_actor values ('gone', '${stranger.login}', 'president', false, false)`,
    );
    await expect(act()).rejects.toMatchObject({ code: 'actor_unknown' });
    await expect(
      allPeople().clerk.gcos.db.transaction(READ, (tx) => currentActor(tx, 'gone')),
    ).rejects.toMatchObject({ code: 'actor_unknown' });
  });

  it('cannot be changed by an api login', async () => {
    const { clerk } = allPeople();
    for (const text of [
      "update governance_actor set approver_type = 'president'",
      "insert into governance_actor values ('x', 'y', 'president', true, true)",
      'delete from governance_actor',
      "update governance_setting set setting_value = 'true' where setting_key = 'approval.accept_unverified'",
      'set session authorization postgres',
      'set role gcos_owner',
    ])
      await expect(asHost(clerk.url, text), text).rejects.toMatchObject({ code: '42501' });
  });
});

describe('opening a request', () => {
  it('takes the next number of the host and the risk of its action type', async () => {
    const { m1 } = allPeople();
    const first = await m1.gcos.requests.open(HIGH, { ruleset: 'r1', note: 'ünïcode "quoted" \\u0000' });
    expect(first).toMatchObject({
      code: 'APR-0061',
      action: HIGH,
      risk: 'high',
      status: 'pending',
      hostStatus: 'pending',
      proposer: 'member-1',
      proposerVerified: true,
      proposedAction: { ruleset: 'r1', note: 'ünïcode "quoted" \\u0000' },
      missing: ['one president', 'two council members'],
      decisions: [],
    });
    expect(await host(`select risk from apr_action_types where action_code = '${HIGH}'`)).toEqual([
      { risk: 'high' },
    ]);
    expect(await open(m1)).toBe('APR-0062');
  });

  it("uses the stricter of the host's risk and its own, and high for an unknown risk", async () => {
    const { m1 } = allPeople();
    // Its own risks are medium and low.
    await host(
      "insert into apr_action_types (action_code, risk) values ('gcos.gate.break_glass', 'low'), ('gcos.remediation.propose', 'high')",
    );
    expect(await m1.gcos.requests.open('gcos.gate.break_glass', {})).toMatchObject({
      risk: 'medium',
      missing: ['one president'],
    });
    expect((await m1.gcos.requests.open('gcos.remediation.propose', {})).risk).toBe('high');
    // The host lowers the risk while a request is open, and before the next one.
    const code = await open(m1);
    await host(`update apr_action_types set risk = 'low' where action_code = '${HIGH}'`);
    expect(await m1.gcos.requests.show(code)).toMatchObject({ risk: 'high' });
    expect((await m1.gcos.requests.open(HIGH, {})).risk).toBe('high');
    await host(
      `alter table apr_action_types drop constraint apr_action_types_risk_known;
       update apr_action_types set risk = 'negligible' where action_code = 'gcos.gate.break_glass'`,
    );
    expect((await m1.gcos.requests.open('gcos.gate.break_glass', {})).risk).toBe('high');
  });

  it('gives codes of at least four digits, and uses no number twice', async () => {
    const { m1 } = allPeople();
    const insert = (code: string) =>
      host(`insert into approval_requests (code, action_code, proposed_action, proposer)
        values ('${code}', 'assign_owner', '{}', 'host')`);
    await insert('APR-9999');
    expect(await open(m1)).toBe('APR-10000');
    // The host deletes its newest rows: GCOS does not reuse the number of a recorded request.
    await host("delete from approval_requests where code in ('APR-9999', 'APR-10000')");
    expect(await open(m1)).toBe('APR-10001');
  });

  it('uses the column default of a host that numbers its requests', async () => {
    const { m1 } = allPeople();
    await host(`create sequence request_number start 20000;
      grant usage on sequence request_number to gcos_owner;
      alter table approval_requests alter code set default 'APR-' || nextval('request_number')`);
    try {
      expect(await open(m1)).toBe('APR-20000');
      expect(await open(m1)).toBe('APR-20001');
    } finally {
      await host('alter table approval_requests alter code drop default; drop sequence request_number');
    }
  });

  it('refuses actions that are not of GCOS, and values that cannot be stored', async () => {
    const { m1 } = allPeople();
    const before = await written();
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    await expect(m1.gcos.requests.open('assign_owner', {})).rejects.toMatchObject({
      code: 'action_unknown',
      exit: 3,
    });
    await expect(m1.gcos.requests.open('gcos.else', {})).rejects.toMatchObject({ code: 'action_unknown' });
    for (const bad of [circular, { n: 1n }, { text: 'a\0b' }, [] as unknown as Record<string, unknown>])
      await expect(m1.gcos.requests.open(HIGH, bad)).rejects.toMatchObject({
        code: 'request_invalid',
        exit: 3,
      });
    await expect(m1.gcos.requests.open(HIGH, {}, { as: 'president' })).rejects.toMatchObject({
      code: 'actor_not_allowed',
    });
    expect(await written()).toEqual(before);
  });

  it('gives unique numbers to concurrent requests, also while the host inserts its own', async () => {
    const { m1, m2, c1 } = allPeople();
    const opened = Array.from({ length: 18 }, (_, index) => open([m1, m2, c1][index % 3] as Person, LOW));
    const own = Array.from({ length: 6 }, async () => {
      for (;;) {
        try {
          await host(`insert into approval_requests (code, action_code, proposed_action, proposer)
            select 'APR-' || lpad((max(substring(code from 5)::bigint) + 1)::text, 4, '0'), 'assign_owner', '{}', 'host' from approval_requests`);
          return;
        } catch (error) {
          if ((error as { code?: string }).code !== '23505') throw error;
        }
      }
    });
    const codes = await Promise.all(opened);
    await Promise.all(own);
    expect(new Set(codes).size).toBe(18);
    const [counted] = await host(
      'select count(*)::int as n, count(distinct code)::int as codes from approval_requests',
    );
    expect(counted?.['n']).toBe(counted?.['codes']);
  });
});

describe('listing', () => {
  it('returns requests newest first, in pages and by status', async () => {
    const { m1 } = allPeople();
    for (let n = 0; n < 20; n += 1) await open(m1, n % 3 === 0 ? LOW : HIGH);
    await m1.gcos.requests.withdraw(await open(m1), { reason: 'not needed' });
    const all = await m1.gcos.requests.list({ limit: 1_000 });
    expect(all.length).toBeGreaterThan(20);
    expect(all.every((each) => each.action.startsWith('gcos.'))).toBe(true);
    const paged: string[] = [];
    for (let after: string | undefined; ; after = paged.at(-1)) {
      const page = await m1.gcos.requests.list({ limit: 7, ...(after === undefined ? {} : { after }) });
      if (page.length === 0) break;
      paged.push(...page.map((each) => each.code));
    }
    expect(paged).toEqual(all.map((each) => each.code));
    const withdrawn = await m1.gcos.requests.list({ limit: 1_000, hostStatus: 'withdrawn' });
    expect(new Set(withdrawn.map((each) => each.status))).toEqual(new Set(['withdrawn']));
    await expect(m1.gcos.requests.list({ limit: 7, after: 'APR-99999' })).rejects.toMatchObject({
      code: 'request_unknown',
    });
    await expect(m1.gcos.requests.show('APR-99999')).rejects.toMatchObject({ code: 'request_unknown' });
  });
});
