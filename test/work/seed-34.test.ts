// Seed 34 §4, from the change in the host to the end of the scan: each trigger marks only the groups it
// names, and a scan evaluates only those. More marks at once than is plausible are a storm.
import { describe, expect, it } from 'vitest';
import { evidence, some } from '../support/evidence.js';
import {
  bear,
  estate,
  host,
  intake,
  marks,
  number,
  others,
  scan,
  useReconciled,
} from '../support/reconciled.js';
import { keepRulesInForce } from '../support/ruleset-in-force.js';

useReconciled();

interface Trigger {
  readonly name: string;
  readonly change: string;
  /** What is marked: the registry, the scopes (all by default) and the reason. */
  readonly registry: string;
  readonly scopes?: readonly string[];
  readonly reason: RegExp;
  readonly undo?: string;
}
const TRIGGERS: readonly Trigger[] = [
  {
    name: 'seed 34 §4 trigger 1, an object is born',
    change: `insert into birth_registry (entity_code, collection_name, species_code, composition_level, dot_origin, governance_role, status)
      select 'S34-1', collection_name, species_code, composition_level, dot_origin, governance_role, status from birth_registry where collection_name = 'orders' and status = 'born' limit 1`,
    registry: 'orders',
    reason: /^handoff:object_born$/,
  },
  {
    name: 'seed 34 §4 trigger 1, an object is retired',
    change: `update birth_registry set status = 'retired' where id = (select min(id) from birth_registry where collection_name = 'pages' and status = 'born')`,
    registry: 'pages',
    reason: /^handoff:(object_retired|count_changed)$/,
  },
  {
    name: 'seed 34 §4 trigger 1, the decision about a collection changes',
    change: `update collection_registry set coverage_scope_status = 'FUTURE_SCOPE' where collection_name = 'orders'`,
    registry: 'orders',
    reason: /^handoff:collection_changed$/,
    undo: `update collection_registry set coverage_scope_status = 'IN_SCOPE' where collection_name = 'orders'`,
  },
  {
    name: 'seed 34 §4 trigger 4, an owner changes',
    change: `update governance_object_ownership set owner_gov_code = 'GOV-DOT' where object_type = 'collection' and object_ref = 'orders' and scope = 'audit' and lifecycle_status = 'active'`,
    registry: 'orders',
    scopes: ['audit'],
    reason: /^authority$/,
  },
  {
    name: 'seed 34 §4 trigger 4, an exception changes',
    change: `update exception_registry set expires_at = '2027-06-30' where exception_code = 'EXC-001'`,
    registry: 'contracts',
    scopes: ['execution'],
    reason: /^authority$/,
  },
  {
    name: 'seed 34 §4 trigger 4, an approval is given',
    change: `insert into approval_requests (code, action_code, proposed_action, proposer, status, decided_at)
        values ('APR-9100', (select min(action_code) from apr_action_types), '{}', 'someone', 'approved', now());
      update dot_tools set approval_ref = 'APR-9100' where dot_code = 'DOT-117'`,
    registry: 'dot_tools',
    reason: /^(handoff:member_changed|authority)$/,
    undo: `update dot_tools set approval_ref = null where dot_code = 'DOT-117'`,
  },
  {
    name: 'seed 34 §4 trigger 1, an object is run by another tool',
    change: `update birth_registry set dot_origin = 'DOT-001' where id = (select min(id) from birth_registry where collection_name = 'publishing_jobs')`,
    registry: 'publishing_jobs',
    reason: /^handoff:object_changed$/,
  },
];

