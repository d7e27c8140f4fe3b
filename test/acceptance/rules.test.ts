// A change of rules from its approval to the findings (seed 38 §38.10, seed 34 §9): people propose, approve
// and activate; scans evaluate; plain SQL reads what became dirty, and under which rules findings open and
// close.
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Finding } from '../../src/index.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { evidence, some } from '../support/evidence.js';
import { putRulesIntoForce } from '../support/ruleset-in-force.js';
import { workOnce } from '../support/working.js';

let estate: Estate;
const host = (text: string) => asHost(estate.url, text);
const scan = () => estate.gcos.scans.run({ mode: 'incremental' });
beforeEach(async () => {
  estate = await createEstate('reconciled');
});
afterEach(() => estate.close());

/** Live rows of groups and objects with what was decided about them. */
const ROWS = `
  select 'group ' || group_key as key, scope, dirty, dirty_reason as reason, concat_ws(' ', candidate_verdict, verdict_line, coverage_outcome, scan_time, stale_after, source_snapshot_ref) as decided
  from governance_candidate_state where row_state = 'active'
  union all
  select 'object ' || object_key || ' ' || scope, scope, dirty, dirty_reason, concat_ws(' ', candidate_verdict, verdict_line, coverage_outcome, scan_time, stale_after, source_snapshot_ref)
  from governance_candidate_object where row_state = 'active'`;
interface Row {
  readonly key: string;
  readonly scope: string;
  readonly dirty: boolean;
  readonly reason: string | null;
  readonly decided: string;
}
const rows = async () => new Map((await host(ROWS)).map((row) => [String(row['key']), row as Row]));

/** The finding about a collection in a scope, as `gcos finding show` has it. */
async function finding(collection: string, scope: string): Promise<Finding> {
  const [found] = await host(
    `select k.issue_code as code from governance_finding_key k join governance_inventory i on i.inventory_key = k.subject
     where k.finding_type = 'governance_orphan' and i.source_registry = '${collection}' and k.scope = '${scope}' order by i.lifecycle_status limit 1`,
  );
  return estate.gcos.findings.show(String(found?.['code']));
}

it('seed 38 §38.10 test 3, targeted ruleset invalidation: only groups of the scope become dirty, and a close under other rules masks no reopening', async () => {
  const [law] = await host(
    `select rule_code as code, min(scope) as scope from governance_rule_reach where rule_kind = 'law'
     group by rule_code having count(*) = 1 and min(scope) is not null order by 1 limit 1`,
  );
  await host(
    `insert into measurement_registry (measurement_id, measurement_name, law_code, method, source_query, target_query, severity, enabled)
     values ('MSR-NEW', 'one more', '${law?.['code']}', 1, 'select 1', 'select 1', 'high', false)`,
  );
  await workOnce(estate.gcos);
  const [active] = await host(`select ruleset_version as v from governance_ruleset where status = 'active'`);
  const before = await rows();
  expect([...before.values()].filter((row) => row.dirty)).toEqual([]);

  await host(`update measurement_registry set enabled = true where measurement_id = 'MSR-NEW'`);
  const version = await putRulesIntoForce(estate.gcos);
  expect(version).not.toBe(active?.['v']);
  const after = await rows();
  expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
  const wrong = [...after].filter(([key, { scope, dirty, reason, decided }]) => {
    const inside = scope === law?.['scope'];
    const marked = dirty === inside && reason === (inside ? 'ruleset_bump' : null);
    return !marked || decided !== before.get(key)?.decided;
  });
  expect(wrong).toEqual([]);
  const dirty = [...after.values()].filter((row) => row.dirty).length;
  expect(dirty).toBeGreaterThan(50);
  await scan();
  expect([...(await rows()).values()].filter((row) => row.dirty)).toEqual([]);

  // Orders lack a rollback path. Rules that do not require one close the finding; rules that do, reopen it.
  const raised = await finding('orders', 'execution');
  expect(raised).toMatchObject({ status: 'open', ruleset: version, reopens: 0n });
  const require = (links: string, ttl: string) =>
    host(
      `update coverage_profile set required_links = jsonb_set(required_links, '{execution}', '${links}'), ttl = '${ttl}' where class_pattern = 'order%'`,
    );
  await require('["owner"]', '7 days');
  const lax = await putRulesIntoForce(estate.gcos);
  await scan();
  expect(await finding('orders', 'execution')).toMatchObject({
    code: raised.code,
    status: 'resolved',
    evidence: { ruleset: { closed: lax } },
  });
  await require('["owner", "rollback"]', '6 days');
  const strict = await putRulesIntoForce(estate.gcos);
  await scan();
  expect(await finding('orders', 'execution')).toMatchObject({
    code: raised.code,
    status: 'open',
    reopens: 1n,
    ruleset: strict,
  });
  evidence(
    `${active?.['v']} → ${version}: ${some(dirty, 'row')} of scope ${law?.['scope']} dirty, 0 of ${some(after.size - dirty, 'other')}; ${raised.code} closed under ${lax}, open under ${strict}`,
  );
});

it('seed 34 §9 rule 1, auto-close under the same ruleset: a finding closes by an evaluation under the rules in force, and is keyed by them', async () => {
  const audit = (ref: string) =>
    host(
      `update governance_object_ownership set audit_ref = ${ref} where object_type = 'collection' and object_ref = 'documents' and scope = 'audit' and lifecycle_status = 'active'`,
    );
  await audit('null');
  await workOnce(estate.gcos);
  const raised = await finding('documents', 'audit');
  expect(raised).toMatchObject({ status: 'open' });
  const elsewhere = await finding('orders', 'execution');
  expect(elsewhere).toMatchObject({ status: 'open', ruleset: raised.ruleset });

  // Other rules for documents come into force, and the gap is repaired: no one has evaluated it yet.
  await host(`update coverage_profile set ttl = '6 days' where class_pattern = 'document'`);
  const version = await putRulesIntoForce(estate.gcos);
  await audit(`'registry_changelog/37'`);
  expect(await finding('documents', 'audit')).toMatchObject({ status: 'open', ruleset: raised.ruleset });
  // Out of reach of the change: the finding holds under the new rules without an evaluation.
  expect(await finding('orders', 'execution')).toMatchObject({
    code: elsewhere.code,
    status: 'open',
    ruleset: version,
  });
  await workOnce(estate.gcos);
  expect(await finding('documents', 'audit')).toMatchObject({
    code: raised.code,
    status: 'resolved',
    evidence: { ruleset: { raised: raised.ruleset, closed: version } },
  });
  await audit('null');
  await workOnce(estate.gcos);
  expect(await finding('documents', 'audit')).toMatchObject({
    code: raised.code,
    status: 'open',
    reopens: 1n,
    ruleset: version,
  });
  evidence(`${raised.code}: raised under ${raised.ruleset}, closed and reopened under ${version}`);
});
