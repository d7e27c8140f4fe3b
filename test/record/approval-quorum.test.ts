// Which decisions count: the quorum, one vote per person, unverified identities. People are real logins.
import { describe, expect, it } from 'vitest';
import {
  acceptUnverified,
  allPeople,
  host,
  LOW,
  MEDIUM,
  open,
  people,
  president,
  shown,
  statusOf,
  useCouncil,
  written,
} from '../support/council.js';

useCouncil();

describe('the quorum', () => {
  it('needs one president and two council members for high risk, in any order, and lists who is missing', async () => {
    const { c1, c2, c3, m1, m2 } = allPeople();
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
    expect(await shown(code)).toMatchObject({ status: 'pending', missing: ['one more council member'] });
    expect(await c2.gcos.requests.approve(code, { reason: 'looks right' })).toMatchObject({
      status: 'approved',
      hostStatus: 'approved',
      missing: [],
      approvals: 4,
    });
    await expect(c3.gcos.requests.approve(code)).rejects.toMatchObject({ code: 'request_closed', exit: 2 });
    await expect(m1.gcos.requests.withdraw(code)).rejects.toMatchObject({ code: 'request_closed' });
    expect(await shown(code)).toMatchObject({ code, status: 'approved', hostStatus: 'approved' });
    const [row] = await host(
      `select decided_at is not null as decided from approval_requests where code = '${code}'`,
    );
    expect(row).toEqual({ decided: true });
  });

  it('needs a president for medium risk, and any person but the proposer for low risk', async () => {
    const { c1, c2, m1, m2 } = allPeople();
    const medium = await open(m1, MEDIUM);
    await c1.gcos.requests.approve(medium);
    await c2.gcos.requests.approve(medium);
    expect(await m2.gcos.requests.approve(medium)).toMatchObject({
      status: 'pending',
      missing: ['one president'],
    });
    expect(await president.gcos.requests.approve(medium)).toMatchObject({ status: 'approved' });
    const low = await open(m1, LOW);
    expect((await m1.gcos.requests.show(low)).missing).toEqual([
      'one approval, by any person who may decide',
    ]);
    expect(await m2.gcos.requests.approve(low)).toMatchObject({ status: 'approved' });
  });

  it('closes a request at its first rejection, which needs a reason', async () => {
    const { c1, c2, m1, m2 } = allPeople();
    const code = await open(m1);
    await president.gcos.requests.approve(code);
    await c1.gcos.requests.approve(code);
    for (const reason of ['', '  '])
      await expect(m2.gcos.requests.reject(code, { reason })).rejects.toMatchObject({
        code: 'request_invalid',
        exit: 3,
      });
    expect(await m2.gcos.requests.reject(code, { reason: ' no way back ' })).toMatchObject({
      status: 'rejected',
      hostStatus: 'rejected',
      decisions: expect.arrayContaining([
        expect.objectContaining({ person: 'member-2', decision: 'reject', reason: 'no way back' }),
      ]),
    });
    await expect(c2.gcos.requests.approve(code)).rejects.toMatchObject({ code: 'request_closed' });
    // The host cannot reopen it: the rejection is recorded.
    await host(`delete from apr_approvals where decision = 'reject' and apr_id = (select id from approval_requests where code = '${code}');
      update approval_requests set status = 'pending' where code = '${code}'`);
    await expect(c2.gcos.requests.approve(code)).rejects.toMatchObject({ code: 'request_closed' });
    await host(`update approval_requests set status = 'approved' where code = '${code}'`);
    expect(await shown(code)).toMatchObject({ status: 'rejected', hostStatus: 'approved' });
  });

  it('lets only the proposer withdraw a request, and accepts no decision afterwards', async () => {
    const { m1, m2, c1 } = allPeople();
    const code = await open(m1);
    await expect(m2.gcos.requests.withdraw(code)).rejects.toMatchObject({
      code: 'withdraw_by_other',
      exit: 2,
    });
    expect(await m1.gcos.requests.withdraw(code, { reason: 'replaced by a better request' })).toMatchObject({
      status: 'withdrawn',
      hostStatus: 'withdrawn',
    });
    await expect(c1.gcos.requests.approve(code)).rejects.toMatchObject({ code: 'request_closed' });
    expect(await shown(code)).toMatchObject({ status: 'withdrawn' });
  });

  it('shows the result in a dry run and writes nothing', async () => {
    const { m1, m2 } = allPeople();
    const code = await open(m1, LOW);
    const before = await written();
    expect(await m2.gcos.requests.approve(code, { dryRun: true })).toMatchObject({ status: 'approved' });
    expect(await m1.gcos.requests.withdraw(code, { dryRun: true })).toMatchObject({ status: 'withdrawn' });
    expect(await m1.gcos.requests.open(LOW, {}, { dryRun: true })).toMatchObject({ status: 'pending' });
    expect(await written()).toEqual(before);
    expect(await statusOf(code)).toBe('pending');
  });
});

describe('one vote per person', () => {
  it('refuses --as to a login without that right', async () => {
    const { c1, m1 } = allPeople();
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

  it('refuses --as to a login with that right while unverified identities do not count', async () => {
    const { m1, clerk } = allPeople();
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
    // A refused impersonation does not use up the person's vote.
    await president.gcos.requests.approve(code);
  });

  it('counts unverified decisions only while the setting allows it, and always marks them', async () => {
    const { m1, clerk } = allPeople();
    const code = await open(m1);
    await acceptUnverified(true);
    try {
      for (const as of ['president', 'council-1']) await clerk.gcos.requests.approve(code, { as });
      const done = await clerk.gcos.requests.approve(code, { as: 'council-2' });
      expect(done).toMatchObject({ status: 'approved', hostStatus: 'approved' });
      expect(done.decisions.map((each) => [each.person, each.verified, each.login])).toEqual([
        ['president', false, clerk.login],
        ['council-1', false, clerk.login],
        ['council-2', false, clerk.login],
      ]);
      expect(await shown(code)).toMatchObject({ status: 'approved', hostStatus: 'approved' });
    } finally {
      await acceptUnverified(false);
    }
    expect(await m1.gcos.requests.show(code)).toMatchObject({
      status: 'pending',
      hostStatus: 'approved',
      decisions: [1, 2, 3].map(() => ({ counts: false, remark: 'unverified identity' })),
    });
    await host(
      `update governance_setting set setting_value = '"yes"' where setting_key = 'approval.accept_unverified'`,
    );
    expect(await shown(code)).toMatchObject({ status: 'pending', hostStatus: 'approved' });
  });

  it('counts one person with two logins once', async () => {
    const { c1, m1 } = allPeople();
    const code = await open(m1);
    await c1.gcos.requests.approve(code);
    const second = await people.login('second');
    // INVARIANT: a login belongs to one person, and a person has one login at a time.
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

  it('refuses the approval of the proposer, and of the login that opened the request under another name', async () => {
    const { c1, clerk } = allPeople();
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
    // The clerk may withdraw a request it opened itself, but no other request.
    const { code: other } = await c1.gcos.requests.open(LOW, {});
    await expect(clerk.gcos.requests.withdraw(other, { as: 'council-1' })).rejects.toMatchObject({
      code: 'identity_unverified',
    });
    expect(await clerk.gcos.requests.withdraw(code, { as: 'council-1' })).toMatchObject({
      status: 'withdrawn',
    });
  });
});
