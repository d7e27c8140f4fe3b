// Severities: every finding type with a range reaches both ends of it, and an open finding that becomes
// graver takes the graver severity.
import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/record/finding/index.js';
import { severityBeyond } from '../../src/record/finding/index.js';
import { asHost } from '../support/database.js';
import { context, estate, gap, issues, useFindings, write } from '../support/findings.js';

useFindings();

/** What decides the severity of a type: the low and the grave observation that its module makes. */
type Ends = readonly [Partial<Observation>, Partial<Observation>];
const RISK: Ends = [{ riskClass: 'read' }, { riskClass: 'write_high' }];
const link = (
  name: NonNullable<Observation['link']>,
  low: Observation['riskClass'],
  grave: Observation['riskClass'],
): Ends => [
  { link: name, ...(low === undefined ? {} : { riskClass: low }) },
  { link: name, ...(grave === undefined ? {} : { riskClass: grave }) },
];
const AUTHORITY = (name: NonNullable<Observation['link']>): Ends => link(name, 'read', 'write_low');
const DESCRIBES = (name: NonNullable<Observation['link']>): Ends => link(name, 'write_low', 'write_high');
const BEYOND: Ends = [severityBeyond(11, 10), severityBeyond(31, 10)];
const given = (low: Observation['severity'], grave: Observation['severity']): Ends => [
  { ...(low === undefined ? {} : { severity: low }) },
  { ...(grave === undefined ? {} : { severity: grave }) },
];

const ENDS: Readonly<Record<string, Ends>> = {
  governance_orphan: [
    { link: 'audit', riskClass: 'read' },
    { link: 'owner', riskClass: 'write_low' },
  ],
  anarchic_object: [
    { link: 'audit', riskClass: 'write_high' },
    { link: 'owner', riskClass: 'write_high' },
  ],
  owner_gap: AUTHORITY('owner'),
  owner_conflict: AUTHORITY('owner'),
  approval_path_gap: AUTHORITY('approval'),
  rollback_gap: AUTHORITY('rollback'),
  dot_authority_gap: AUTHORITY('dot_authority'),
  audit_gap: DESCRIBES('audit'),
  law_reference_gap: DESCRIBES('law_ref'),
  issue_event_gap: DESCRIBES('issue_event'),
  island_detected: RISK,
  axis_unregistered: RISK,
  axis_owner_gap: RISK,
  classification_policy_unowned: RISK,
  unratified_exception: RISK,
  exception_expired: RISK,
  phantom_gap: RISK,
  direct_write_bypass: RISK,
  delegation_expired: RISK,
  measurement_violated: given('low', 'critical'),
  measurement_not_run: given('low', 'critical'),
  backfill_inventory_gap: RISK,
  backfill_dlq_overflow: BEYOND,
  snapshot_ref_dangling: RISK,
  ruleset_unowned: given('medium', 'high'),
  candidate_stale: RISK,
  candidate_unknown: RISK,
  candidate_scan_lag: RISK,
  audit_overdue: BEYOND,
  handoff_lag: BEYOND,
  handoff_dlq: given(undefined, 'critical'),
  handoff_silent_gap: BEYOND,
  cursor_lag: BEYOND,
  cursor_dlq: given(undefined, 'critical'),
  cursor_silent_gap: BEYOND,
  input_incomplete: RISK,
  input_invalid_schema: RISK,
  input_duplicate: RISK,
  input_conflict: RISK,
  input_stale: RISK,
  input_untrusted_source: RISK,
  input_quarantined: RISK,
  gate_break_glass: given('high', 'critical'),
};

describe('a type of finding with a range of severities', () => {
  it('reaches its base and its max, and no other type has a range', async () => {
    const types = await asHost(
      estate.url,
      `select finding_type as name, base_severity as base, max_severity as max from governance_finding_type where base_severity <> max_severity`,
    );
    expect(Object.keys(ENDS).sort()).toEqual(types.map((type) => String(type['name'])).sort());
    for (const { name, base, max } of types) {
      const about = { type: String(name), entityType: 'x', entityCode: 'x' };
      const [low, grave] = ENDS[String(name)] ?? [{}, {}];
      const { raised } = await write([
        { ...about, subject: 'low', ...low },
        { ...about, subject: 'grave', ...grave },
      ]);
      const found = Object.fromEntries(raised.map((each) => [each.subject, each.severity]));
      expect([name, found]).toEqual([name, { low: base, grave: max }]);
    }
  });
});

describe('an open finding', () => {
  it('takes a graver severity with its recipients and evidence, is announced again, and never becomes less grave', async () => {
    const low = gap('g1', { riskClass: 'read', evidence: { members: 1n } });
    const grave = gap('g1', { riskClass: 'write_high', evidence: { members: 2n } });
    expect((await write([low])).raised).toMatchObject([{ severity: 'high', notify: true }]);
    const later = context({ at: '2026-06-01 12:00:01+00' });
    // Announced although it is within the cool-down.
    expect(await write([grave], later)).toMatchObject({
      raised: [],
      reopened: [{ severity: 'critical', notify: true }],
    });
    expect((await issues())[0]).toMatchObject({
      ...{ severity: 'critical', reopens: 0, n: 2 },
      evidence: { severity: 'critical', facts: { members: '2' }, ruleset: expect.anything() },
    });
    expect(await write([low], later)).toMatchObject({ raised: [], reopened: [], repeated: 1 });
    expect((await issues())[0]).toMatchObject({ severity: 'critical', n: 3 });
    expect(await write([grave], later)).toMatchObject({ reopened: [], repeated: 1 });
  });
});
