// The catalogue of finding types is complete and consistent; docs/findings.md is generated from it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { computeSeverity } from '../../src/record/finding/index.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { type CatalogueRow, findingsPage, type SettingRow } from '../support/finding-page.js';

const COVERAGE = {
  governance_orphan: 'coverage.orphan',
  owner_gap: 'owner.gap',
  anarchic_object: 'coverage.anarchic_object',
  owner_conflict: 'owner.conflict',
  island_detected: 'island.detected',
  approval_path_gap: 'approval_path.gap',
  audit_gap: 'audit.gap',
  rollback_gap: 'rollback.gap',
  dot_authority_gap: 'dot_authority.gap',
  axis_unregistered: 'axis.unregistered',
  axis_owner_gap: 'axis.owner_gap',
  classification_policy_unowned: 'classification_policy.unowned',
  unratified_exception: 'exception.unratified',
  exception_expired: 'exception.expired',
  law_reference_gap: 'law_reference.gap',
  governance_schema_drift: 'schema.drift',
  issue_event_gap: 'issue_event.gap',
  phantom_gap: 'phantom.gap',
  direct_write_bypass: 'direct_write.bypass',
  delegation_expired: 'delegation.expired',
};

/** Types that are not called by their family. */
const NAMED: Readonly<Record<string, string>> = {
  group_invalidation_storm: 'group_invalidation_storm',
  tampered: 'verdict_tampered',
};
const PROCESS = {
  measurement: ['violated', 'not_run'],
  backfill: ['inventory_gap', 'batch_failed', 'incomplete', 'dlq_overflow'],
  snapshot: ['capture_failed', 'nondeterministic', 'ref_dangling'],
  ruleset: ['unowned', 'drift'],
  candidate: ['stale', 'unknown', 'tampered', 'scan_lag', 'group_invalidation_storm'],
  audit: ['overdue'],
  source: ['failed'],
  webhook: ['failing', 'disabled'],
  handoff: ['lag', 'dlq', 'silent_gap', 'unregistered_type'],
  cursor: ['lag', 'dlq', 'silent_gap', 'lease_conflict', 'watermark_regression'],
  input: [
    'incomplete',
    'invalid_schema',
    'duplicate',
    'conflict',
    'stale',
    'untrusted_source',
    'quarantined',
  ],
  gate: ['break_glass'],
};

describe('the catalogue of findings', () => {
  let estate: Estate;
  let rows: CatalogueRow[];
  beforeAll(async () => {
    estate = await createEstate('installed');
    rows = (await asHost(
      estate.url,
      `select finding_type, family, bucket, base_severity, max_severity, event_type, route, raised_when, closed_when,
         cool_down::text as cool_down, ceiling
       from governance_finding_type
       order by array_position(array['coverage', 'measurement', 'backfill', 'snapshot', 'ruleset', 'candidate', 'audit', 'source', 'webhook', 'handoff', 'cursor', 'input', 'gate'], family),
         ctid`,
    )) as CatalogueRow[];
  });
  afterAll(() => estate.close());

  it('has 20 types about coverage and 37 about rules and processes, each with its signal', () => {
    const processes = Object.entries(PROCESS).flatMap(([family, names]) =>
      names.map((name) => {
        return [NAMED[name] ?? `${family}_${name}`, `${family}.${name}`] as const;
      }),
    );
    expect(rows).toHaveLength(57);
    expect(Object.fromEntries(rows.map((row) => [row.finding_type, row.event_type]))).toEqual({
      ...COVERAGE,
      ...Object.fromEntries(processes),
    });
    expect(new Set(rows.map((row) => row.event_type)).size).toBe(57);
  });

  it('routes disputes to the council, findings about sources and objects to owners, and all others to GOV-SIV', () => {
    const council = ['owner_conflict', 'island_detected', 'unratified_exception', 'direct_write_bypass'];
    for (const row of rows) {
      const expected =
        row.family === 'coverage'
          ? council.includes(row.finding_type)
            ? 'council'
            : 'owner'
          : row.finding_type === 'backfill_dlq_overflow'
            ? 'siv_and_council'
            : row.finding_type === 'backfill_inventory_gap'
              ? 'owner'
              : 'siv';
      expect([row.finding_type, row.route]).toEqual([row.finding_type, expected]);
    }
    expect(new Set(rows.map((row) => row.bucket))).toEqual(
      new Set(['thiếu_quan_hệ', 'silent_fail', 'sai_lệch_dữ_liệu']),
    );
  });

  it.each([
    ['owner', 'write_high', 'critical'],
    ['approval', 'write_low', 'critical'],
    ['rollback', 'read', 'high'],
    ['dot_authority', undefined, 'high'],
    ['law_ref', 'write_high', 'medium'],
    ['law_ref', 'write_low', 'low'],
    ['audit', 'read', 'low'],
    [undefined, 'write_high', 'critical'],
    [undefined, 'write_low', 'low'],
    [undefined, undefined, 'low'],
  ] as const)('severity of link %s on %s is %s', (link, risk, severity) => {
    expect(computeSeverity({ base: 'low', max: 'critical' }, link, risk)).toBe(severity);
  });

  it('keeps the severity within base and max', () => {
    expect(computeSeverity({ base: 'medium', max: 'high' }, 'owner', 'write_high')).toBe('high');
    expect(computeSeverity({ base: 'medium', max: 'high' }, 'law_ref', 'read')).toBe('medium');
  });

  it('matches docs/findings.md', async () => {
    const settings = (await asHost(
      estate.url,
      "select setting_key, setting_value::text, about from governance_setting where setting_key like 'finding.%' order by setting_key",
    )) as SettingRow[];
    await expect(findingsPage(rows, settings)).toMatchFileSnapshot('../../docs/findings.md');
  });
});
