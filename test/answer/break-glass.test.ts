// Break-glass passes: they need two people with two logins, are valid for minutes after the approval, and
// raise a finding that stays open until the subject is evaluated again after the end of the pass.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { syncBreakGlass } from '../../src/answer/break-glass/index.js';
import type { Gcos, PassRequest, RequestedPass } from '../../src/index.js';
import { resetClock, setClock } from '../support/clock.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { createPeople, type People, type Person } from '../support/people.js';
import { putRulesIntoForce } from '../support/ruleset-in-force.js';

let estate: Estate;
let people: People;
let requester: Person;
let approver: Person;
const host = (text: string) => asHost(estate.url, text);
const request = (code: string, more: Partial<PassRequest> = {}): PassRequest => ({
  subject: { kind: 'object', collection: 'dot_tools', code },
  stage: 'prod',
  action: 'execute',
  ...more,
});
const requestPass = (gcos: Gcos, terms: PassRequest, more: { readonly as?: string } = {}) =>
  gcos.breakGlass.request(terms, { reason: 'the payments are down', ...more });
const approve = ({ pass }: RequestedPass, by: Person = approver) =>
  by.gcos.requests.approve(pass.approvalRef);
const status = async (code: string, at?: string) =>
  (await estate.gcos.breakGlass.list({ code, ...(at === undefined ? {} : { at }) }))[0];
const inForce = async (at: string) =>
  (await host(`select pass_code from governance_break_glass_in_force('${at}') order by 1`)).map(
    (row) => row['pass_code'],
  );
const time = async (sql: string) => String((await host(`select (${sql})::text as t`))[0]?.['t']);
const finding = async (code: string) =>
  (
    await host(
      `select status, coalesce(reopen_count, 0) as reopened from system_issues
       where issue_type = 'gate_break_glass' and entity_code = '${code}' and source_system = 'gcos'`,
    )
  ).map((row) => `${row['status']} ${row['reopened']}`);
const audits = async () =>
  Number(
    (
      await host(
        `select count(*)::int as n from registry_changelog where entity_type = 'governance_gate' and action = 'break_glass'`,
      )
    )[0]?.['n'],
  );
const scan = () => estate.gcos.scans.run({ mode: 'incremental' });
/** Synchronises the findings at a given time of the server, and rolls back. */
const syncAt = async (at: string) => {
  await setClock(estate.url, { at });
  const done = await estate.db.rehearse({ isolation: 'read committed' }, (tx) =>
    syncBreakGlass(tx, { runId: 'later', at }),
  );
  await resetClock(estate.url);
  return done;
};

beforeEach(async () => {
  estate = await createEstate('backfilled');
  people = createPeople(estate.url);
  requester = await people.person('on-call', 'member');
  approver = await people.person('chief', 'president');
});
afterEach(async () => {
  await people.close();
  await estate.close();
});

