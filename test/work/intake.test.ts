// A change in the host marks exactly the groups it concerns: a test for every line of the invalidation rules.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { evidence, some } from '../support/evidence.js';
import { createIntake, type IntakeEstate, type Mark } from '../support/intake.js';
import { putRulesIntoForce } from '../support/ruleset-in-force.js';

const SCOPES = ['approval', 'audit', 'execution', 'health', 'policy', 'render'];

describe('seed 40 §40.10 test 4, targeted invalidation by the intake', () => {
  let h: IntakeEstate;
  /** The groups that match `where`, in `scopes`. */
  const groups = async (where: string, scopes: readonly string[] = SCOPES): Promise<Mark[]> =>
    (await h.host(
      `select i.source_registry as registry, g.scope, '' as reason
       from governance_group g join governance_inventory i using (inventory_key)
       where (${where}) and g.scope in (${scopes.map((each) => `'${each}'`).join(', ')}) order by 1, 2`,
    )) as unknown as Mark[];
  const expectMarks = async (where: string, reason: string, scopes?: readonly string[]) => {
    const expected = (await groups(where, scopes)).map((each) => ({ ...each, reason }));
    expect(expected.length).toBeGreaterThan(0);
    expect(await h.marks()).toEqual(expected);
    evidence(`${reason}: ${some(expected.length, 'group')}`);
  };
  beforeEach(async () => {
    h = await createIntake();
  });
  afterEach(() => h.close());

  it('a round without changes writes only its cursors', async () => {
    const digest = async () =>
      h.host(
        [
          'governance_candidate_state',
          'governance_candidate_object',
          'governance_group',
          'governance_inventory',
        ]
          .map(
            (t) =>
              `select '${t}' as t, md5(string_agg(x.r, '|' order by x.r)) as d from (select r::text || r.xmin::text as r from ${t} r) x`,
          )
          .concat(
            [
              'system_issues',
              'registry_changelog',
              'event_pending',
              'event_outbox',
              'gov_intake_registry',
              'gov_intake_log_seen',
            ].map((t) => `select '${t}', count(*)::text || coalesce(max(xmin::text::bigint), 0) from ${t}`),
          )
          .join(' union all ')
          .concat(' order by 1'),
      );
    await h.once();
    const before = await digest();
    const run = await h.once();
    expect(run).toMatchObject({ births: 0, lines: 0, registryRows: 0, own: 0, setAside: 0, rebased: [] });
    expect(await digest()).toEqual(before);
  });

  it('line 1, an object is born: marks its group in every scope, and no other', async () => {
    await h.host(`insert into birth_registry (entity_code, collection_name, species_code, composition_level, dot_origin, governance_role, status)
      select 'HAND-1', 'orders', species_code, composition_level, dot_origin, governance_role, 'born' from birth_registry where collection_name = 'orders' and status = 'born' limit 1`);
    const run = await h.once();
    expect(run.applied.byKind).toEqual({ object_born: 1 });
    await expectMarks(`i.source_registry = 'orders' and i.lifecycle_status = 'born'`, 'handoff:object_born');
  });

  it('line 1, an object is registered: marks the group of the object', async () => {
    const [tool] = await h.host(
      `select entity_code from birth_registry where collection_name = 'dot_tools' order by id limit 1`,
    );
    await h.host(`insert into registry_changelog (entity_type, entity_code, action, changed_by)
      values ((select entity_type from meta_catalog where registry_collection = 'dot_tools' limit 1), '${tool?.['entity_code']}', 'register', 'DOT-001')`);
    const run = await h.once();
    expect(run.applied.byKind).toEqual({ object_registered: 1 });
    await expectMarks(
      `i.inventory_key = (select inventory_key from governance_candidate_object where collection_name = 'dot_tools' and entity_code = '${tool?.['entity_code']}' and row_state <> 'superseded' limit 1)`,
      'handoff:object_registered',
    );
  });

  it('line 1, an object is retired in place: marks its current and its former group', async () => {
    await h.host(
      `update birth_registry set status = 'retired' where id = (select min(id) from birth_registry where collection_name = 'payments' and status = 'born')`,
    );
    const run = await h.once();
    expect(Object.keys(run.applied.byKind).sort()).toEqual(['count_changed', 'object_retired']);
    const marks = await h.marks();
    expect(new Set(marks.map((each) => each.registry))).toEqual(new Set(['payments']));
    expect(new Set(marks.map((each) => each.reason))).toEqual(
      new Set(['handoff:object_retired', 'handoff:count_changed']),
    );
    await expect(
      groups(`i.source_registry = 'payments' and i.lifecycle_status in ('born', 'retired')`),
    ).resolves.toHaveLength(marks.length);
  });

  it('line 1, the decision about a collection changes: marks all groups of the collection', async () => {
    await h.host(
      `update collection_registry set coverage_scope_status = 'FUTURE_SCOPE' where collection_name = 'orders'`,
    );
    const run = await h.once();
    expect(run.applied.byKind).toEqual({ collection_changed: 1 });
    await expectMarks(`i.source_registry = 'orders'`, 'handoff:collection_changed');
  });

  it('line 1, an unmapped action: counts as a change of the source', async () => {
    const [unit] = await h.host(
      `select entity_code from birth_registry where collection_name = 'information_unit' and status = 'born' order by id limit 1`,
    );
    await h.host(`insert into event_outbox (event_domain, event_type, event_stream, delivery_lane, event_subject_table, event_subject_ref, canonical_address, actor_ref, source_system)
      values ('iu', 'teleported', 'update', 'immediate', 'information_unit', '${unit?.['entity_code']}', 'x', 'router', 'platform'),
        ('iu', 'commented', 'update', 'immediate', 'information_unit', '${unit?.['entity_code']}', 'x', 'router', 'platform')`);
    const run = await h.once();
    expect(run.lines).toBe(2);
    expect(run.applied).toMatchObject({ byKind: { source_changed: 1 }, without: 1 });
    const marks = await h.marks();
    expect(marks).toHaveLength(SCOPES.length);
    for (const each of marks)
      expect(each).toMatchObject({ registry: 'information_unit', reason: 'handoff:source_changed' });
  });

  it('line 2, an axis comes into force: the activation marks the groups of its class, and the intake writes a signal for each', async () => {
    const [axis] = await h.host(
      `select a.axis_code, a.object_class from axis_registry a join governance_inventory i using (object_class, axis_family) order by 1 limit 1`,
    );
    await h.host(
      `update axis_registry set axis_family = 'a_new_family' where axis_code = '${axis?.['axis_code']}'`,
    );
    // The edit alone reaches nothing.
    expect((await h.once()).applied.byKind).toEqual({});
    expect(await h.marks()).toEqual([]);
    await putRulesIntoForce(h.estate.gcos);
    await expectMarks(`i.object_class = '${axis?.['object_class']}'`, 'ruleset_bump');
    const run = await h.once();
    expect(run.applied.byKind).toMatchObject({ axis_introduced: 1, ruleset_changed: 1 });
  });

  it('line 3, the text of a law changes: marks the groups that it governs', async () => {
    const [law] = await h.host(
      `select r.rule_code as code, min(r.scope) as scope from governance_rule_reach r join normative_registry n on n.law_code = r.rule_code
       where r.rule_kind = 'law' group by 1
       having bool_and(r.scope is not null and r.axis_family is null and r.source_registry is null) and count(*) = 1 order by 1 limit 1`,
    );
    await h.host(`update normative_registry set title = title || '!' where law_code = '${law?.['code']}'`);
    const run = await h.once();
    expect(run.applied.byKind['policy_changed']).toBe(1);
    await expectMarks('true', 'policy', [String(law?.['scope'])]);
  });

  it('line 4, the owner of an axis changes: marks the groups of its family', async () => {
    const [axis] = await h.host(
      `select a.axis_code, a.axis_family from axis_registry a join governance_inventory i using (axis_family) order by 1 limit 1`,
    );
    await h.host(
      `update axis_registry set owner_gov_code = 'GOV-DOT' || coalesce(owner_gov_code, '') where axis_code = '${axis?.['axis_code']}'`,
    );
    const run = await h.once();
    expect(run.applied.byKind['authority_changed']).toBe(1);
    // An axis may also be a member of a registry; then its own group is marked for that reason.
    const marks = (await h.marks()).filter((each) => each.reason === 'authority');
    expect(marks).toEqual(
      (await groups(`i.axis_family = '${axis?.['axis_family']}'`)).map((each) => ({
        ...each,
        reason: 'authority',
      })),
    );
  });

  it('line 4, an owner changes: marks the groups of the subject in that scope, under the new owner', async () => {
    await h.host(`update governance_object_ownership set owner_gov_code = 'GOV-TEST'
      where object_type = 'collection' and object_ref = 'orders' and scope = 'audit' and lifecycle_status = 'active'`);
    const run = await h.once();
    expect(run.applied.byKind['authority_changed']).toBeGreaterThan(0);
    await expectMarks(`i.source_registry = 'orders'`, 'authority', ['audit']);
    const owners = await h.host(
      `select distinct c.owner_scope from governance_candidate_state c join governance_inventory i using (inventory_key)
       where i.source_registry = 'orders' and c.scope = 'audit' and c.row_state <> 'superseded'`,
    );
    expect(owners).toEqual([{ owner_scope: 'GOV-TEST' }]);
  });

  it('line 4, an approval is given: marks the groups that refer to it, in the scopes that require one', async () => {
    const [request] = await h.host(
      `insert into approval_requests (code, action_code, proposed_action, proposer)
       values ('APR-9100', (select min(action_code) from apr_action_types), '{}', 'someone') returning code`,
    );
    await h.host(`update dot_tools set approval_ref = '${request?.['code']}' where dot_code = 'DOT-117'`);
    await h.once();
    await h.catchUp();
    await h.host(
      `update approval_requests set status = 'approved', decided_at = now() where code = 'APR-9100'`,
    );
    const run = await h.once();
    expect(run.applied.byKind).toEqual({ authority_changed: 1 });
    const marks = await h.marks();
    expect(marks.length).toBeGreaterThan(0);
    expect(marks.length).toBeLessThan(SCOPES.length);
    for (const each of marks) expect(each).toMatchObject({ registry: 'dot_tools', reason: 'authority' });
  });

  it('line 4, an exception changes: marks the groups of its subject, in its scope', async () => {
    await h.host(`update exception_registry set expires_at = '2027-06-30' where exception_code = 'EXC-001'`);
    const run = await h.once();
    expect(run.applied.byKind).toMatchObject({ authority_changed: 1 });
    await expectMarks(`i.source_registry = 'contracts'`, 'authority', ['execution']);
  });

  it('line 6, a snapshot differs from the one before it: marks the groups that differ', async () => {
    await h.estate.gcos.snapshots.capture({ kind: 'scan' });
    await h.once();
    await h.catchUp();
    await h.host(
      `delete from birth_registry where id = (select max(id) from birth_registry where collection_name = 'articles' and status = 'born')`,
    );
    await h.once();
    // The tail notices a deletion by the number of births; the snapshot notices it as well.
    await expectMarks(
      `i.source_registry = 'articles' and i.lifecycle_status = 'born'`,
      'handoff:count_changed',
    );
    await h.catchUp();
    await h.estate.gcos.snapshots.capture({ kind: 'scan' });
    const run = await h.once();
    expect(run.applied.byKind).toEqual({ count_changed: 1 });
    await expectMarks(`i.source_registry = 'articles' and i.lifecycle_status = 'born'`, 'snapshot_drift');
  });

  it('line 7, time passes: marks nothing, and exactly the expired verdicts read as stale', async () => {
    const [row] = await h.host(
      `update governance_candidate_state set stale_after = now() + interval '1 hour'
       where row_id = (select min(row_id) from governance_candidate_state where row_state = 'active') returning row_id`,
    );
    await h.once();
    expect(await h.marks()).toEqual([]);
    const stale = async (at: string) =>
      h.host(
        `select row_id from governance_validity(${at}) where reason = 'expired' and row_id = ${row?.['row_id']}`,
      );
    expect(await stale('now()')).toHaveLength(0);
    expect(await stale(`now() + interval '61 minutes'`)).toHaveLength(1);
    const others = await h.host(
      `select count(*)::int as n from governance_validity(now() + interval '61 minutes') v
       left join governance_validity(now()) w using (row_id) where v.reason = 'expired' and w.reason is distinct from 'expired'`,
    );
    expect(others).toEqual([{ n: 1 }]);
  });

  it('line 8, an input is corrected: marks the group of the object', async () => {
    await h.host(`insert into birth_registry (entity_code, collection_name, species_code, composition_level, dot_origin, governance_role, status, born_at)
      select 'FIX-1', 'orders', species_code, composition_level, dot_origin, governance_role, 'born', '2999-01-01' from birth_registry where collection_name = 'orders' and status = 'born' limit 1`);
    await h.once();
    expect(
      await h.host(
        `select distinct candidate_verdict from governance_candidate_object where entity_code = 'FIX-1' and row_state = 'active'`,
      ),
    ).toEqual([{ candidate_verdict: 'needs_input' }]);
    await h.catchUp();
    await h.host(`update birth_registry set born_at = now() where entity_code = 'FIX-1'`);
    await h.once();
    const marks = await h.marks();
    expect(marks.filter((each) => each.reason === 'input_correction')).toHaveLength(SCOPES.length);
    expect(new Set(marks.map((each) => each.registry))).toEqual(new Set(['orders']));
    expect(
      await h.host(
        `select input_quality_state from governance_candidate_object where entity_code = 'FIX-1' and row_state = 'active'`,
      ),
    ).toEqual([]);
  });

  it('line 5, another ruleset becomes active: the activation marks the groups it reaches, and the intake writes a signal for each', async () => {
    await h.host(
      `update coverage_profile set ttl = ttl + interval '1 second' where class_pattern = (select min(class_pattern) from coverage_profile)`,
    );
    await h.once();
    await h.catchUp();
    const { code, plan } = await h.estate.gcos.plans.propose({ as: 'member-1' });
    for (const as of ['president', 'council-1', 'council-2'])
      await h.estate.gcos.requests.approve(code, { as });
    await h.estate.gcos.plans.activate(plan.to, code, { as: 'operator' });
    const bumped = await h.marks();
    expect(new Set(bumped.map((each) => each.reason))).toEqual(new Set(['ruleset_bump']));
    const run = await h.once();
    expect(run.applied.byKind).toEqual({ policy_changed: 1, ruleset_changed: 1 });
    // By scope, for both kinds.
    expect(run.applied.signals.held + run.applied.signals.emitted).toBe(2 * bumped.length);
    expect(await h.marks()).toEqual(bumped);
  });
});
