// Attacks on break-glass passes with psql, by members of gcos_api: a registered person, and a login that no
// person has. A pass has an approval of its own, is used up when it ends, and what a decision relied on stays
// on record.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Pass } from '../../src/index.js';
import { runCli } from '../support/cli.js';
import { resetClock, setClock } from '../support/clock.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { createPeople, type People, type Person } from '../support/people.js';

const CODE = 'DOT-117';
const CHECK = `gcos_gate_check(array['dot_tools'], array['${CODE}'], array[null]::text[], array['prod'], array['execute'])`;

describe('an attack on break-glass passes', () => {
  let estate: Estate;
  let people: People;
  let member: Person;
  let president: Person;
  let stranger: string;
  const sql = (text: string) => asHost(estate.url, text);
  const outcome = async (url: string, call: string) =>
    (await asHost(url, `select outcome from ${call}`))[0]?.['outcome'];
  const pass = async (code: string) => (await estate.gcos.breakGlass.list({ code }))[0] as Pass;
  const answer = async () => (await asHost(member.url, `select answer, pass_code from ${CHECK}`))[0];
  const openPass = async () => {
    const requested = await member.gcos.breakGlass.request(
      { subject: { kind: 'object', collection: 'dot_tools', code: CODE }, stage: 'prod', action: 'execute' },
      { reason: 'the payments are down' },
    );
    await president.gcos.requests.approve(requested.pass.approvalRef);
    return requested.pass;
  };
  const deleteApproval = (ref: string) =>
    sql(`delete from apr_approvals where apr_id = (select id from approval_requests where code = '${ref}')`);
  beforeEach(async () => {
    estate = await createEstate('scanned');
    people = createPeople(estate.url);
    member = await people.person('on-call', 'member');
    president = await people.person('chief', 'president');
    stranger = (await people.login('stranger')).url;
  });
  afterEach(async () => {
    await people.close();
    await estate.close();
  });

  it('cannot name the approval, the container or the time of a pass', async () => {
    const { approvalRef } = await openPass();
    for (const url of [member.url, stranger]) {
      for (const call of [
        `gcos_open_break_glass('dot_tools', 'DOT-118', null, 'any container', 'prod', 'execute', 15, 'x', '${approvalRef}', null, now())`,
        `gcos_close_break_glass('GBG-0001', null, now() - interval '1 day')`,
        `gcos_close_break_glass('GBG-0001', null, now() + interval '1 day')`,
      ])
        await expect(outcome(url, call)).rejects.toThrow(/does not exist/);
      for (const call of ['gcos_sync_break_glass()', `gcos_rely_on_passes(array['GBG-0001'], now())`])
        await expect(asHost(url, `select ${call}`)).rejects.toThrow(/permission denied/);
    }
    const open = (args: string) => `gcos_open_break_glass(${args})`;
    expect(
      await outcome(stranger, open(`'dot_tools', 'DOT-118', null, 'prod', 'execute', 15, 'x', null`)),
    ).toBe('login_unknown');
    for (const [args, expected] of [
      [`'dot_tools', 'DOT-118', null, 'prod', 'execute', 61, 'x', null`, 'too_long'],
      [`'dot_tools', 'DOT-118', null, 'prod', 'execute', null, 'x', null`, 'too_long'],
      [`'dot_tools', 'DOT-118', null, 'prod', 'execute', 15, ' ', null`, 'reason_missing'],
      [`'dot_tools', 'no such tool', null, 'prod', 'execute', 15, 'x', null`, 'subject_unknown'],
      [`'dot_tools', null, null, 'prod', 'execute', 15, 'x', null`, 'subject_unknown'],
      [`null, null, 'no such group', 'prod', 'execute', 15, 'x', null`, 'subject_unknown'],
    ] as const)
      expect(await outcome(member.url, open(args))).toBe(expected);
    expect(
      await outcome(member.url, open(`'dot_tools', 'DOT-118', null, 'prod', 'execute', 15, 'x', null`)),
    ).toBe('ok');
    // The pass and its request have the same terms, and its container is that of the object.
    const [derived] = await sql(
      `select p.approval_ref <> '${approvalRef}' as own, w.proposed_action -> 'break_glass' = gcos_break_glass_terms(p.collection_name,
         p.entity_code, p.inventory_key, p.stage, p.action, p.minutes) as same, p.container_key = o.inventory_key as container
       from governance_break_glass p join governance_request w on w.request_code = p.approval_ref
       join governance_candidate_object o on o.collection_name = p.collection_name and o.entity_code = p.entity_code and o.row_state = 'active'
       where p.entity_code = 'DOT-118' limit 1`,
    );
    expect(derived).toEqual({ own: true, same: true, container: true });
    await expect(sql(`update governance_break_glass set approval_ref = '${approvalRef}'`)).rejects.toThrow(
      /governance_break_glass_one_approval/,
    );
  });

  it('cannot reopen a pass that was closed, or use one that is over', async () => {
    const closed = await openPass();
    expect(await answer()).toEqual({ answer: 'allow', pass_code: closed.code });
    expect(await outcome(stranger, `gcos_close_break_glass('${closed.code}', null)`)).toBe('login_unknown');
    expect(await outcome(member.url, `gcos_close_break_glass('${closed.code}', null)`)).toBe('ok');
    expect(await answer()).toMatchObject({ answer: 'block', pass_code: null });
    expect(await outcome(member.url, `gcos_close_break_glass('${closed.code}', null)`)).toBe('not_open');
    expect(await pass(closed.code)).toMatchObject({ status: 'closed' });
    const over = await openPass();
    expect(await answer()).toEqual({ answer: 'allow', pass_code: over.code });
    await setClock(estate.url, { ahead: '16 minutes' });
    expect(await answer()).toMatchObject({ answer: 'block', pass_code: null });
    for (const url of [member.url, stranger])
      await expect(
        asHost(url, `select answer from ${CHECK.replace(/\)$/, ", now(), '{resolved}')")}`),
      ).rejects.toThrow(/does not exist/);
    expect(await outcome(member.url, `gcos_close_break_glass('${over.code}', null)`)).toBe('not_open');
    expect(await pass(over.code)).toMatchObject({ status: 'over' });
    await resetClock(estate.url);
  });

  it('cannot unsay a pass that a decision relied on, by deleting or changing its approval', async () => {
    const used = await openPass();
    expect(await answer()).toEqual({ answer: 'allow', pass_code: used.code });
    const { beganAt, endsAt } = await pass(used.code);
    await deleteApproval(used.approvalRef);
    // It was in force; it is no longer.
    expect(await pass(used.code)).toMatchObject({ status: 'lapsed', beganAt, endsAt });
    expect(await answer()).toMatchObject({ answer: 'block', pass_code: null });
    await sql(`update approval_requests set status = 'rejected' where code = '${used.approvalRef}'`);
    expect(await pass(used.code)).toMatchObject({ status: 'lapsed', beganAt });
    await sql(`delete from approval_requests where code = '${used.approvalRef}'`);
    expect(await pass(used.code)).toMatchObject({ status: 'lapsed', beganAt });
    const { stdout } = await runCli(['gate', 'break-glass', '--list'], { env: { DATABASE_URL: estate.url } });
    expect(stdout).toMatch(/lapsed.*was in force from .*its approval no longer stands/);
    expect(stdout).not.toMatch(/never in force/);
    // Its finding is raised nevertheless.
    await estate.gcos.supervise();
    expect(
      await sql(
        `select status from system_issues where issue_type = 'gate_break_glass' and entity_code = '${CODE}' and source_system = 'gcos'`,
      ),
    ).toEqual([{ status: 'open' }]);
    await setClock(estate.url, { ahead: '20 minutes' });
    expect(await pass(used.code)).toMatchObject({ status: 'over', beganAt, endsAt });
    await resetClock(estate.url);
  });

  it('gives back nothing for a pass on which nothing relied: without its approval it never was', async () => {
    const unused = await openPass();
    await deleteApproval(unused.approvalRef);
    expect(await pass(unused.code)).toMatchObject({ status: 'waiting', beganAt: null });
    expect(await answer()).toMatchObject({ answer: 'block', pass_code: null });
  });
});