describe('seed 34 §4 and seed 40 §40.10 test 4: a trigger marks the groups it names, and a scan evaluates only those', () => {
  it.each(TRIGGERS.map((each) => [each.name, each] as const))('%s', async (_, trigger) => {
    const { change, registry, scopes, reason, undo } = trigger;
    for (const text of [change, ...(undo === undefined ? [] : [undo])]) {
      await host(text);
      await intake();
      const marked = await marks();
      expect(new Set(marked.map((each) => each.registry))).toEqual(new Set([registry]));
      for (const each of marked) expect(each.reason).toMatch(reason);
      if (scopes !== undefined) expect(new Set(marked.map((each) => each.scope))).toEqual(new Set(scopes));
      const keys = [...new Set(marked.map((each) => each.key))];
      const before = await others(keys);
      const report = await scan('event');
      expect(report.lookedAt).toBe(keys.length * 6);
      expect(await marks()).toEqual([]);
      expect(await others(keys)).toEqual(before);
      evidence(`${registry}: ${some(keys.length, 'group')} of ${some(before.length, 'other group')}`);
    }
  });

  it('seed 34 §4 trigger 2, an axis is introduced or changes: marks the groups of its family', async () => {
    const familiesOf = async () => {
      const keys = (await marks())
        .filter((each) => each.registry !== 'axis_registry')
        .map((each) => each.key);
      return host(
        `select distinct axis_family as family from governance_inventory where inventory_key = any ('{${keys.join(',')}}')`,
      );
    };
    const [axis] = await host(
      `select axis_code as code, axis_family as family from axis_registry join governance_inventory using (axis_family, object_class) order by 1 limit 1`,
    );
    await host(`update axis_registry set owner_gov_code = 'GOV-DOT' where axis_code = '${axis?.['code']}'`);
    await intake();
    expect(await familiesOf()).toEqual([{ family: axis?.['family'] }]);
    await keepRulesInForce(estate.gcos);
    await scan('incremental');
    expect(await marks()).toEqual([]);
    // A new axis is a rule: it marks its family once it is approved and active.
    await host(
      `insert into axis_registry select (jsonb_populate_record(a, '{"axis_code": "AX-S34"}')).* from axis_registry a where axis_code = '${axis?.['code']}'`,
    );
    await intake();
    await scan('incremental');
    await keepRulesInForce(estate.gcos);
    expect(await familiesOf()).toEqual([{ family: axis?.['family'] }]);
    const marked = await marks();
    expect(new Set(marked.map((each) => each.reason))).toEqual(new Set(['ruleset_bump']));
    await scan('incremental');
    expect(await marks()).toEqual([]);
    evidence(`family ${axis?.['family']}: ${some(marked.length, 'mark')}`);
  });

  it('seed 34 §4 trigger 3, a law changes: marks the groups of the scope that it governs', async () => {
    const [law] = await host(
      `select rule_code as code, min(scope) as scope from governance_rule_reach where rule_kind = 'law'
       group by rule_code having count(*) = 1 and min(scope) is not null and min(axis_family) is null and min(source_registry) is null order by 1 limit 1`,
    );
    await host(
      `update normative_registry set title = title || ', amended' where law_code = '${law?.['code']}'`,
    );
    await intake();
    const marked = (await marks()).filter((each) => each.registry !== 'normative_registry');
    expect(new Set(marked.map((each) => `${each.scope} ${each.reason}`))).toEqual(
      new Set([`${law?.['scope']} policy`]),
    );
    const groups = await number(
      `select count(distinct inventory_key)::int as n from governance_candidate_state where row_state = 'active' and scope = '${law?.['scope']}'`,
    );
    expect(new Set(marked.map((each) => each.key)).size).toBeGreaterThan(groups / 2);
    await scan('incremental');
    expect(await marks()).toEqual([]);
    evidence(`${law?.['code']}: ${some(marked.length, 'mark')} in scope ${law?.['scope']}, 0 in others`);
  });

  it('seed 34 §4 trigger 5, another ruleset comes into force: marks the groups in reach of the changed rule', async () => {
    await host(`update coverage_profile set ttl = '20 days' where class_pattern = 'venue'`);
    await keepRulesInForce(estate.gcos);
    const marked = await marks();
    expect(new Set(marked.map((each) => `${each.registry} ${each.reason}`))).toEqual(
      new Set(['venues ruleset_bump']),
    );
    const keys = [...new Set(marked.map((each) => each.key))];
    const report = await scan('event');
    expect(report.lookedAt).toBe(keys.length * 6);
    expect(await marks()).toEqual([]);
    evidence(`venues: ${some(keys.length, 'group')} marked, 0 others`);
  });

  it('seed 34 §4 trigger 6, a snapshot drifts: marks the groups that differ', async () => {
    await estate.gcos.snapshots.capture({ kind: 'scan' });
    await intake();
    await scan('incremental');
    await host(
      `delete from birth_registry where id = (select min(id) from birth_registry where collection_name = 'comments' and status = 'born')`,
    );
    // The intake notices the deletion by the number of births; the snapshot notices it as well.
    await intake();
    await scan('incremental');
    await estate.gcos.snapshots.capture({ kind: 'scan' });
    await intake();
    const marked = await marks();
    expect(marked).toHaveLength(6);
    for (const each of marked) expect(each).toMatchObject({ registry: 'comments', reason: 'snapshot_drift' });
    expect(await scan('event')).toMatchObject({ lookedAt: 6, changed: 0 });
    expect(await marks()).toEqual([]);
    evidence('comments: 6 marks, 0 others');
  });

  it('seed 34 §4 trigger 7, a verdict expires: an incremental scan selects its group without a mark', async () => {
    const [row] = await host(
      `update governance_candidate_state c set stale_after = now() - interval '1 second' from governance_inventory i
       where i.inventory_key = c.inventory_key and i.source_registry = 'venues' and c.scope = 'audit' and c.row_state = 'active' returning c.inventory_key as key`,
    );
    await intake();
    expect(await marks()).toEqual([]);
    const before = await others([String(row?.['key'])]);
    expect(await scan('event')).toMatchObject({ lookedAt: 0 });
    expect(await scan('incremental')).toMatchObject({ lookedAt: 6, changed: 0 });
    expect(await others([String(row?.['key'])])).toEqual(before);
    evidence('1 expired verdict: its group evaluated, 0 others');
  });

  it('seed 34 §4 trigger 8, an input is corrected: marks the group of the object', async () => {
    await bear('payments', 'S34-FIX', 1);
    await host(`update birth_registry set born_at = '2999-01-01' where entity_code = 'S34-FIX-1'`);
    await intake();
    await scan('incremental');
    await host(`update birth_registry set born_at = now() where entity_code = 'S34-FIX-1'`);
    await intake();
    const corrected = await marks();
    expect(new Set(corrected.map((each) => each.registry))).toEqual(new Set(['payments']));
    expect(new Set(corrected.map((each) => each.reason))).toEqual(new Set(['input_correction']));
    evidence('payments: its group, 0 others');
    await scan('event');
    expect(await marks()).toEqual([]);
    expect(
      await number(
        `select count(*)::int as n from governance_candidate_object where entity_code = 'S34-FIX-1' and row_state = 'active' and candidate_verdict = 'needs_input'`,
      ),
    ).toBe(0);
  });

  it('a full scan without changes in the host changes no row and raises no finding', async () => {
    expect(await scan('full')).toMatchObject({
      changed: 0,
      findings: { raised: 0, resolved: 0, reopened: 0 },
    });
  });
});

