// A full scan reports what it changed. If it contradicts a valid verdict and no change of the host explains
// that, it raises a finding of its own.
import { beforeEach, expect, it } from 'vitest';
import { asHost } from '../support/database.js';
import { createEstate, type Estate, prepareEstate } from '../support/estate.js';
import { catchUp } from '../support/from-scratch.js';

const prepared = prepareEstate('backfilled', async ({ gcos }) => {
  await gcos.scans.run({ mode: 'full' });
  await catchUp(gcos);
});
let estate: Estate;
beforeEach(async () => {
  estate = await prepared.copy();
  return () => estate.close();
});

const host = (sql: string) => asHost(estate.url, sql);
const full = () => estate.gcos.scans.run({ mode: 'full' });
const open = () =>
  host(
    `select i.entity_code, i.evidence_snapshot ->> 'rows' as rows from system_issues i
     where i.issue_type = 'verdict_tampered' and i.status = 'open' order by 1`,
  );

it('counts and reports verdicts and outcomes that another program wrote', async () => {
  await host(
    `update governance_candidate_state c set candidate_verdict = 'not_relevant', verdict_line = 7, coverage_required = false, coverage_outcome = null
     from governance_inventory i where i.inventory_key = c.inventory_key and i.source_registry = 'orders' and c.row_state = 'active' and c.candidate_verdict = 'relevant';
     update governance_candidate_object set coverage_outcome = 'covered'
     where row_id = (select min(row_id) from governance_candidate_object where coverage_outcome = 'orphan' and row_state = 'active' and collection_name = 'dot_tools')`,
  );
  const report = await full();
  const findings = await open();
  expect([...new Set(findings.map((row) => row['entity_code']))]).toEqual(['dot_tools', 'orders']);
  expect(report.changed).toBeGreaterThan(1);
  expect(report.contradicted).toBe(report.changed);
  expect(report.findings).toEqual({ raised: findings.length, resolved: 0, reopened: 0 });
  const again = await full();
  expect(again).toMatchObject({ changed: 0, contradicted: 0 });
  expect(again.findings).toEqual({ raised: 0, resolved: findings.length, reopened: 0 });
  expect(await open()).toEqual([]);
});

it('explains what the host changed since the last round, and what it changes during the run', async () => {
  await host(
    `update governance_object_ownership set lifecycle_status = 'revoked' where object_type = 'collection' and lifecycle_status = 'active';
     update birth_registry set species_code = null where collection_name = 'dot_tools';
     delete from birth_registry where collection_name = 'publishing_jobs'`,
  );
  const report = await full();
  expect(report.changed).toBeGreaterThan(10);
  expect(report.contradicted).toBe(0);
  expect(await open()).toEqual([]);
});

it('takes no first evaluation for a contradiction', async () => {
  const fresh = await createEstate('backfilled');
  try {
    expect(await fresh.gcos.scans.run({ mode: 'full' })).toMatchObject({ contradicted: 0 });
  } finally {
    await fresh.close();
  }
});

it('says how many groups had to be counted again', async () => {
  await host(
    `update governance_inventory set member_count = member_count - 1, h1 = h1 - 1 where source_registry = 'orders' and lifecycle_status = 'born'`,
  );
  const report = await full();
  expect(report.proof).toMatchObject({ closed: true, repairedGroups: 1 });
  const [run] = await host(
    `select (counts ->> 'changed')::int as changed, (proof ->> 'repaired_groups')::int as repaired from candidate_scan_run where run_id = '${report.runId}'`,
  );
  expect(run).toEqual({ changed: report.changed, repaired: 1 });
});
