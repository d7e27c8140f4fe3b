// Requests and decisions: who counts, what is refused, and what the host cannot forge. Every person is a real login.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { currentActor, requireApproved } from '../../src/record/index.js';
import { asHost, createDatabase, openDatabase } from '../support/database.js';
import { createEstate, type Estate, openAt } from '../support/estate.js';
import { createPeople, type People, type Person } from '../support/people.js';

const HIGH = 'gcos.ruleset.activate';
const MEDIUM = 'gcos.exception.grant';
const LOW = 'gcos.remediation.propose';
const READ = { isolation: 'repeatable read', readOnly: true } as const;

let estate: Estate;
let people: People;
let president: Person;
let [council1, council2, council3]: Person[] = [];
let [member1, member2, clerk]: Person[] = [];

const host = (text: string) => asHost(estate.url, text);
const statusOf = async (code: string) =>
  (await host(`select status from approval_requests where code = '${code}'`))[0]?.['status'];
const acceptUnverified = (yes: boolean) =>
  host(
    `update governance_setting set setting_value = '${yes}' where setting_key = 'approval.accept_unverified'`,
  );
const open = async (who: Person, action = HIGH, proposed: Record<string, unknown> = { ruleset: 'r1' }) =>
  (await who.gcos.requests.open(action, proposed)).code;
const written = async () =>
  (
    await host(`select (select count(*)::int from approval_requests) as requests,
      (select count(*)::int from apr_approvals) as approvals, (select count(*)::int from governance_decision) as decisions`)
  )[0];
const required = (code: string, action = HIGH, matches: (proposed: unknown) => boolean = () => true) =>
  estate.gcos.db.transaction(READ, (tx) => requireApproved(tx, code, { action, matches }));

beforeAll(async () => {
  estate = await createEstate('installed');
  people = createPeople(estate.url);
  president = await people.person('president', 'president');
  council1 = await people.person('council-1', 'council');
  council2 = await people.person('council-2', 'council');
  council3 = await people.person('council-3', 'council');
  member1 = await people.person('member-1', 'member');
  member2 = await people.person('member-2', 'member');
  clerk = await people.person('clerk', 'member', { mayActForOthers: true });
});
afterAll(async () => {
  await people?.close();
  await estate?.close();
});

function everybody(): Record<'c1' | 'c2' | 'c3' | 'm1' | 'm2' | 'clerk', Person> {
  if (!council1 || !council2 || !council3 || !member1 || !member2 || !clerk) throw new Error('not set up');
  return { c1: council1, c2: council2, c3: council3, m1: member1, m2: member2, clerk };
}

