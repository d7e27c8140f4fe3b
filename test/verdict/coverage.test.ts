// The findings of coverage. Each type is raised on the demo estate, coalesces, resolves when its cause is
// removed and reopens when the cause returns. Only the parent finding of a cause is announced.
import { describe, expect, it, onTestFinished } from 'vitest';
import { quoteLiteral, readServerTime } from '../../src/db/index.js';
import { type Transition, writeFindings } from '../../src/record/finding/index.js';
import { readActive } from '../../src/rule/ruleset/index.js';
import { entity, is, namesOf, run, tool, undone, useCoverage } from '../support/coverage.js';

const prepared = useCoverage();

describe('coverage', () => {
  const addOwnership = (type: string, ref: string, scope: string) =>
    `insert into governance_object_ownership (object_type, object_ref, scope, owner_kind, owner_gov_code, is_inherited_anchor,
       approval_ref, audit_ref, rollback_ref, source_law_ref, source_design_ref, effective_from)
     values (${[type, ref, scope, 'accountable', 'GOV-SIV'].map(quoteLiteral).join(', ')}, ${type === 'collection'},
       'APR-0001', 'registry_changelog/1', 'GD-010', 'LAW-08', 'GD-002', '2026-02-18')`;

  /** Type, subject and scope of a finding; SQL that removes its cause; SQL that restores it. */
  const cases: readonly (readonly [string, string, string | undefined, string, string])[] = [
    [
      'governance_orphan',
      'collection/customers',
      'audit',
      `update governance_object_ownership set audit_ref = 'registry_changelog/3' where object_ref = 'customers' and scope = 'audit'`,
      `update governance_object_ownership set audit_ref = null where object_ref = 'customers' and scope = 'audit'`,
    ],
    [
      'owner_gap',
      'collection/bookings',
      'execution',
      addOwnership('collection', 'bookings', 'execution'),
      `update governance_object_ownership set lifecycle_status = 'revoked' where object_ref = 'bookings' and scope = 'execution'`,
    ],
    [
      'anarchic_object',
      'collection/dot_tools',
      'approval',
      `update dot_tools set approval_ref = 'APR-0001' where dot_code = 'DOT-117'`,
      tool('DOT-117', 'approval_ref', null),
    ],
    [
      'owner_conflict',
      'collection/products',
      'policy',
      `update governance_object_ownership set lifecycle_status = 'revoked' where object_ref = 'products' and scope = 'policy' and owner_gov_code = 'GOV-KG-SYS'`,
      `update governance_object_ownership set lifecycle_status = 'active' where object_ref = 'products' and scope = 'policy' and owner_gov_code = 'GOV-KG-SYS'`,
    ],
    [
      'island_detected',
      'governing_body/LAB-COUNCIL',
      undefined,
      `insert into governance_registry (code, name) values ('LAB-COUNCIL', 'Laboratory')`,
      `delete from governance_registry where code = 'LAB-COUNCIL'`,
    ],
    [
      'approval_path_gap',
      'dot_tool/DOT-117',
      'approval',
      tool('DOT-117', 'approval_ref', 'APR-0001'),
      tool('DOT-117', 'approval_ref', 'APR-9999'),
    ],
    [
      'audit_gap',
      'dot_tool/DOT-150',
      'audit',
      tool('DOT-150', 'audit_ref', 'registry_changelog/2'),
      tool('DOT-150', 'audit_ref', 'registry_changelog/x'),
    ],
    [
      'rollback_gap',
      'dot_tool/DOT-142',
      'execution',
      tool('DOT-142', 'rollback_ref', 'GD-011'),
      tool('DOT-142', 'rollback_ref', null),
    ],
    [
      'dot_authority_gap',
      'route/RT-007',
      'execution',
      tool('DOT-213', 'authority_ref', 'GOV-DOT'),
      tool('DOT-213', 'authority_ref', 'GOV-ARCHIVE'),
    ],
    [
      'axis_unregistered',
      'axis_family/sentiment',
      undefined,
      `insert into axis_registry (axis_code, axis_family, object_class, name, owner_gov_code) values ('AX-X', 'sentiment', 'comment', 'x', 'GOV-SIV')`,
      `update axis_registry set status = 'retired' where axis_code = 'AX-X'`,
    ],
    [
      'axis_owner_gap',
      'axis/AX-VENUE-REGION',
      'render',
      addOwnership('axis', 'AX-VENUE-REGION', 'render'),
      `update governance_object_ownership set lifecycle_status = 'revoked' where object_ref = 'AX-VENUE-REGION'`,
    ],
    [
      'classification_policy_unowned',
      'rule/UR-008',
      'policy',
      addOwnership('rule', 'UR-008', 'policy'),
      `update governance_object_ownership set lifecycle_status = 'revoked' where object_ref = 'UR-008'`,
    ],
    [
      'unratified_exception',
      'exception_registry/EXC-004',
      undefined,
      `update exception_registry set approval_ref = 'APR-0002' where exception_code = 'EXC-004'`,
      `update exception_registry set approval_ref = null where exception_code = 'EXC-004'`,
    ],
    [
      'exception_expired',
      'exception_registry/EXC-005',
      undefined,
      `update exception_registry set expires_at = '2999-01-01' where exception_code = 'EXC-005'`,
      `update exception_registry set expires_at = '2026-03-31' where exception_code = 'EXC-005'`,
    ],
    [
      'law_reference_gap',
      'information_unit/IU-0034',
      'policy',
      `update information_unit set design_ref = 'GD-001' where unit_id = 'IU-0034'`,
      `update information_unit set design_ref = null where unit_id = 'IU-0034'`,
    ],
    [
      'issue_event_gap',
      'route/RT-011',
      'execution',
      `update event_type_registry set active = true where event_domain = 'mother' and event_type = 'refused'`,
      `update event_type_registry set active = false where event_domain = 'mother' and event_type = 'refused'`,
    ],
    [
      'phantom_gap',
      'collection/retired_portal',
      'policy',
      `update governance_object_ownership set lifecycle_status = 'revoked' where object_ref = 'retired_portal'`,
      `update governance_object_ownership set lifecycle_status = 'active' where object_ref = 'retired_portal'`,
    ],
    [
      'direct_write_bypass',
      'route/RT-014',
      undefined,
      `update registry_changelog set resolved = true where action = 'direct_update' and entity_code = 'RT-014'`,
      `update registry_changelog set resolved = false where action = 'direct_update' and entity_code = 'RT-014'`,
    ],
    [
      'delegation_expired',
      'collection/tickets',
      'execution',
      `update governance_object_ownership set effective_to = '2999-01-01' where owner_kind = 'delegated' and object_ref = 'tickets'`,
      `update governance_object_ownership set effective_to = '2026-04-30' where owner_kind = 'delegated' and object_ref = 'tickets'`,
    ],
  ];

  it('raises each type, coalesces repeats, resolves findings without a cause and reopens those whose cause is back', async () => {
    await undone(async (tx) => {
      const first = await run(tx);
      const raised = new Map<string, Transition>();
      const names = await namesOf(tx);
      for (const [type, where, scope] of cases) {
        const seen = first.done.raised.find(
          (each) => is(type, scope)(each) && names.get(each.code) === where,
        );
        expect(seen, `${type} at ${where} in ${scope}`).toBeDefined();
        if (seen !== undefined) raised.set(type, seen);
      }
      const again = await run(tx);
      expect(again.done).toMatchObject({
        raised: [],
        reopened: [],
        resolved: [],
        repeated: first.done.raised.length,
      });
      expect(again.found).toMatchObject({ changed: 0, written: 0, evaluated: first.found.evaluated });
      for (const [, , , cure] of cases) await tx.script(cure);
      const cured = await run(tx);
      for (const [type, seen] of raised)
        expect(
          cured.done.resolved.map((each) => each.key),
          type,
        ).toContain(seen.key);
      expect(cured.done.raised).toEqual([]);
      for (const [, , , , relapse] of cases) await tx.script(relapse);
      const back = await run(tx);
      for (const [type, seen] of raised) {
        expect(
          back.done.reopened.map((each) => each.key),
          type,
        ).toContain(seen.key);
        expect(await entity(tx, seen), type).toMatchObject({ reopen_count: 1, status: 'open' });
      }
      expect(back.done.raised).toEqual([]);
    });
  });

  it('raises one finding per cause, and announces only the parent', async () => {
    await undone(async (tx) => {
      const { done, found } = await run(tx);
      // A tool without authority: one finding per group of objects it executes, with their number.
      const jobs = done.raised.filter(is('dot_authority_gap', 'execution'));
      expect(jobs.map((each) => each.key.split(':').at(-1)).sort()).toEqual([
        'DOT-213',
        'DOT-213',
        'DOT-213',
        'DOT-214',
      ]);
      const publishing = jobs.find((each) => each.count > 2);
      expect(publishing?.count).toBeGreaterThan(10);
      for (const each of done.raised.filter((raised) =>
        [
          'owner_gap',
          'rollback_gap',
          'audit_gap',
          'law_reference_gap',
          'issue_event_gap',
          'owner_conflict',
          'axis_owner_gap',
        ].includes(raised.type),
      )) {
        expect(each.notify, each.key).toBe(false);
        expect(['governance_orphan', 'anarchic_object']).toContain((await entity(tx, each))?.['parent']);
      }
      const parents = done.raised.filter(
        (each) => is('governance_orphan')(each) || is('anarchic_object')(each),
      );
      expect(parents.every((each) => each.notify)).toBe(true);
      expect(new Set(parents.map((each) => `${each.subject}/${each.scope}`)).size).toBe(parents.length);
      // A missing owner of an axis or a rule has a type of its own, and no `owner_gap` as well.
      const ownerGaps = found.pages
        .flatMap((page) => page.observations)
        .filter((each) => each.type === 'owner_gap');
      expect(ownerGaps.map((each) => each.entityType)).not.toContain('axis');
      expect(ownerGaps.map((each) => each.entityType)).not.toContain('rule');
    });
  });

  it('moves open findings to another parent when the risk of an orphan rises', async () => {
    await undone(async (tx) => {
      const before = await run(tx);
      const names = await namesOf(tx);
      const gap = before.done.raised.find(
        (each) => is('audit_gap', 'audit')(each) && names.get(each.code) === 'collection/customers',
      );
      if (gap === undefined) throw new Error('no gap');
      expect(await entity(tx, gap)).toMatchObject({ parent: 'governance_orphan' });
      await tx.script(
        `update governance_candidate_state set risk_class = 'write_high' where inventory_key = '${gap.subject}' and scope = 'audit'`,
      );
      const after = await run(tx, [gap.subject]);
      expect(after.done.resolved.map((each) => each.type)).toEqual(['governance_orphan']);
      expect(after.done.raised.map((each) => [each.type, each.notify])).toEqual([['anarchic_object', true]]);
      // The gap stays open and is not announced again.
      expect(after.done.reopened).toEqual([]);
      expect(await entity(tx, gap)).toMatchObject({ parent: 'anarchic_object', status: 'open' });
    });
  });

  it('computes severity from risk, and routes to the accountable owner', async () => {
    await undone(async (tx) => {
      const { done } = await run(tx);
      const names = await namesOf(tx);
      const findingAt = (type: string, where: string, scope?: string) =>
        done.raised.find((each) => is(type, scope)(each) && names.get(each.code) === where);
      expect(findingAt('approval_path_gap', 'dot_tool/DOT-117')).toMatchObject({ severity: 'critical' });
      expect(findingAt('owner_gap', 'collection/venues', 'health')).toMatchObject({
        severity: 'high',
        routes: ['GOV-SIV'],
      });
      expect(findingAt('audit_gap', 'dot_tool/DOT-150')).toMatchObject({
        severity: 'high',
        routes: ['GOV-SIV'],
      });
      expect(findingAt('law_reference_gap', 'collection/courses')).toMatchObject({ severity: 'low' });
      expect(findingAt('owner_conflict', 'collection/products')).toMatchObject({
        severity: 'critical',
        routes: ['GOV-COUNCIL'],
      });
      expect(findingAt('island_detected', 'governing_body/LAB-COUNCIL')).toMatchObject({
        routes: ['GOV-COUNCIL'],
      });
      expect(findingAt('direct_write_bypass', 'dot_tool/DOT-240')).toMatchObject({
        severity: 'critical',
        routes: ['GOV-COUNCIL'],
      });
    });
  });

  it('does not resolve findings of the promoter about held signals', async () => {
    await undone(async (tx) => {
      const at = await readServerTime(tx);
      const version = (await readActive(tx))?.version ?? null;
      const heldSignal = {
        type: 'issue_event_gap',
        subject: 'owner.gap',
        rootCause: 'inactive',
        entityType: 'event_type',
        entityCode: 'owner.gap',
      };
      await writeFindings(tx, [heldSignal], {
        runId: 'promoter',
        at,
        ruleset: version,
        activeRuleset: version,
      });
      const { done } = await run(tx);
      expect(done.resolved).toEqual([]);
      expect(done.raised.filter(is('issue_event_gap')).length).toBe(2);
    });
  });

  it('keeps its findings about routes when the promoter runs', async () => {
    const estate = await prepared.copy();
    onTestFinished(() => estate.close());
    await estate.db.transaction({ isolation: 'repeatable read' }, async (tx) => void (await run(tx)));
    const { findings } = await estate.gcos.promoteSignals();
    expect(findings.resolved).toEqual([]);
  });
});