describe('a break-glass pass', () => {
  it('needs two logins: one login with two names cannot approve its own request, even in a demo estate', async () => {
    const requested = await requestPass(estate.gcos, request('DOT-141'), { as: 'member-1' });
    const { approvalRef, code } = requested.pass;
    for (const as of ['president', 'council-1', 'operator', 'member-1'])
      await expect(estate.gcos.requests.approve(approvalRef, { as })).rejects.toMatchObject({
        code: 'decision_by_proposer',
      });
    expect(await status(code)).toMatchObject({ status: 'waiting', beganAt: null });
    // An approval accepted while the rule was off does not count once the rule is on again.
    const twoLogins = async (value: string) => {
      await host(
        `update governance_setting set setting_value = '${value}' where setting_key = 'approval.two_logins'`,
      );
      await putRulesIntoForce(estate.gcos);
    };
    await twoLogins('[]');
    await estate.gcos.requests.approve(approvalRef, { as: 'president' });
    expect(await status(code)).toMatchObject({ status: 'in_force' });
    await twoLogins('["gcos.gate.break_glass"]');
    expect(await status(code)).toMatchObject({ status: 'waiting' });
    expect(await inForce(await time('now()'))).toEqual([]);
    expect((await estate.gcos.requests.show(approvalRef)).decisions).toMatchObject([
      { counts: false, remark: 'by the proposer' },
    ]);
    // A decision row or a status written directly into the host's tables does not count either.
    const other = await requestPass(requester.gcos, request('DOT-140'));
    await host(`insert into apr_approvals (apr_id, approver, approver_type, decision, decided_at)
      select id, 'chief', 'president', 'approve', now() from approval_requests where code = '${other.pass.approvalRef}';
      update approval_requests set status = 'approved' where code = '${other.pass.approvalRef}'`);
    expect(await status(other.pass.code)).toMatchObject({ status: 'waiting' });
    await expect(requester.gcos.requests.approve(other.pass.approvalRef)).rejects.toThrow();
  });

  it('is in force from the approval until its time has passed, with exactly the approved terms', async () => {
    const requested = await requestPass(requester.gcos, request('DOT-142'));
    expect(requested).toMatchObject({ opened: true, pass: { status: 'waiting', minutes: 15 } });
    expect((await requestPass(requester.gcos, request('DOT-142'))).opened).toBe(false);
    expect(await inForce(await time('now()'))).toEqual([]);
    await approve(requested);
    const { code, beganAt, endsAt } = (await status(requested.pass.code)) ?? {};
    expect(await time(`'${endsAt}'::timestamptz - '${beganAt}'::timestamptz`)).toBe('00:15:00');
    const versions = () => host('select xmin::text, ctid::text from governance_break_glass order by pass_id');
    const before = await versions();
    expect(await inForce(await time(`'${beganAt}'::timestamptz - interval '1 microsecond'`))).toEqual([]);
    expect(await inForce(String(beganAt))).toEqual([code]);
    expect(await inForce(await time(`'${endsAt}'::timestamptz - interval '1 microsecond'`))).toEqual([code]);
    expect(await inForce(String(endsAt))).toEqual([]);
    expect(await versions()).toEqual(before);
    const row = `select collection_name, entity_code, inventory_key, stage, action from governance_break_glass_in_force(now())`;
    expect(await host(row)).toEqual([
      {
        collection_name: 'dot_tools',
        entity_code: 'DOT-142',
        inventory_key: null,
        stage: 'prod',
        action: 'execute',
      },
    ]);
    // Terms that no approver approved.
    await host(`update governance_break_glass set minutes = 600 where pass_code = '${code}'`);
    expect(await status(String(code))).toMatchObject({ status: 'unratified' });
    await host(`update governance_break_glass set minutes = 15 where pass_code = '${code}'`);
    expect(await status(String(code))).toMatchObject({ status: 'in_force' });
  });

  it('is refused after a late approval, and for an invalid duration, a missing reason or an unknown subject', async () => {
    await setClock(estate.url, { ahead: '-61 minutes' });
    const early = await requestPass(requester.gcos, request('DOT-143'));
    await resetClock(estate.url);
    expect(await status(early.pass.code)).toMatchObject({ status: 'late' });
    await approve(early);
    expect(await status(early.pass.code)).toMatchObject({ status: 'late', beganAt: null });
    for (const minutes of [0, 61, 1.5])
      await expect(requestPass(requester.gcos, request('DOT-143', { minutes }))).rejects.toMatchObject({
        code: 'break_glass_invalid',
      });
    await expect(
      requester.gcos.breakGlass.request(request('DOT-143'), { reason: ' ' }),
    ).rejects.toMatchObject({
      code: 'break_glass_invalid',
    });
    await expect(requestPass(requester.gcos, request('no-such-tool'))).rejects.toMatchObject({
      code: 'break_glass_subject_unknown',
    });
    const refused = await requestPass(requester.gcos, request('DOT-143'));
    await approver.gcos.requests.reject(refused.pass.approvalRef, { reason: 'it can wait' });
    expect(await status(refused.pass.code)).toMatchObject({ status: 'refused' });
    await expect(requester.gcos.breakGlass.close(refused.pass.code)).rejects.toMatchObject({
      code: 'break_glass_not_open',
    });
    await expect(asHost(requester.url, `update governance_break_glass set minutes = 60`)).rejects.toThrow(
      /permission denied/,
    );
  });

  it('raises a finding until the subject is evaluated after the end of the pass; a second pass reopens it', async () => {
    const first = await requestPass(requester.gcos, request('DOT-142'));
    await approve(first);
    const { code } = first.pass;
    const { endsAt } = (await status(code)) ?? {};
    await estate.gcos.supervise();
    await estate.gcos.supervise();
    expect(await finding('DOT-142')).toEqual(['open 0']);
    expect(await audits()).toBe(1);
    // Neither an evaluation during the pass nor the end of the pass resolves the finding.
    await host(
      `update governance_candidate_object set dirty = true, dirty_reason = 'test', dirtied_at = now() where entity_code = 'DOT-142'`,
    );
    await scan();
    expect(await finding('DOT-142')).toEqual(['open 0']);
    expect((await syncAt(await time(`'${endsAt}'::timestamptz + interval '1 minute'`))).resolved).toEqual([]);
    await approver.gcos.breakGlass.close(code);
    expect(await status(code)).toMatchObject({ status: 'closed' });
    await estate.gcos.supervise();
    expect(await finding('DOT-142')).toEqual(['open 0']);
    // The end of the pass marks its subject dirty, so the next scan evaluates it before its verdict expires.
    expect(
      await host(
        `select distinct dirty_reason from governance_candidate_object where entity_code = 'DOT-142' and dirty`,
      ),
    ).toEqual([{ dirty_reason: `break_glass:${code} ended` }]);
    await scan();
    expect(await finding('DOT-142')).toEqual(['resolved 0']);
    expect((await status(code))?.verifiedAt).not.toBeNull();
    // The finding stays resolved: a verdict that expires later does not reopen it.
    expect((await syncAt(await time(`now() + interval '30 days'`))).reopened).toEqual([]);
    const again = await requestPass(requester.gcos, request('DOT-142', { minutes: 5 }));
    await approve(again);
    await scan();
    expect(await finding('DOT-142')).toEqual(['open 1']);
    expect(await audits()).toBe(2);
  });

  it('covers a whole group, and is verified when all of the group is evaluated', async () => {
    const [{ key } = { key: '' }] = (await host(
      `select group_key as key from governance_group g join governance_inventory i using (inventory_key)
       where i.source_registry = 'venues' order by 1 limit 1`,
    )) as { key: string }[];
    const requested = await requestPass(
      requester.gcos,
      request('', { subject: { kind: 'group', inventoryKey: key } }),
    );
    expect(requested.pass.subject).toMatchObject({ kind: 'group' });
    await approve(requested);
    await requester.gcos.breakGlass.close(requested.pass.code);
    await scan();
    expect(await status(requested.pass.code)).toMatchObject({ status: 'closed' });
    expect((await status(requested.pass.code))?.verifiedAt).not.toBeNull();
  });
});