describe('seed 34 §4: group_invalidation_storm', () => {
  it('seed 34 §4 rule 9, a storm raises a finding, withholds verdicts, throttles scans, and ends after a scan has evaluated all groups in one pass', async () => {
    await host(`update governance_setting set setting_value = '{"share": 0.4, "seconds": 60, "least": 10}' where setting_key = 'intake.storm';
      update governance_setting set setting_value = '{"debounce_ms": 0, "at_once": 500, "full_share": 0.2, "storm_at_once": 7}' where setting_key = 'scan.pace';
      insert into registry_changelog (entity_type, entity_code, action, changed_by)
      select distinct on (b.collection_name, b.status) b.collection_name, b.entity_code, 'update', 'DOT-001' from birth_registry b`);
    await intake();
    const storms = () =>
      number(
        `select count(*)::int as n from system_issues where issue_type = 'group_invalidation_storm' and status = 'open'`,
      );
    expect(await storms()).toBe(1);
    await bear('dot_tools', 'S34-STORM', 1);
    await intake();
    const withheld = await host(
      `select distinct candidate_verdict as verdict, evidence ->> 'withheld' as why from governance_candidate_object where entity_code = 'S34-STORM-1' and row_state = 'active'`,
    );
    expect(withheld).toEqual([{ verdict: 'unknown', why: 'group_invalidation_storm' }]);
    const waiting = new Set((await marks()).map((each) => each.key)).size;
    const throttled = await scan('incremental');
    expect(throttled).toMatchObject({
      widened: null,
      throttled: expect.stringMatching(/groups were marked within 60 seconds/),
    });
    expect(new Set((await marks()).map((each) => each.key)).size).toBe(waiting - 7);
    expect(
      await host(`select status, error from candidate_scan_run where run_id = '${throttled.runId}'`),
    ).toEqual([{ status: 'throttled', error: throttled.throttled }]);
    expect(await storms()).toBe(1);
    // As if the window had passed.
    for (const table of ['governance_candidate_state', 'governance_candidate_object'])
      await host(`update ${table} set dirtied_at = dirtied_at - interval '61 seconds' where dirty`);
    expect(await scan('incremental')).toMatchObject({
      throttled: null,
      widened: expect.stringMatching(/inventory groups wait: evaluated in one pass$/),
    });
    expect(await marks()).toEqual([]);
    await intake();
    expect(await storms()).toBe(0);
    evidence(`${some(waiting, 'group')} marked at once: 7 evaluated per scan until the window had passed`);
  });
});

