// Approvals and the host: rows that the host writes do not count as decisions; hosts without approval tables;
// rows that remain after an uninstall.
import { describe, expect, it } from 'vitest';
import {
  allPeople,
  host,
  LOW,
  MEDIUM,
  open,
  people,
  president,
  shown,
  useCouncil,
} from '../support/council.js';
import { asHost, createDatabase } from '../support/database.js';
import { createEstate, openAt } from '../support/estate.js';

useCouncil();

describe('rows written by the host', () => {
  const insert = (code: string, approver: string, type: string, decision = 'approve') =>
    host(`insert into apr_approvals (apr_id, approver, approver_type, decision)
      select id, '${approver}', '${type}', '${decision}' from approval_requests where code = '${code}'`);

  it('does not count a direct insert into apr_approvals', async () => {
    const { c1, m1 } = allPeople();
    const code = await open(m1);
    await insert(code, 'president', 'president');
    await insert(code, 'council-1', 'council');
    await insert(code, 'council-2', 'council');
    await host(`update approval_requests set status = 'approved' where code = '${code}'`);
    const found = await m1.gcos.requests.show(code);
    expect(found).toMatchObject({ status: 'pending', hostStatus: 'approved', approvals: 0 });
    expect(found.decisions).toHaveLength(3);
    for (const each of found.decisions)
      expect(each).toMatchObject({ counts: false, remark: 'not made through GCOS', verified: null });
    // The row counts, once, only after the person has approved through GCOS.
    await host(`update approval_requests set status = 'pending' where code = '${code}'`);
    expect((await c1.gcos.requests.approve(code)).approvals).toBe(1);
    await expect(c1.gcos.requests.approve(code)).rejects.toMatchObject({ code: 'decision_repeated' });
  });

  it('refuses a decision that contradicts a row of the host', async () => {
    const { m1, m2 } = allPeople();
    const code = await open(m1);
    await insert(code, 'member-2', 'member', 'reject');
    expect(await m1.gcos.requests.show(code)).toMatchObject({ status: 'pending', rejections: 0 });
    await expect(m2.gcos.requests.approve(code)).rejects.toMatchObject({
      code: 'decision_conflict',
      exit: 2,
    });
  });

  it('no longer counts a decision whose host row was edited', async () => {
    const { c1, c2, m1, m2 } = allPeople();
    const code = await open(m1);
    for (const each of [president, c1, c2]) await each.gcos.requests.approve(code);
    expect(await shown(code)).toMatchObject({ status: 'approved', hostStatus: 'approved' });
    await host(
      `update apr_approvals set approver = 'council-9' where approver = 'council-2' and apr_id = (select id from approval_requests where code = '${code}')`,
    );
    expect(await m1.gcos.requests.show(code)).toMatchObject({
      status: 'pending',
      decisions: expect.arrayContaining([
        expect.objectContaining({
          person: 'council-2',
          counts: false,
          remark: "differs from the host's row",
        }),
      ]),
    });
    // Changing a member into a president does not complete a quorum either.
    const medium = await open(m1, MEDIUM);
    await m2.gcos.requests.approve(medium);
    await host(`update apr_approvals set approver_type = 'president' where apr_id = (select id from approval_requests where code = '${medium}');
      update approval_requests set status = 'approved' where code = '${medium}'`);
    expect(await shown(medium)).toMatchObject({ status: 'pending', missing: ['one president'] });
  });

  it('voids all decisions when the request is edited', async () => {
    const { m1, m2 } = allPeople();
    const code = await open(m1, LOW, { fix: 'one row' });
    await m2.gcos.requests.approve(code);
    expect(await shown(code)).toMatchObject({ status: 'approved', proposedAction: { fix: 'one row' } });
    await host(`update approval_requests set proposed_action = '{"fix": "all rows"}' where code = '${code}'`);
    expect(await shown(code)).toMatchObject({ status: 'altered', hostStatus: 'approved' });
    const other = await open(m1, LOW);
    await host(`update approval_requests set proposer = 'another-person' where code = '${other}'`);
    await expect(m2.gcos.requests.approve(other)).rejects.toMatchObject({ code: 'request_altered', exit: 2 });
    await expect(m1.gcos.requests.approve(other)).rejects.toMatchObject({ code: 'request_altered' });
  });

  it('refuses to decide requests that were not opened through GCOS', async () => {
    const { c1, m1 } = allPeople();
    // The first request for an action adds its type to apr_action_types.
    await open(m1, LOW);
    await expect(c1.gcos.requests.approve('APR-0049')).rejects.toMatchObject({
      code: 'request_foreign',
      exit: 3,
    });
    await expect(c1.gcos.requests.show('APR-0049')).rejects.toMatchObject({ code: 'request_foreign' });
    await host(`insert into approval_requests (code, action_code, status, proposed_action, proposer)
      values ('APR-30000', '${LOW}', 'approved', '{}', 'member-2')`);
    await expect(m1.gcos.requests.approve('APR-30000')).rejects.toMatchObject({ code: 'request_foreign' });
    expect(await m1.gcos.requests.show('APR-30000')).toMatchObject({
      status: 'foreign',
      hostStatus: 'approved',
    });
  });
});

describe('recorded decisions', () => {
  it('cannot be changed by a worker, an api login, a person or the DBA', async () => {
    const { c1, m1 } = allPeople();
    await c1.gcos.requests.approve(await open(m1));
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

  it('are written by functions that take the actor from the login and refuse an older snapshot', async () => {
    const { c1, m1 } = allPeople();
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

describe('a host without approvals', () => {
  it('reports approvals_unavailable, and works once the tables are added', async () => {
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
      expect(await requests.open(LOW, {})).toMatchObject({ code: 'APR-0001', status: 'pending' });
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

  it('works with columns of type enum, varchar and json', async () => {
    const other = await createEstate('host');
    try {
      await asHost(
        other.url,
        `create type request_status as enum ('pending', 'approved', 'rejected', 'withdrawn', 'applied');
         create type vote as enum ('approve', 'reject');
         alter table approval_requests drop constraint approval_requests_status_known, alter status drop default;
         drop index approval_requests_open_idx;
         alter table approval_requests alter status type request_status using status::request_status,
           alter proposed_action type json using proposed_action::json, alter code type varchar(20), alter proposer type varchar(60);
         alter table apr_approvals drop constraint apr_approvals_decision_known;
         alter table apr_approvals alter decision type vote using decision::vote, alter approver type varchar(60)`,
      );
      await other.gcos.init();
      await asHost(
        other.url,
        `insert into governance_actor values ('dba', session_user, 'member', true, true), ('other', null, 'president', false, true);
         update governance_setting set setting_value = 'true' where setting_key = 'approval.accept_unverified'`,
      );
      const { code } = await other.gcos.requests.open(MEDIUM, { b: 1, a: 2 });
      expect(await other.gcos.requests.approve(code, { as: 'other' })).toMatchObject({
        status: 'approved',
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
  it('keeps requests as history, which a new installation neither trusts nor deletes', async () => {
    const own = await createEstate('installed');
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
      // The records of the earlier installation are gone, and the host's rows alone are not trusted.
      expect(await own.gcos.requests.show(code)).toMatchObject({
        status: 'foreign',
        hostStatus: 'approved',
      });
      // This installation deletes only rows that it wrote itself.
      await own.gcos.uninstall({ purge: true });
      expect(await counts()).toEqual(after);
    } finally {
      await own.close();
    }
  });

  it('deletes with --purge exactly the rows that GCOS wrote, and no similar rows', async () => {
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
         values ('APR-7777', 'gcos.hosts_own', 'pending', '{}', 'host-user');
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
