// An installed estate for each test of snapshots, and queries for the rows that a capture writes.
import { afterEach, beforeEach } from 'vitest';
import { asHost } from './database.js';
import { createEstate, type Estate } from './estate.js';

export let estate: Estate;

/** Lets the pruner prune what is a moment old. */
export const pruneAtOnce = (url: string) =>
  asHost(
    url,
    `update governance_setting set setting_value = '{"gate_days": 0, "snapshot_days": 0}' where setting_key = 'prune.minimum_age'`,
  );

/** Provides a new estate for each test of the file, in which snapshots of any age may be pruned. */
export function useSnapshots(): void {
  beforeEach(async () => {
    estate = await createEstate('installed');
    await pruneAtOnce(estate.url);
  });
  afterEach(() => estate?.close());
}

export const rows = () =>
  asHost(
    estate.url,
    "select id, scope, metrics, delta_previous, notes from evolution_snapshots where scope like 'governance.%' order by id",
  );
export const findings = (type: string) =>
  asHost(
    estate.url,
    `select k.subject, i.status, i.occurrence_count as n, i.reopen_count as reopens from governance_finding_key k
     join system_issues i on i.id = k.issue_id where k.finding_type = '${type}' order by 1`,
  );
export const audits = (action: string) =>
  asHost(
    estate.url,
    `select entity_code, alert_detail::jsonb as detail, changed_by from registry_changelog
     where entity_type = 'governance_snapshot' and action = '${action}' order by id`,
  );