describe('seed 34 §5: the three modes', () => {
  const audit = (ref: string) =>
    host(
      `update governance_object_ownership set audit_ref = ${ref} where object_type = 'collection' and object_ref = 'orders' and scope = 'audit' and lifecycle_status = 'active'`,
    );
  const outcomes = async () =>
    (
      await host(
        `select distinct c.coverage_outcome as outcome from governance_candidate_state c join governance_inventory i using (inventory_key)
         where i.source_registry = 'orders' and c.scope = 'audit' and c.row_state = 'active' and c.candidate_verdict = 'relevant'`,
      )
    ).map((row) => row['outcome']);
  const expire = (registry: string) =>
    host(
      `update governance_candidate_state c set stale_after = now() - interval '1 second' from governance_inventory i
       where i.inventory_key = c.inventory_key and i.source_registry = '${registry}' and c.row_state = 'active'`,
    );

  it('seed 34 §5 mode 1, event: evaluates what a change has just marked, after its window, and nothing else', async () => {
    await expire('venues');
    await audit('null');
    await intake();
    const pace = (ms: number) =>
      host(
        `update governance_setting set setting_value = setting_value || '{"debounce_ms": ${ms}}' where setting_key = 'scan.pace'`,
      );
    await pace(600_000);
    expect(await scan('event')).toMatchObject({ lookedAt: 0 });
    await pace(0);
    const keys = [...new Set((await marks()).map((each) => each.key))];
    const before = await others(keys);
    expect(await scan('event')).toMatchObject({ lookedAt: keys.length * 6 });
    expect(await outcomes()).toEqual(['orphan']);
    expect(await marks()).toEqual([]);
    // The expired verdicts of venues are the work of the next mode.
    expect(await others(keys)).toEqual(before);
    evidence(`orders: ${some(keys.length, 'group')} evaluated, expired ones left`);
  });

  it('seed 34 §5 mode 2, incremental: evaluates everything that is dirty or expired, at once, and nothing else', async () => {
    await expire('venues');
    await audit('null');
    await intake();
    await host(
      `update governance_setting set setting_value = setting_value || '{"debounce_ms": 600000}' where setting_key = 'scan.pace'`,
    );
    const expired = (
      await host(`select inventory_key as key from governance_inventory where source_registry = 'venues'`)
    ).map((row) => String(row['key']));
    const keys = [...new Set([...(await marks()).map((each) => each.key), ...expired])];
    const before = await others(keys);
    expect(await scan('incremental')).toMatchObject({ lookedAt: keys.length * 6 });
    expect(await outcomes()).toEqual(['orphan']);
    expect((await estate.gcos.scans.status()).groups).toBe(0n);
    expect(await others(keys)).toEqual(before);
    evidence(`orders and venues: ${some(keys.length, 'group')} evaluated, 0 others`);
  });

  it('seed 34 §5 mode 3, full: finds a change whose marks were lost, and closes the ledger', async () => {
    await audit('null');
    await intake();
    for (const table of ['governance_candidate_state', 'governance_candidate_object'])
      await host(`update ${table} set dirty = false, dirty_reason = null, dirtied_at = null where dirty`);
    expect(await scan('incremental')).toMatchObject({ lookedAt: 0 });
    expect(await outcomes()).toEqual(['covered']);
    const report = await scan('full');
    expect(report.ledger).toMatchObject({ closes: true });
    expect(await outcomes()).toEqual(['orphan']);
    const groups = await number(
      `select count(*)::int as n from governance_candidate_state where row_state = 'active' and candidate_verdict = 'relevant' and weight = 1`,
    );
    expect(report.lookedAt).toBeGreaterThanOrEqual(groups);
    evidence(`${some(report.lookedAt, 'unit')} evaluated; orders found, the ledger closes`);
  });
});