describe('the actor', () => {
  it('is the login, mapped by governance_actor', async () => {
    const { m1, clerk } = everybody();
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
    await expect(who(clerk, 'nobody')).rejects.toMatchObject({ code: 'actor_unknown', exit: 3 });
    await expect(who(clerk, '')).rejects.toMatchObject({ code: 'actor_unknown' });
  });

  it('unmapped or inactive: refused, and told which row a DBA has to insert', async () => {
    const stranger = await people.login('stranger');
    const act = () => stranger.gcos.requests.open(LOW, {});
    await expect(act()).rejects.toMatchObject({
      code: 'actor_unknown',
      exit: 3,
      help: expect.stringContaining(
        `insert into governance_actor (person_ref, login, approver_type) values ('PERSON', '${stranger.login}', 'member')`,
      ),
    });
    await host(
      `insert into governance_actor values ('gone', '${stranger.login}', 'president', false, false)`,
    );
    await expect(act()).rejects.toMatchObject({ code: 'actor_unknown' });
    await expect(
      everybody().clerk.gcos.db.transaction(READ, (tx) => currentActor(tx, 'gone')),
    ).rejects.toMatchObject({ code: 'actor_unknown' });
  });

  it('cannot be changed by those who act', async () => {
    const { clerk } = everybody();
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
  it("takes the next number of the host's, and the risk of its action type", async () => {
    const { m1 } = everybody();
    const first = await m1.gcos.requests.open(HIGH, { ruleset: 'r1', note: 'ünïcode "quoted" \\u0000' });
    expect(first).toMatchObject({
      code: 'APR-0061',
      action: HIGH,
      risk: 'high',
      standing: 'pending',
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

  it('the risk the host gave an action wins, and what nobody classified is high', async () => {
    const { m1 } = everybody();
    await host("insert into apr_action_types (action_code, risk) values ('gcos.gate.break_glass', 'medium')");
    expect(await m1.gcos.requests.open('gcos.gate.break_glass', {})).toMatchObject({
      risk: 'medium',
      missing: ['one president'],
    });
    // Lowered while a request is open: that request keeps its bar.
    const code = await open(m1);
    await host(`update apr_action_types set risk = 'low' where action_code = '${HIGH}'`);
    expect(await m1.gcos.requests.show(code)).toMatchObject({ risk: 'high' });
    await host(
      `alter table apr_action_types drop constraint apr_action_types_risk_known;
       update apr_action_types set risk = 'negligible' where action_code = '${HIGH}'`,
    );
    expect((await m1.gcos.requests.open(HIGH, {})).risk).toBe('high');
    await host(`update apr_action_types set risk = 'high' where action_code = '${HIGH}'`);
  });

  it('has four digits or more, and takes no number twice', async () => {
    const { m1 } = everybody();
    const insert = (code: string) =>
      host(`insert into approval_requests (code, action_code, proposed_action, proposer)
        values ('${code}', 'assign_owner', '{}', 'host')`);
    await insert('APR-9999');
    expect(await open(m1)).toBe('APR-10000');
    // The host deletes its newest rows: what GCOS witnessed under a number keeps it.
    await host("delete from approval_requests where code in ('APR-9999', 'APR-10000')");
    expect(await open(m1)).toBe('APR-10001');
  });

  it('follows a host that numbers by a default', async () => {
    const { m1 } = everybody();
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

  it('is refused for what is not an action of GCOS, or cannot be stored', async () => {
    const { m1 } = everybody();
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

  it('many at once, beside a host that numbers its own: no number twice, none lost', async () => {
    const { m1, m2, c1 } = everybody();
    const opened = Array.from({ length: 18 }, (_, index) => open([m1, m2, c1][index % 3] as Person, LOW));
    const own = Array.from({ length: 6 }, async () => {
      for (;;) {
        try {
          await host(`insert into approval_requests (code, action_code, proposed_action, proposer)
            select 'APR-' || max(substring(code from 5)::bigint) + 1, 'assign_owner', '{}', 'host' from approval_requests`);
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

describe('the quorum', () => {
  it('high: one president and two council, in any order; says what is missing', async () => {
    const { c1, c2, c3, m1, m2 } = everybody();
    const code = await open(m1);
    expect((await c1.gcos.requests.approve(code)).missing).toEqual([
      'one president',
      'one more council member',
    ]);
    expect((await m2.gcos.requests.approve(code)).missing).toEqual([
      'one president',
      'one more council member',
    ]);
    expect((await president.gcos.requests.approve(code)).missing).toEqual(['one more council member']);
    expect(await statusOf(code)).toBe('pending');
    await expect(required(code)).rejects.toMatchObject({
      code: 'request_not_approved',
      exit: 2,
      message: expect.stringContaining('one more council member'),
    });
    expect(await c2.gcos.requests.approve(code, { reason: 'looks right' })).toMatchObject({
      standing: 'approved',
      hostStatus: 'approved',
      missing: [],
      approvals: 4,
    });
    await expect(c3.gcos.requests.approve(code)).rejects.toMatchObject({ code: 'request_closed', exit: 2 });
    await expect(m1.gcos.requests.withdraw(code)).rejects.toMatchObject({ code: 'request_closed' });
    expect(await required(code)).toMatchObject({ code, standing: 'approved' });
    const [row] = await host(
      `select decided_at is not null as decided from approval_requests where code = '${code}'`,
    );
    expect(row).toEqual({ decided: true });
  });

  it('medium: a president, and only a president; low: anybody', async () => {
    const { c1, c2, m1, m2 } = everybody();
    const medium = await open(m1, MEDIUM);
    await c1.gcos.requests.approve(medium);
    await c2.gcos.requests.approve(medium);
    expect(await m2.gcos.requests.approve(medium)).toMatchObject({
      standing: 'pending',
      missing: ['one president'],
    });
    expect(await president.gcos.requests.approve(medium)).toMatchObject({ standing: 'approved' });
    const low = await open(m1, LOW);
    expect((await m1.gcos.requests.show(low)).missing).toEqual(['one approval, by anybody but the proposer']);
    expect(await m2.gcos.requests.approve(low)).toMatchObject({ standing: 'approved' });
  });

  it('any rejection blocks, at once, and needs a reason', async () => {
    const { c1, c2, m1, m2 } = everybody();
    const code = await open(m1);
    await president.gcos.requests.approve(code);
    await c1.gcos.requests.approve(code);
    for (const reason of ['', '  '])
      await expect(m2.gcos.requests.reject(code, { reason })).rejects.toMatchObject({
        code: 'request_invalid',
        exit: 3,
      });
    expect(await m2.gcos.requests.reject(code, { reason: ' no way back ' })).toMatchObject({
      standing: 'rejected',
      hostStatus: 'rejected',
      decisions: expect.arrayContaining([
        expect.objectContaining({ person: 'member-2', decision: 'reject', reason: 'no way back' }),
      ]),
    });
    await expect(c2.gcos.requests.approve(code)).rejects.toMatchObject({ code: 'request_closed' });
    // Nor can the host bring it back: the rejection was witnessed.
    await host(`delete from apr_approvals where decision = 'reject' and apr_id = (select id from approval_requests where code = '${code}');
      update approval_requests set status = 'pending' where code = '${code}'`);
    await expect(c2.gcos.requests.approve(code)).rejects.toMatchObject({ code: 'request_closed' });
    await host(`update approval_requests set status = 'approved' where code = '${code}'`);
    await expect(required(code)).rejects.toMatchObject({
      code: 'request_not_approved',
      message: expect.stringContaining('rejected'),
    });
  });

  it('a withdrawn request is over; only its proposer withdraws it', async () => {
    const { m1, m2, c1 } = everybody();
    const code = await open(m1);
    await expect(m2.gcos.requests.withdraw(code)).rejects.toMatchObject({
      code: 'withdraw_by_other',
      exit: 2,
    });
    expect(await m1.gcos.requests.withdraw(code, { reason: 'a better one comes' })).toMatchObject({
      standing: 'withdrawn',
      hostStatus: 'withdrawn',
    });
    await expect(c1.gcos.requests.approve(code)).rejects.toMatchObject({ code: 'request_closed' });
    await expect(required(code)).rejects.toMatchObject({ code: 'request_not_approved' });
  });

  it('a dry run shows the result and leaves nothing', async () => {
    const { m1, m2 } = everybody();
    const code = await open(m1, LOW);
    const before = await written();
    expect(await m2.gcos.requests.approve(code, { dryRun: true })).toMatchObject({ standing: 'approved' });
    expect(await m1.gcos.requests.withdraw(code, { dryRun: true })).toMatchObject({ standing: 'withdrawn' });
    expect(await m1.gcos.requests.open(LOW, {}, { dryRun: true })).toMatchObject({ standing: 'pending' });
    expect(await written()).toEqual(before);
    expect(await statusOf(code)).toBe('pending');
  });
});

describe('one voice per person', () => {
  it('one login cannot fill a quorum by changing --as: without the right it is refused', async () => {
    const { c1, m1 } = everybody();
    const code = await open(m1);
    await c1.gcos.requests.approve(code);
    const before = await written();
    for (const as of ['president', 'council-2', 'council-3', 'member-2'])
      await expect(c1.gcos.requests.approve(code, { as })).rejects.toMatchObject({
        code: 'actor_not_allowed',
        exit: 3,
      });
    expect(await written()).toEqual(before);
    expect(await statusOf(code)).toBe('pending');
  });

  it('one login cannot fill a quorum by changing --as: with the right, while unverified identities do not count', async () => {
    const { m1, clerk } = everybody();
    const code = await open(m1);
    const before = await written();
    for (const as of ['president', 'council-1', 'council-2', 'council-3'])
      await expect(clerk.gcos.requests.approve(code, { as })).rejects.toMatchObject({
        code: 'identity_unverified',
        exit: 2,
      });
    await expect(clerk.gcos.requests.reject(code, { as: 'president', reason: 'x' })).rejects.toMatchObject({
      code: 'identity_unverified',
    });
    expect(await written()).toEqual(before);
    // Nobody lost their voice by being impersonated.
    await president.gcos.requests.approve(code);
  });

  it('unverified decisions count only while the setting says so, and are always shown as such', async () => {
    const { m1, clerk } = everybody();
    const code = await open(m1);
    await acceptUnverified(true);
    try {
      for (const as of ['president', 'council-1']) await clerk.gcos.requests.approve(code, { as });
      const done = await clerk.gcos.requests.approve(code, { as: 'council-2' });
      expect(done).toMatchObject({ standing: 'approved', hostStatus: 'approved' });
      expect(done.decisions.map((each) => [each.person, each.verified, each.login])).toEqual([
        ['president', false, clerk.login],
        ['council-1', false, clerk.login],
        ['council-2', false, clerk.login],
      ]);
      expect(await required(code)).toMatchObject({ code });
    } finally {
      await acceptUnverified(false);
    }
    expect(await m1.gcos.requests.show(code)).toMatchObject({
      standing: 'pending',
      hostStatus: 'approved',
      decisions: [1, 2, 3].map(() => ({ counts: false, remark: 'unverified identity' })),
    });
    await expect(required(code)).rejects.toMatchObject({ code: 'request_not_approved' });
    await host(
      `update governance_setting set setting_value = '"yes"' where setting_key = 'approval.accept_unverified'`,
    );
    await expect(required(code)).rejects.toMatchObject({ code: 'request_not_approved' });
    await acceptUnverified(false);
  });

  it('one person with two logins counts once', async () => {
    const { c1, m1 } = everybody();
    const code = await open(m1);
    await c1.gcos.requests.approve(code);
    const second = await people.login('second');
    // A login belongs to one person and a person has one login at a time: both at once is not even a row.
    await expect(
      host(`insert into governance_actor values ('council-1', '${second.login}', 'council', false, true)`),
    ).rejects.toMatchObject({ code: '23505' });
    await host(`update governance_actor set login = '${second.login}' where person_ref = 'council-1'`);
    try {
      await expect(second.gcos.requests.approve(code)).rejects.toMatchObject({
        code: 'decision_repeated',
        exit: 2,
      });
      await expect(second.gcos.requests.reject(code, { reason: 'x' })).rejects.toMatchObject({
        code: 'decision_repeated',
      });
      expect((await m1.gcos.requests.show(code)).missing).toEqual([
        'one president',
        'one more council member',
      ]);
    } finally {
      await host(`update governance_actor set login = '${c1.login}' where person_ref = 'council-1'`);
    }
    await expect(c1.gcos.requests.approve(code)).rejects.toMatchObject({ code: 'decision_repeated' });
  });

  it("a proposer's approval never counts, nor that of whoever opened it in another name", async () => {
    const { c1, clerk } = everybody();
    const own = await open(president, MEDIUM);
    await expect(president.gcos.requests.approve(own)).rejects.toMatchObject({
      code: 'decision_by_proposer',
      exit: 2,
    });
    await expect(president.gcos.requests.reject(own, { reason: 'x' })).rejects.toMatchObject({
      code: 'decision_by_proposer',
    });
    const { code } = await clerk.gcos.requests.open(LOW, {}, { as: 'council-1' });
    expect(await c1.gcos.requests.show(code)).toMatchObject({
      proposer: 'council-1',
      proposerVerified: false,
    });
    await expect(clerk.gcos.requests.approve(code)).rejects.toMatchObject({ code: 'decision_by_proposer' });
    await expect(c1.gcos.requests.approve(code)).rejects.toMatchObject({ code: 'decision_by_proposer' });
    // It may take back what it opened itself, but nobody else's request.
    const { code: other } = await c1.gcos.requests.open(LOW, {});
    await expect(clerk.gcos.requests.withdraw(other, { as: 'council-1' })).rejects.toMatchObject({
      code: 'identity_unverified',
    });
    expect(await clerk.gcos.requests.withdraw(code, { as: 'council-1' })).toMatchObject({
      standing: 'withdrawn',
    });
  });
});

describe('what the host writes', () => {
  const insert = (code: string, approver: string, type: string, decision = 'approve') =>
    host(`insert into apr_approvals (apr_id, approver, approver_type, decision)
      select id, '${approver}', '${type}', '${decision}' from approval_requests where code = '${code}'`);

  it('a direct insert into apr_approvals counts for nothing', async () => {
    const { c1, m1 } = everybody();
    const code = await open(m1);
    await insert(code, 'president', 'president');
    await insert(code, 'council-1', 'council');
    await insert(code, 'council-2', 'council');
    await host(`update approval_requests set status = 'approved' where code = '${code}'`);
    const shown = await m1.gcos.requests.show(code);
    expect(shown).toMatchObject({ standing: 'pending', hostStatus: 'approved', approvals: 0 });
    expect(shown.decisions).toHaveLength(3);
    for (const each of shown.decisions)
      expect(each).toMatchObject({ counts: false, remark: 'not made through GCOS', verified: null });
    await expect(required(code)).rejects.toMatchObject({ code: 'request_not_approved' });
    // The person confirms the row in their name; then, and only then, it counts, once.
    await host(`update approval_requests set status = 'pending' where code = '${code}'`);
    expect((await c1.gcos.requests.approve(code)).approvals).toBe(1);
    await expect(c1.gcos.requests.approve(code)).rejects.toMatchObject({ code: 'decision_repeated' });
  });

  it('a row that says the opposite is in the way, and is reported', async () => {
    const { m1, m2 } = everybody();
    const code = await open(m1);
    await insert(code, 'member-2', 'member', 'reject');
    expect(await m1.gcos.requests.show(code)).toMatchObject({ standing: 'pending', rejections: 0 });
    await expect(m2.gcos.requests.approve(code)).rejects.toMatchObject({
      code: 'decision_conflict',
      exit: 2,
    });
  });

  it('an edit of a decision takes it out of the count', async () => {
    const { c1, c2, m1, m2 } = everybody();
    const code = await open(m1);
    for (const each of [president, c1, c2]) await each.gcos.requests.approve(code);
    await required(code);
    await host(
      `update apr_approvals set approver = 'council-9' where approver = 'council-2' and apr_id = (select id from approval_requests where code = '${code}')`,
    );
    expect(await m1.gcos.requests.show(code)).toMatchObject({
      standing: 'pending',
      decisions: expect.arrayContaining([
        expect.objectContaining({
          person: 'council-2',
          counts: false,
          remark: "the host's row does not say the same",
        }),
      ]),
    });
    await expect(required(code)).rejects.toMatchObject({ code: 'request_not_approved' });
    // Nor does turning a member into a president make a quorum.
    const medium = await open(m1, MEDIUM);
    await m2.gcos.requests.approve(medium);
    await host(`update apr_approvals set approver_type = 'president' where apr_id = (select id from approval_requests where code = '${medium}');
      update approval_requests set status = 'approved' where code = '${medium}'`);
    await expect(required(medium, MEDIUM)).rejects.toMatchObject({ code: 'request_not_approved' });
  });

  it('an edit of the request makes every decision void', async () => {
    const { m1, m2 } = everybody();
    const code = await open(m1, LOW, { fix: 'one row' });
    await m2.gcos.requests.approve(code);
    expect((await required(code, LOW)).proposedAction).toEqual({ fix: 'one row' });
    await host(`update approval_requests set proposed_action = '{"fix": "all rows"}' where code = '${code}'`);
    await expect(required(code, LOW)).rejects.toMatchObject({
      code: 'request_not_approved',
      message: expect.stringContaining('changed in the host'),
    });
    const other = await open(m1, LOW);
    await host(`update approval_requests set proposer = 'somebody' where code = '${other}'`);
    await expect(m2.gcos.requests.approve(other)).rejects.toMatchObject({ code: 'request_altered', exit: 2 });
    await expect(m1.gcos.requests.approve(other)).rejects.toMatchObject({ code: 'request_altered' });
  });

  it("requests opened elsewhere are not GCOS's to decide", async () => {
    const { c1, m1 } = everybody();
    await expect(c1.gcos.requests.approve('APR-0049')).rejects.toMatchObject({
      code: 'request_foreign',
      exit: 3,
    });
    await expect(c1.gcos.requests.show('APR-0049')).rejects.toMatchObject({ code: 'request_foreign' });
    await host(`insert into approval_requests (code, action_code, status, proposed_action, proposer)
      values ('APR-30000', '${LOW}', 'approved', '{}', 'member-2')`);
    await expect(m1.gcos.requests.approve('APR-30000')).rejects.toMatchObject({ code: 'request_foreign' });
    await expect(required('APR-30000', LOW)).rejects.toMatchObject({ code: 'request_not_approved' });
    expect(await m1.gcos.requests.show('APR-30000')).toMatchObject({
      standing: 'foreign',
      hostStatus: 'approved',
    });
  });
});

describe('requireApproved', () => {
  it('is about exactly what was requested', async () => {
    const { m1, m2 } = everybody();
    const code = await open(m1, LOW, { object: 'A-1' });
    await m2.gcos.requests.approve(code);
    const isAbout = (object: string) => (proposed: unknown) =>
      (proposed as { object: string }).object === object;
    expect(await required(code, LOW, isAbout('A-1'))).toMatchObject({ code, action: LOW });
    await expect(required(code, LOW, isAbout('A-2'))).rejects.toMatchObject({
      code: 'request_mismatch',
      exit: 2,
    });
    await expect(required(code, HIGH)).rejects.toMatchObject({ code: 'request_mismatch' });
    await expect(required('APR-99999', LOW)).rejects.toMatchObject({ code: 'request_unknown', exit: 3 });
  });
});

describe('what was witnessed', () => {
  it('stays as it was, for the worker, the api, the people and the DBA', async () => {
    const { c1 } = everybody();
    const urls = [
      (await people.login('works', 'gcos_worker')).url,
      (await people.login('serves')).url,
      c1.url,
    ];
    const changes = ['governance_decision', 'governance_request'].flatMap((table) => [
      `update ${table} set verified = true`,
      `delete from ${table}`,
      `truncate ${table} cascade`,
    ]);
    for (const url of urls)
      for (const text of [
        ...changes,
        `insert into governance_decision (request_code, person_ref, approver_type, decision, login, verified, decided_at, approval_id)
         select request_code, 'x', 'president', 'approve', 'x', true, now(), 1 from governance_request limit 1`,
        "insert into apr_approvals (apr_id, approver, approver_type, decision) values (1, 'x', 'president', 'approve')",
        "update approval_requests set status = 'approved'",
        'alter table governance_decision disable trigger all',
        "select gcos_lock_request('APR-0061')",
      ])
        await expect(asHost(url, text), text).rejects.toMatchObject({ code: '42501' });
    for (const text of changes) await expect(host(text), text).rejects.toMatchObject({ code: '23001' });
  });

  it('is written by functions that take no word for who acts, nor an older snapshot', async () => {
    const { c1, m1 } = everybody();
    const code = await open(m1);
    const rows = await asHost(
      c1.url,
      `select outcome, person_ref, verified from gcos_decide('${code}', 'approve', null, null)`,
    );
    expect(rows).toEqual([{ outcome: 'ok', person_ref: 'council-1', verified: true }]);
    await expect(asHost(c1.url, `select gcos_decide('${code}', 'annul', null, null)`)).rejects.toMatchObject({
      code: '22023',
    });
    await expect(
      asHost(
        c1.url,
        `begin isolation level repeatable read; select gcos_withdraw_request('${code}', null, null)`,
      ),
    ).rejects.toMatchObject({ code: '25000' });
  });
});

describe('listing', () => {
  it('newest first, in pages, filtered', async () => {
    const { m1 } = everybody();
    const all = await m1.gcos.requests.list({ limit: 1_000 });
    expect(all.length).toBeGreaterThan(30);
    expect(all.every((each) => each.action.startsWith('gcos.'))).toBe(true);
    const paged: string[] = [];
    for (let after: string | undefined; ; after = paged.at(-1)) {
      const page = await m1.gcos.requests.list({ limit: 7, ...(after === undefined ? {} : { after }) });
      if (page.length === 0) break;
      paged.push(...page.map((each) => each.code));
    }
    expect(paged).toEqual(all.map((each) => each.code));
    const rejected = await m1.gcos.requests.list({ limit: 1_000, status: 'withdrawn' });
    expect(new Set(rejected.map((each) => each.standing))).toEqual(new Set(['withdrawn']));
    await expect(m1.gcos.requests.list({ limit: 7, after: 'APR-99999' })).rejects.toMatchObject({
      code: 'request_unknown',
    });
    await expect(m1.gcos.requests.show('APR-99999')).rejects.toMatchObject({ code: 'request_unknown' });
  });
});

describe('a host without approvals', () => {
  it('says so, and works once they are added', async () => {
    const bare = await createDatabase();
    const nothing = await openAt(bare.url);
    await expect(nothing.requests.list()).rejects.toMatchObject({ code: 'schema_not_installed', exit: 4 });
    await nothing.close();
    await bare.close();
    const other = await createEstate('host');
    try {
      await asHost(other.url, 'drop table apr_approvals, approval_requests, apr_action_types');
      const before = await other.gcos.dumpSchema();
      await other.gcos.init();
      const { requests } = other.gcos;
      for (const verb of [
        () => requests.list(),
        () => requests.open(LOW, {}),
        () => requests.approve('APR-0001'),
        () => requests.withdraw('APR-0001'),
      ])
        await expect(verb()).rejects.toMatchObject({
          code: 'approvals_unavailable',
          exit: 4,
          help: expect.stringContaining('gcos init --with approvals'),
        });
      await other.gcos.init({ with: ['approvals'] });
      await asHost(
        other.url,
        "insert into governance_actor values ('dba', session_user, 'president', true, true)",
      );
      expect(await requests.open(LOW, {})).toMatchObject({ code: 'APR-0001', standing: 'pending' });
      await asHost(other.url, 'alter table approval_requests drop column decided_at');
      await expect(requests.list()).rejects.toMatchObject({
        code: 'approvals_unavailable',
        message: expect.stringContaining('approval_requests.decided_at'),
        help: expect.stringContaining('gcos doctor'),
      });
      await other.gcos.uninstall({ purge: true, dropRows: true });
      expect(await other.gcos.dumpSchema()).toBe(before);
    } finally {
      await other.close();
    }
  });

  it('survives words and types that differ: enums, varchar, json', async () => {
    const other = await createEstate('host');
    try {
      await asHost(
        other.url,
        `create type request_status as enum ('pending', 'approved', 'rejected', 'withdrawn', 'applied');
         create type voice as enum ('approve', 'reject');
         alter table approval_requests drop constraint approval_requests_status_known, alter status drop default;
         drop index approval_requests_open_idx;
         alter table approval_requests alter status type request_status using status::request_status,
           alter proposed_action type json using proposed_action::json, alter code type varchar(20), alter proposer type varchar(60);
         alter table apr_approvals drop constraint apr_approvals_decision_known;
         alter table apr_approvals alter decision type voice using decision::voice, alter approver type varchar(60)`,
      );
      await other.gcos.init();
      await asHost(
        other.url,
        `insert into governance_actor values ('dba', session_user, 'member', true, true), ('other', null, 'president', false, true);
         update governance_setting set setting_value = 'true' where setting_key = 'approval.accept_unverified'`,
      );
      const { code } = await other.gcos.requests.open(MEDIUM, { b: 1, a: 2 });
      expect(await other.gcos.requests.approve(code, { as: 'other' })).toMatchObject({
        standing: 'approved',
        hostStatus: 'approved',
      });
      const again = await other.gcos.requests.open(MEDIUM, {});
      expect(await other.gcos.requests.reject(again.code, { as: 'other', reason: 'x' })).toMatchObject({
        hostStatus: 'rejected',
      });
    } finally {
      await other.close();
    }
  });
});

describe('uninstall', () => {
  it('leaves requests as history, which a new installation neither believes nor deletes', async () => {
    const own = await createEstate('installed');
    const db = openDatabase(own.url);
    const counts = async () =>
      (
        await asHost(
          own.url,
          `select (select count(*)::int from approval_requests) as requests, (select count(*)::int from apr_approvals) as approvals,
             (select count(*)::int from apr_action_types) as types`,
        )
      )[0];
    try {
      const before = await counts();
      await asHost(
        own.url,
        `insert into governance_actor values ('dba', session_user, 'member', true, true), ('other', null, 'member', false, true);
         update governance_setting set setting_value = 'true' where setting_key = 'approval.accept_unverified'`,
      );
      const { code } = await own.gcos.requests.open(LOW, {});
      await own.gcos.requests.approve(code, { as: 'other' });
      const after = await counts();
      expect(after).not.toEqual(before);
      await own.gcos.uninstall();
      expect(await counts()).toEqual(after);
      await own.gcos.init();
      // What an earlier installation witnessed is gone with it: nothing is believed on the host's word.
      await expect(
        db.transaction(READ, (tx) => requireApproved(tx, code, { action: LOW, matches: () => true })),
      ).rejects.toMatchObject({ code: 'request_not_approved' });
      // Nor is anything deleted that this installation did not write itself.
      await own.gcos.uninstall({ purge: true });
      expect(await counts()).toEqual(after);
    } finally {
      await db.close();
      await own.close();
    }
  });

  it('--purge takes exactly what GCOS wrote, and nothing that only looks like it', async () => {
    const own = await createEstate('installed');
    const rows = async () =>
      asHost(
        own.url,
        'select code as name from approval_requests union all select action_code from apr_action_types order by 1',
      );
    try {
      await asHost(
        own.url,
        `insert into apr_action_types (action_code, risk) values ('gcos.hosts_own', 'low');
         insert into approval_requests (code, action_code, status, proposed_action, proposer)
         values ('APR-7777', 'gcos.hosts_own', 'pending', '{}', 'somebody');
         insert into governance_actor values ('dba', session_user, 'member', true, true), ('other', null, 'member', false, true)
         on conflict do nothing;
         update governance_setting set setting_value = 'true' where setting_key = 'approval.accept_unverified'`,
      );
      const before = await rows();
      const { code } = await own.gcos.requests.open(LOW, {});
      await own.gcos.requests.approve(code, { as: 'other' });
      expect(await rows()).not.toEqual(before);
      await own.gcos.uninstall({ purge: true });
      expect(await rows()).toEqual(before);
    } finally {
      await own.close();
    }
  });
});
