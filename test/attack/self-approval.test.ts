// The approval policy of a small team, and what a member with psql cannot do with it: approve their own
// request where the policy, the action or the risk forbids it, loosen a request that is open, or invent
// approvers. Each person logs in for real.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { carryAtOnce } from '../support/carry-pace.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { runHere } from '../support/in-process.js';
import { createPeople, type People, type Person } from '../support/people.js';
import { approvedRequest, createQuorum, PLAN_HASH, type Quorum } from '../support/ruleset.js';

const ACTIVATE = 'gcos.ruleset.activate';
const SMALL = { approvals: 1, self_approval: true };
const DAY_MS = 86_400_000;

describe('a policy that accepts the approval of the proposer', () => {
  let estate: Estate;
  let people: People;
  let quorum: Quorum;
  let dev: Person;
  const host = (text: string) => asHost(estate.url, text);
  const setPolicy = (policy: unknown) =>
    host(
      `update governance_setting set setting_value = '${JSON.stringify(policy)}' where setting_key = 'approval.policy'`,
    );
  const active = async () =>
    String(
      (await host("select ruleset_version as v from governance_ruleset where status = 'active'"))[0]?.['v'],
    );
  const draft = async () => (await estate.gcos.rulesets.draft()).version;
  /** Puts the rules in the tables into force with the council. */
  async function byCouncil(): Promise<string> {
    const version = await draft();
    const code = await approvedRequest(quorum, version, await active());
    expect(await activate(quorum.proposer, version, code)).toBe('ok');
    return version;
  }
  async function activate(who: Person, version: string, code: string): Promise<unknown> {
    const [row] = await asHost(
      who.url,
      `select outcome from gcos_activate_ruleset('${version}', '${code}', null)`,
    );
    return row?.['outcome'];
  }
  const decide = async (who: Person, code: string, decision = 'approve') =>
    (await asHost(who.url, `select outcome from gcos_decide('${code}', '${decision}', 'mine', null)`))[0]?.[
      'outcome'
    ];
  const propose = async (version: string, who = dev) =>
    (
      await who.gcos.requests.open(ACTIVATE, {
        ruleset_version: version,
        plan_hash: PLAN_HASH,
        supersedes: await active(),
      })
    ).code;
  const useSmall = async () => {
    await setPolicy(SMALL);
    return byCouncil();
  };
  const limit = (days: number) =>
    host(
      `update governance_setting set setting_value = '{"longest_days": ${days}}' where setting_key = 'exception.limits'`,
    );
  const ofRisk = async (risk: string) => {
    const [row] = await host(
      `select i.source_registry as collection, i.object_class as class, c.scope
       from governance_candidate_state c join governance_inventory i on i.inventory_key = c.inventory_key
       where c.row_state = 'active' and c.candidate_verdict = 'relevant' and c.risk_class = '${risk}' and c.evidence ->> 'profile' is not null
         and not exists (select from governance_candidate_state o join governance_inventory j on j.inventory_key = o.inventory_key
           where j.source_registry = i.source_registry and o.row_state = 'active' and o.risk_class is distinct from '${risk}')
       order by 1, 3 limit 1`,
    );
    return row as { collection: string; class: string; scope: string };
  };
  const requestException = async (risk: string) => {
    const { collection, scope } = await ofRisk(risk);
    return dev.gcos.exceptions.openRequest(
      {
        subject: { kind: 'collection', collection },
        scope,
        expiresAt: new Date(Date.now() + 30 * DAY_MS).toISOString(),
      },
      { reason: 'later' },
    );
  };

  beforeEach(async () => {
    estate = await createEstate('scanned');
    await carryAtOnce(estate.url);
    people = createPeople(estate.url);
    await host("delete from governance_actor where person_ref in ('president-1', 'council-1', 'council-2')");
    quorum = await createQuorum(people);
    dev = await people.person('dev', 'member');
  });
  afterEach(async () => {
    await people?.close();
    await estate?.close();
  });

  it('comes into force only with an approval under the policy before it, and counts for no open request', async () => {
    const before = await propose(await draft());
    await setPolicy(SMALL);
    const version = await draft();
    const loosening = await propose(version);
    // The tables have the new policy, the rules in force do not.
    for (const code of [before, loosening]) expect(await decide(dev, code)).toBe('decision_by_proposer');
    expect(await activate(dev, version, loosening)).toBe('not_approved');
    for (const { gcos } of quorum.approvers) await gcos.requests.approve(loosening);
    expect(await activate(dev, version, loosening)).toBe('ok');
    // A request that was opened under the council keeps its quorum.
    expect(await decide(dev, before)).toBe('self_approval_refused');
    expect((await dev.gcos.requests.show(before)).missing).toEqual([
      'one approval, by any person who may decide',
      'one president',
      'two council members',
    ]);
  });

  it('lets one person put a change of rules into force, which every view of the ruleset shows', async () => {
    await useSmall();
    const before = await estate.gcos.rulesets.show('active');
    expect(before.selfApproved).toBe(false);
    await limit(7);
    const version = await draft();
    const code = await propose(version);
    expect(await dev.gcos.requests.show(code)).toMatchObject({ status: 'pending', selfApproved: false });
    expect(await decide(dev, code)).toBe('ok');
    expect(await dev.gcos.requests.show(code)).toMatchObject({
      status: 'approved',
      selfApproved: true,
      decisions: [{ person: 'dev', counts: true, byProposer: true }],
    });
    expect(await activate(dev, version, code)).toBe('ok');
    expect(await estate.gcos.rulesets.show('active')).toMatchObject({ version, selfApproved: true });
    expect((await estate.gcos.rulesets.list())[0]).toMatchObject({ version, selfApproved: true });
    expect((await estate.gcos.status()).ruleset).toMatchObject({ active: version, selfApproved: true });
    expect((await estate.gcos.explanations.object('dot_tools', 'DOT-117')).rulesetSelfApproved).toBe(true);
    const [row] = await host(
      `select alert_detail::jsonb ->> 'self_approved' as self from registry_changelog
       where entity_type = 'governance_ruleset' and entity_code = '${version}' and action = 'activate'`,
    );
    expect(row).toEqual({ self: 'true' });
    expect(
      await host(
        `select payload ->> 'self_approved' as self from gcos_log where kind = 'ruleset.activated' and subject = '${version}'`,
      ),
    ).toEqual([{ self: 'true' }]);
    const shown = async (...args: string[]) => (await runHere(args, { DATABASE_URL: estate.url })).stdout;
    expect(await shown('ruleset', 'show', 'active')).toMatch(/activated .*, self-approved/);
    expect(await shown('ruleset', 'list')).toContain('self-approved');
    expect(await shown('status')).toContain(`ruleset ${version} in force (self-approved)`);
    expect(await shown('explain', 'dot_tools', 'DOT-117')).toContain('the ruleset in force is self-approved');
    expect(await shown('request', 'show', code)).toContain('counts: self-approved');
  });

  it('never lets one person change what concerns risk write_high', async () => {
    const council = await active();
    await useSmall();
    const changes = [
      [
        `update coverage_profile set ttl = ttl + interval '1 day' where class_pattern = 'dot_tool'`,
        `update coverage_profile set ttl = ttl - interval '1 day' where class_pattern = 'dot_tool'`,
      ],
      [
        `update coverage_profile set risk_class = 'read' where class_pattern = 'dot_tool'`,
        `update coverage_profile set risk_class = 'write_high' where class_pattern = 'dot_tool'`,
      ],
      [
        `update coverage_profile set status = 'retired' where class_pattern = 'dot_tool'`,
        `update coverage_profile set status = 'active' where class_pattern = 'dot_tool'`,
      ],
      // A profile for a pattern that takes the class over.
      [
        `insert into coverage_profile (profile_code, class_pattern, risk_class, ttl, class_0, inherits, required_links, status)
         select 'narrow', 'dot_too%', 'read', ttl, false, false, '{}', 'active' from coverage_profile where class_pattern = 'dot_tool'`,
        `delete from coverage_profile where profile_code = 'narrow'`,
      ],
      // Nothing has this class yet.
      [
        `insert into coverage_profile (profile_code, class_pattern, risk_class, ttl, class_0, inherits, required_links, status)
         select 'future', 'no_class_yet', 'write_high', ttl, false, false, '{}', 'active' from coverage_profile where class_pattern = 'dot_tool'`,
        `delete from coverage_profile where profile_code = 'future'`,
      ],
      [
        `update governance_responsibility_scope set status = 'retired' where scope_code = 'approval'`,
        `update governance_responsibility_scope set status = 'active' where scope_code = 'approval'`,
      ],
      [
        `update governance_setting set setting_value = '[]' where setting_key = 'approval.two_logins'`,
        `update governance_setting set setting_value = '["gcos.gate.break_glass"]' where setting_key = 'approval.two_logins'`,
      ],
      [
        `update governance_setting set setting_value = setting_value || '{"prod": "observe"}' where setting_key = 'gate.mode'`,
        `update governance_setting set setting_value = setting_value || '{"prod": "enforce"}' where setting_key = 'gate.mode'`,
      ],
    ];
    for (const [change = '', undo = ''] of changes) {
      await host(change);
      const code = await propose(await draft());
      expect(await decide(dev, code), change).toBe('self_approval_refused');
      await host(undo);
    }
    // A request that names no predecessor, or another one, changes nothing in force.
    await host(changes[1]?.[0] ?? '');
    const version = await draft();
    for (const supersedes of [null, council]) {
      const { code } = await dev.gcos.requests.open(ACTIVATE, {
        ruleset_version: version,
        plan_hash: PLAN_HASH,
        supersedes,
      });
      await decide(dev, code);
      expect(await activate(dev, version, code)).not.toBe('ok');
    }
    await host(changes[1]?.[1] ?? '');
    expect((await estate.gcos.rulesets.seeDrift()).drifted).toBe(false);
    await limit(9);
    // Another person can approve it.
    const last = await propose(await draft());
    expect(await decide(quorum.proposer, last)).toBe('ok');
    expect(await dev.gcos.requests.show(last)).toMatchObject({ status: 'approved', selfApproved: false });
  });

  it('lets one person except a gap, but not of risk write_high, and never break the glass or remediate', async () => {
    await useSmall();
    expect(await decide(dev, await requestException('write_high'))).toBe('self_approval_refused');
    const remedy = (await dev.gcos.requests.open('gcos.remediation.propose', { what: 'x' })).code;
    expect(await decide(dev, remedy)).toBe('self_approval_refused');
    const subject = { kind: 'object', collection: 'dot_tools', code: 'DOT-117' } as const;
    const { pass } = await dev.gcos.breakGlass.request(
      { subject, stage: 'prod', action: 'execute', minutes: 5 },
      { reason: 'now' },
    );
    const approvalRef = pass.approvalRef ?? '';
    expect(await decide(dev, approvalRef)).toBe('decision_by_login');
    // Neither if the rules take the second login away.
    await host(
      `update governance_setting set setting_value = '[]' where setting_key = 'approval.two_logins'`,
    );
    await byCouncil2();
    expect(await decide(dev, approvalRef)).toBe('self_approval_refused');
    const low = await requestException('read');
    expect(await decide(dev, low, 'reject')).toBe('self_approval_refused');
    expect(await decide(dev, low)).toBe('ok');
    expect(await dev.gcos.requests.show(low)).toMatchObject({ status: 'approved', selfApproved: true });
    // Under the council again, what the proposer approved alone no longer stands.
    await setPolicy({ quorum: { low: { any: 1 }, medium: { any: 1 }, high: { any: 2 } } });
    await byCouncil2();
    expect(await dev.gcos.requests.show(low)).toMatchObject({
      status: 'pending',
      decisions: [{ counts: false, remark: 'by the proposer' }],
    });
  });

  /** Under the small policy one other person is enough. */
  async function byCouncil2(): Promise<void> {
    const version = await draft();
    const code = await propose(version);
    expect(await decide(quorum.proposer, code)).toBe('ok');
    expect(await activate(dev, version, code)).toBe('ok');
  }

  it('passes no request without an approval, whatever form the setting has', async () => {
    for (const policy of [
      {},
      null,
      7,
      'x',
      [],
      { approvals: 0, self_approval: true },
      { approvals: -1, self_approval: true },
      { approvals: 0.5, self_approval: true },
      { approvals: '1', self_approval: true },
      { approvals: null, self_approval: true },
      { quorum: {} },
      { quorum: { low: {}, medium: {}, high: {} } },
      { quorum: { high: { council: [1] } } },
      { quorum: { high: { council: 0 } } },
      { quorum: { high: { council: 1, president: 0 } } },
      { quorum: [] },
    ]) {
      const [row] = await host(
        `select gcos_trust.gcos_quorum('${JSON.stringify(policy)}', 'high') = '{"president": 1, "council": 2}' as strict`,
      );
      expect(row, JSON.stringify(policy)).toEqual({ strict: true });
    }
    expect(await host('select gcos_trust.gcos_quorum(null, null) as q')).toEqual([
      { q: { president: 1, council: 2 } },
    ]);
    await setPolicy({ approvals: 0, self_approval: true });
    await byCouncil();
    const code = await propose(await draft());
    expect((await dev.gcos.requests.show(code)).missing).toEqual(['one president', 'two council members']);
  });

  it('counts kinds of approver that are rows, and only a DBA adds one', async () => {
    for (const text of [
      "insert into governance_approver_kind values ('mine', 'mine')",
      "update governance_approver_kind set title = 'x'",
      "update governance_actor set approver_type = 'president' where person_ref = 'dev'",
      'update governance_request set policy = null',
    ])
      await expect(asHost(dev.url, text), text).rejects.toMatchObject({ code: '42501' });
    await expect(
      host("update governance_actor set approver_type = 'security' where person_ref = 'dev'"),
    ).rejects.toMatchObject({ code: '23503' });
    await host("insert into governance_approver_kind values ('security', 'security officer')");
    await setPolicy({ quorum: { low: { any: 1 }, medium: { security: 1 }, high: { security: 2, any: 3 } } });
    await byCouncil();
    const officers = [await people.person('sec-1', 'security'), await people.person('sec-2', 'security')];
    const code = await propose(await draft());
    expect((await dev.gcos.requests.show(code)).missing).toEqual([
      'two security officers',
      'three approvals, by any person who may decide',
    ]);
    expect(await decide(dev, code)).toBe('decision_by_proposer');
    for (const officer of officers) expect(await decide(officer, code)).toBe('ok');
    expect(await dev.gcos.requests.show(code)).toMatchObject({
      status: 'pending',
      missing: ['one more approval, by any person who may decide'],
    });
    expect(await decide(quorum.proposer, code)).toBe('ok');
    expect(await dev.gcos.requests.show(code)).toMatchObject({ status: 'approved', selfApproved: false });
    const [at] = await host(
      `select a.approved_at = max(d.decided_at) as last from gcos_trust.gcos_request_approved_at(array['${code}']) a
       join governance_decision d on d.request_code = a.request_code group by a.approved_at`,
    );
    expect(at).toEqual({ last: true });
  });
});
