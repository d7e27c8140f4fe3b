// The deadline for legacy: until it, an orphan that the first backfill found is named as legacy; after it,
// its finding has the highest severity and goes to the council. The gate is not more lenient meanwhile.
import { expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { ask, inShort } from '../support/gate.js';
import { estate, host, scan, useReconciled } from '../support/reconciled.js';
import { keepRulesInForce } from '../support/ruleset-in-force.js';

useReconciled();

const TOOL = { collection: 'dot_tools', code: 'DOT-117' };
/** Severity, recipients and deadline of the findings about orphans. */
const orphans = () =>
  host(
    `select k.coalesce_key as key, k.severity, k.routes, i.evidence_snapshot::jsonb #>> '{facts,legacy_to_be_covered_until}' as until
     from governance_finding_key k join system_issues i on i.id = k.issue_id
     where i.status = 'open' and k.finding_type in ('governance_orphan', 'anarchic_object') order by 1`,
  );
const explain = async () =>
  (await runCli(['explain', TOOL.collection, TOOL.code, '--database-url', estate.url])).stdout;
/** Moves the first backfill so many days into the past. */
const age = (days: number) =>
  host(
    `update candidate_scan_run set finished_at = finished_at - interval '${days} days' where kind = 'backfill';
     update governance_inventory set first_seen_at = first_seen_at - interval '${days} days'`,
  );

it('names legacy with its deadline, and takes it to the council after it; new groups have none', async () => {
  await scan('full');
  const before = await orphans();
  expect(before.map((row) => row['severity'])).toEqual(expect.arrayContaining(['medium', 'critical']));
  expect(before.some((row) => String(row['routes']) !== 'GOV-COUNCIL')).toBe(true);
  expect(await explain()).toMatch(/legacy, to be covered until 2\d{3}-/);
  expect(inShort(await ask(estate, TOOL))).toBe('block open_finding orphan');
  await age(59);
  await scan('full');
  expect(await orphans()).toEqual(before);
  // One group came into being later.
  await host(`update governance_inventory set first_seen_at = now() where source_registry = 'venues'`);
  await age(2);
  await host(`update governance_inventory set first_seen_at = now() where source_registry = 'venues'`);
  await scan('full');
  const [late] = await host(
    `select inventory_key as key from governance_inventory where source_registry = 'venues' limit 1`,
  );
  const isLate = (row: Record<string, unknown>) => String(row['key']).includes(String(late?.['key']));
  const after = await orphans();
  expect(
    new Set(after.filter((row) => !isLate(row)).map((row) => `${row['severity']} ${row['routes']}`)),
  ).toEqual(new Set(['critical GOV-COUNCIL']));
  expect(after.filter(isLate)).toEqual(before.filter(isLate));
  expect(await explain()).toMatch(/legacy, was to be covered until .*: overdue, a matter for the council/);
  expect(inShort(await ask(estate, TOOL))).toBe('block open_finding orphan');
});

it('sets no deadline without the setting', async () => {
  await host(`update governance_setting set setting_value = 'null' where setting_key = 'verdict.legacy'`);
  await keepRulesInForce(estate.gcos);
  await age(61);
  await scan('full');
  expect(await explain()).not.toContain('legacy');
  expect((await orphans()).map((row) => row['severity'])).toContain('medium');
});
