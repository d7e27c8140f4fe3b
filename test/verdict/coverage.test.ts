// Coverage: which links resolve, by what, and what is said about those that do not. Every finding of the catalogue's coverage family is
// raised by the demo estate or a small change to it, coalesces, resolves when cured and comes back on relapse.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quoteLiteral, readServerTime, statement, type Transaction } from '../../src/db/index.js';
import type { HostMapping } from '../../src/host/index.js';
import { type Transition, type Transitions, writeFindings } from '../../src/record/finding/index.js';
import { readActive } from '../../src/rule/ruleset/index.js';
import { readRules } from '../../src/verdict/candidate/index.js';
import {
  areCanariesFlagged,
  type CoverageEvaluation,
  evaluateCoverage,
  settleCoverage,
} from '../../src/verdict/coverage/index.js';
import { asHost } from '../support/database.js';
import type { Estate } from '../support/estate.js';
import { createJudged } from '../support/judged.js';
import { createPeople } from '../support/people.js';

const ROLL_BACK = new Error('rolled back on purpose');

describe('coverage', () => {
  let estate: Estate;
  let mapping: HostMapping;
  beforeAll(async () => {
    estate = await createJudged();
    mapping = await estate.gcos.installation.hostVocabulary();
    // What every test starts from: outcomes are there, findings are not.
    await evaluateAndKeep();
    await asHost(
      estate.url,
      'analyze governance_candidate_state, governance_candidate_object, governance_inventory',
    );
  });
  afterAll(() => estate.close());

  let runs = 0;
  interface Ran {
    readonly found: CoverageEvaluation;
    readonly done: Transitions;
    readonly at: string;
  }
  /** One evaluation of everything, or of some groups. */
  const run = async (tx: Transaction, inventoryKeys?: readonly string[], at?: string): Promise<Ran> => {
    runs += 1;
    const runId = `coverage-${runs}`;
    const moment = at ?? (await readServerTime(tx));
    const found = await evaluateCoverage(tx, {
      runId,
      at: moment,
      rules: await readRules(tx),
      ...(inventoryKeys === undefined ? {} : { inventoryKeys }),
    });
    const version = (await readActive(tx))?.version ?? null;
    const done = await settleCoverage(tx, found, {
      mapping,
      runId,
      at: moment,
      ruleset: version,
      activeRuleset: version,
    });
    return { found, done, at: moment };
  };
  const evaluateAndKeep = () =>
    estate.db.transaction({ isolation: 'repeatable read' }, async (tx) => {
      await evaluateCoverage(tx, {
        runId: 'before',
        at: await readServerTime(tx),
        rules: await readRules(tx),
      });
    });
  /** Everything in `work` is undone; what it expects is not. As the owner of the host's tables, who may change them. */
  const undone = async (work: (tx: Transaction) => Promise<void>): Promise<void> => {
    await expect(
      estate.db.transaction({ isolation: 'repeatable read' }, async (tx) => {
        await work(tx);
        throw ROLL_BACK;
      }),
    ).rejects.toBe(ROLL_BACK);
  };
  const is = (name: string, scope?: string) => (each: Transition) =>
    each.type === name && (scope === undefined || each.scope === scope);
  const rows = async (tx: Transaction, text: string) =>
    (
      await tx.run(
        statement<Record<never, never>, { j: string }>({
          name: 'test.rows',
          sql: `select coalesce(jsonb_agg(to_jsonb(q)), '[]')::text as j from (${text}) q`,
        }),
        {},
      )
    ).flatMap((row) => JSON.parse(row.j) as Record<string, unknown>[]);
  const entity = async (tx: Transaction, each: Transition) =>
    (
      await rows(
        tx,
        `select i.entity_type, i.entity_code, i.status, i.occurrence_count, i.reopen_count, p.issue_type as parent
      from system_issues i left join system_issues p on p.id = i.parent_issue_id where i.id = ${each.issueId}`,
      )
    )[0];

  /** Code of a finding → what it is about. */
  const namesOf = async (tx: Transaction) =>
    new Map(
      (
        await rows(
          tx,
          `select code, entity_type || '/' || entity_code as name from system_issues where source_system = 'gcos'`,
        )
      ).map((row) => [String(row['code']), String(row['name'])]),
    );

  const own = (type: string, ref: string, scope: string) =>
    `insert into governance_object_ownership (object_type, object_ref, scope, owner_kind, owner_gov_code, is_inherited_anchor,
       approval_ref, audit_ref, rollback_ref, source_law_ref, source_design_ref, effective_from)
     values (${[type, ref, scope, 'accountable', 'GOV-SIV'].map(quoteLiteral).join(', ')}, ${type === 'collection'},
       'APR-0001', 'registry_changelog/1', 'GD-010', 'LAW-08', 'GD-002', '2026-02-18')`;
  const tool = (code: string, column: string, value: string | null) =>
    `update dot_tools set ${column} = ${value === null ? 'null' : quoteLiteral(value)} where dot_code = '${code}'`;

  /** Finding, where it is seen, how it is cured, how it comes back. */
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
      own('collection', 'bookings', 'execution'),
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
      own('axis', 'AX-VENUE-REGION', 'render'),
      `update governance_object_ownership set lifecycle_status = 'revoked' where object_ref = 'AX-VENUE-REGION'`,
    ],
    [
      'classification_policy_unowned',
      'rule/UR-008',
      'policy',
      own('rule', 'UR-008', 'policy'),
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

  it('raises every one, coalesces what it sees again, resolves what is cured and reopens what is back', async () => {
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
        // Once with the first evaluation, once with the second, once again now.
        expect(await entity(tx, seen), type).toMatchObject({ reopen_count: 1, status: 'open' });
      }
      expect(back.done.raised).toEqual([]);
    });
  });

  it('says one cause once, and lets only the parent speak', async () => {
    await undone(async (tx) => {
      const { done, found } = await run(tx);
      // A tool without authority, whatever it executes: one finding per group, with how many it concerns.
      const jobs = done.raised.filter(is('dot_authority_gap', 'execution'));
      expect(jobs.map((each) => each.key.split(':').at(-1)).sort()).toEqual([
        'DOT-213',
        'DOT-213',
        'DOT-213',
        'DOT-214',
      ]);
      const publishing = jobs.find((each) => each.count > 2);
      expect(publishing?.count).toBeGreaterThan(10);
      for (const each of done.raised.filter((one) =>
        [
          'owner_gap',
          'rollback_gap',
          'audit_gap',
          'law_reference_gap',
          'issue_event_gap',
          'owner_conflict',
          'axis_owner_gap',
        ].includes(one.type),
      )) {
        expect(each.notify, each.key).toBe(false);
        expect(['governance_orphan', 'anarchic_object']).toContain((await entity(tx, each))?.['parent']);
      }
      const parents = done.raised.filter(
        (each) => is('governance_orphan')(each) || is('anarchic_object')(each),
      );
      expect(parents.every((each) => each.notify)).toBe(true);
      expect(new Set(parents.map((each) => `${each.subject}/${each.scope}`)).size).toBe(parents.length);
      // What an axis lacks is said as that of an axis, and not once more as that of an object.
      const ownerGaps = found.pages
        .flatMap((page) => page.observations)
        .filter((each) => each.type === 'owner_gap');
      expect(ownerGaps.map((each) => each.entityType)).not.toContain('axis');
      expect(ownerGaps.map((each) => each.entityType)).not.toContain('rule');
    });
  });

  it('lets another parent speak for what stays open when the risk of an orphan rises', async () => {
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
      // Still open, still quiet.
      expect(after.done.reopened).toEqual([]);
      expect(await entity(tx, gap)).toMatchObject({ parent: 'anarchic_object', status: 'open' });
    });
  });

  it('computes severity from risk, and routes to whoever answers', async () => {
    await undone(async (tx) => {
      const { done } = await run(tx);
      const names = await namesOf(tx);
      const one = (type: string, where: string, scope?: string) =>
        done.raised.find((each) => is(type, scope)(each) && names.get(each.code) === where);
      expect(one('approval_path_gap', 'dot_tool/DOT-117')).toMatchObject({ severity: 'critical' });
      expect(one('owner_gap', 'collection/venues', 'health')).toMatchObject({
        severity: 'high',
        routes: ['GOV-SIV'],
      });
      expect(one('audit_gap', 'dot_tool/DOT-150')).toMatchObject({
        severity: 'medium',
        routes: ['GOV-SIV'],
      });
      expect(one('law_reference_gap', 'collection/courses')).toMatchObject({ severity: 'low' });
      expect(one('owner_conflict', 'collection/products')).toMatchObject({
        severity: 'critical',
        routes: ['GOV-COUNCIL'],
      });
      expect(one('island_detected', 'governing_body/LAB-COUNCIL')).toMatchObject({
        routes: ['GOV-COUNCIL'],
      });
      expect(one('direct_write_bypass', 'dot_tool/DOT-240')).toMatchObject({
        severity: 'critical',
        routes: ['GOV-COUNCIL'],
      });
    });
  });

  it('keeps what every link resolved by, and what is missing, with one change of outcome in the history', async () => {
    await undone(async (tx) => {
      await run(tx);
      const [tool117] = await rows(
        tx,
        `select coverage_outcome, coverage_evidence, coverage_scan_ref is not null as found
        from governance_candidate_object where entity_code = 'DOT-117' and scope = 'approval' and row_state = 'active'`,
      );
      expect(tool117).toEqual({
        coverage_outcome: 'orphan',
        found: true,
        coverage_evidence: {
          links: {
            owner: { state: 'resolved', ref: 'GOV-COUNCIL', via: 'object' },
            approval: { state: 'missing' },
          },
        },
      });
      const [articles] = await rows(
        tx,
        `select c.coverage_outcome, c.coverage_evidence from governance_candidate_state c
        join governance_inventory i using (inventory_key)
        where i.source_registry = 'articles' and i.lifecycle_status = 'born' and i.axis_family = 'topic' and c.scope = 'execution' and c.row_state = 'active'`,
      );
      expect(articles).toEqual({
        coverage_outcome: 'covered',
        coverage_evidence: {
          links: {
            owner: { state: 'resolved', ref: 'GOV-DOT', via: 'collection' },
            rollback: { state: 'resolved', ref: 'GD-010', via: 'ownership' },
          },
        },
      });
      expect(
        await rows(
          tx,
          `select h.outcome_before, h.outcome_after, h.cause from governance_verdict_history h
          where h.entity_code = 'DOT-117' and h.scope = 'approval' order by history_id`,
        ),
      ).toEqual([
        { outcome_before: null, outcome_after: 'not_evaluated', cause: 'evaluation' },
        { outcome_before: 'not_evaluated', outcome_after: 'orphan', cause: 'coverage' },
      ]);
    });
  });

  it('looks at the groups it is given, and touches nothing of any other', async () => {
    await undone(async (tx) => {
      const all = await run(tx);
      const [{ key } = { key: '' }] = (await rows(
        tx,
        `select inventory_key as key from governance_inventory
        where source_registry = 'dot_tools' and lifecycle_status = 'active'`,
      )) as { key: string }[];
      await tx.script(`${tool('DOT-117', 'approval_ref', 'APR-0001')}; ${tool('DOT-001', 'approval_ref', null)};
        update governance_object_ownership set approval_ref = null where object_ref = 'DOT-001';
        update information_unit set law_ref = null`);
      const some = await run(tx, [key]);
      expect(some.found.lookedAt).toBe(6);
      expect(some.found.evaluated).toBeLessThan(all.found.evaluated);
      expect(some.found.written).toBe(2);
      expect(some.done.resolved.map((each) => each.type)).toEqual(['approval_path_gap']);
      expect(some.done.raised.map((each) => [each.type, each.scope])).toEqual([
        ['approval_path_gap', 'approval'],
      ]);
      expect(some.done.raised[0]?.key).toContain('DOT-001');
      const none = await run(tx, []);
      expect(none.found).toMatchObject({ lookedAt: 0, evaluated: 0, changed: 0, written: 0 });
      expect(none.done).toMatchObject({ raised: [], resolved: [], reopened: [] });
    });
  });

  it('notices beside a few groups what time ends, what was noted last, and what is dealt with', async () => {
    await undone(async (tx) => {
      await run(tx);
      await tx.script(`update governance_object_ownership set effective_to = '2999-01-01' where owner_kind = 'delegated';
        update registry_changelog set resolved = true where entity_code = 'DOT-240' and action = 'direct_update';
        insert into registry_changelog (entity_type, entity_code, action, "timestamp", alert_level, resolved)
        values ('dot_tool', 'DOT-100', 'direct_delete', now(), 'critical', false);
        update pivot_definitions set status = 'retired' where code = 'PVT-036'`);
      const some = await run(tx, []);
      expect(some.done.resolved.map((each) => each.type).sort()).toEqual([
        'delegation_expired',
        'direct_write_bypass',
      ]);
      expect(some.done.raised.map((each) => each.type)).toEqual(['direct_write_bypass']);
      // What it did not look at is as it was, until somebody looks at everything.
      expect((await run(tx)).done.resolved.map((each) => [each.type, each.subject])).toEqual([
        ['axis_unregistered', 'sentiment'],
      ]);
    });
  });

  it('evaluates nothing in scopes that no profile knows', async () => {
    await undone(async (tx) => {
      await tx.script('alter table governance_responsibility_scope rename to not_there');
      const { found } = await run(tx);
      expect(found.outcomes).toMatchObject({ covered: 0, exception: 0, orphan: 0 });
      expect(found.outcomes.not_evaluated).toBe(found.evaluated);
      expect(areCanariesFlagged(found)).toBe(true);
    });
  });

  it('comes to the same whether looked at at once or group by group', async () => {
    const outcomes = `select row_id, coverage_outcome, coverage_evidence from governance_candidate_state where row_state = 'active'
      union all select row_id, coverage_outcome, coverage_evidence from governance_candidate_object where row_state = 'active' order by 1`;
    const open = `select k.coalesce_key, k.severity, k.routes from governance_finding_key k join system_issues i on i.id = k.issue_id where i.status = 'open' order by 1`;
    let whole: unknown;
    await undone(async (tx) => {
      await run(tx);
      whole = [await rows(tx, outcomes), await rows(tx, open)];
    });
    await undone(async (tx) => {
      const keys = (await rows(tx, 'select inventory_key from governance_inventory order by 1')).map((row) =>
        String(row['inventory_key']),
      );
      const third = Math.ceil(keys.length / 3);
      for (const from of [0, third, 2 * third]) await run(tx, keys.slice(from, from + third));
      await run(tx);
      expect([await rows(tx, outcomes), await rows(tx, open)]).toEqual(whole);
    });
  });

  it('evaluates nothing that depends on owners where there is no ownership, and calls none of it covered', async () => {
    await undone(async (tx) => {
      await tx.script('alter table governance_object_ownership rename to not_there');
      const { found } = await run(tx);
      expect(found.outcomes.covered).toBe(0);
      expect(found.outcomes.not_evaluated).toBeGreaterThan(found.outcomes.orphan);
      expect(areCanariesFlagged(found)).toBe(true);
      const [row] = await rows(
        tx,
        `select coverage_outcome from governance_candidate_object where entity_code = 'DOT-001' and scope = 'approval' and row_state = 'active'`,
      );
      expect(row).toEqual({ coverage_outcome: 'not_evaluated' });
    });
  });

  it('knows no link that the host has nothing to resolve by', async () => {
    await undone(async (tx) => {
      await tx.script('alter table approval_requests rename to not_there');
      const { found } = await run(tx);
      expect(areCanariesFlagged(found)).toBe(true);
      const rowsOf = await rows(
        tx,
        `select distinct coverage_outcome from governance_candidate_object where collection_name = 'dot_tools' and scope = 'approval' and row_state = 'active' and candidate_verdict = 'relevant'`,
      );
      expect(rowsOf).toEqual([{ coverage_outcome: 'not_evaluated' }]);
    });
  });

  it('ends a verdict with what it rests on', async () => {
    await undone(async (tx) => {
      const at = await readServerTime(tx);
      await tx.script(`update governance_object_ownership set effective_to = timestamptz '${at}' + interval '1 hour'
        where object_ref = 'customers' and scope = 'policy' and lifecycle_status = 'active'`);
      const { found } = await run(tx, undefined, at);
      expect(found.outcomes.covered).toBeGreaterThan(0);
      const ends = await rows(
        tx,
        `select distinct (c.stale_after = timestamptz '${at}' + interval '1 hour') as soon, c.coverage_outcome
        from governance_candidate_state c join governance_inventory i using (inventory_key)
        where i.source_registry = 'customers' and c.scope = 'policy' and c.row_state = 'active' and candidate_verdict = 'relevant'`,
      );
      expect(ends).toEqual([{ soon: true, coverage_outcome: 'covered' }]);
    });
  });

  it('accepts a gap while an exception is in force, counts it so, and no longer when it is over', async () => {
    const wanted = {
      subject: { kind: 'object', collection: 'dot_tools', code: 'DOT-142' },
      scope: 'execution',
      link: 'rollback',
      expiresAt: new Date(Date.now() + 30 * 86_400_000).toISOString(),
    } as const;
    const request = await estate.gcos.exceptions.request(wanted, { reason: 'test', as: 'member-1' });
    await estate.gcos.requests.approve(request, { as: 'president' });
    const code = await estate.gcos.exceptions.grant(wanted, {
      reason: 'test',
      approvalRef: request,
      as: 'member-1',
    });
    await estate.db.transaction({ isolation: 'repeatable read' }, async (tx) => void (await run(tx)));
    const ledger = async () => (await estate.gcos.ledgers.verify({ scope: 'execution' })).scopes[0];
    const before = await ledger();
    expect(before).toMatchObject({ exceptions: 1, closes: true });
    expect(before?.unverified_by['not_evaluated']).toBeUndefined();
    const explained = await estate.gcos.explanations.object('dot_tools', 'DOT-142', { scope: 'execution' });
    expect(explained.scopes[0]).toMatchObject({ coverage_outcome: 'exception', valid: true });
    expect(explained.scopes[0]?.links).toMatchObject([
      { link: 'dot_authority', state: 'resolved', ref: 'GOV-DOT', via: 'registry' },
      { link: 'owner', state: 'resolved', ref: 'GOV-DOT', via: 'object' },
      {
        link: 'rollback',
        state: 'excepted',
        exception: code,
        sentence: `rollback: missing, accepted by exception \`${code}\``,
      },
    ]);
    // The row says exception, and nobody has looked again: the ledger asks the one predicate itself.
    await estate.gcos.exceptions.revoke(code, { reason: 'test', as: 'member-1' });
    expect(await ledger()).toMatchObject({
      exceptions: 0,
      unverified: (before?.unverified ?? 0) + 1,
      unverified_by: { exception_lapsed: 1 },
      total: before?.total,
      closes: true,
    });
    const lapsed = await estate.gcos.explanations.object('dot_tools', 'DOT-142', { scope: 'execution' });
    expect(lapsed.scopes[0]).toMatchObject({
      exception_change: 'exception_lapsed',
      exceptions: [{ code, standing: 'revoked' }],
    });
    await estate.db.transaction({ isolation: 'repeatable read' }, async (tx) => void (await run(tx)));
    expect(await ledger()).toMatchObject({
      exceptions: 0,
      orphans: (before?.orphans ?? 0) + 1,
      unverified: before?.unverified,
    });
    await asHost(
      estate.url,
      `update system_issues set status = 'resolved' where source_system = 'gcos'; delete from system_issues where source_system = 'gcos';
      truncate governance_finding_key; truncate governance_exception;`,
    );
    await evaluateAndKeep();
  });

  it('tells of its own exceptions that nobody approved, that are over, and that are about something else by now', async () => {
    await undone(async (tx) => {
      const exception = (scope: string, expires: string, fingerprint: string) =>
        `insert into governance_exception (subject_kind, collection_name, scope, link, reason, requested_by, granted_at, expires_at, fingerprint)
         values ('collection', 'venues', '${scope}', 'owner', 'x', 'member-1', '2026-01-01', '${expires}', '${fingerprint}')`;
      await tx.script(exception('health', '2999-01-01', 'x'));
      await tx.script(exception('policy', '2026-02-01', 'x'));
      const { done } = await run(tx);
      const told = done.raised.filter((each) => each.subject.startsWith('governance_exception/'));
      expect(told.map((each) => [each.type, each.scope]).sort()).toEqual([
        ['exception_expired', 'policy'],
        ['unratified_exception', 'health'],
      ]);
      // Nobody approved it: the gap is an orphan all the same.
      expect(done.raised.filter(is('owner_gap', 'health')).length).toBe(1);
      await tx.script(`update governance_exception set revoked_at = '2026-03-01', revoked_by = 'x'`);
      const cured = await run(tx, []);
      expect(cured.done.resolved.map((each) => each.subject).sort()).toEqual(
        told.map((each) => each.subject).sort(),
      );
    });
  });

  it('flags every canary, stores none, and says which rule no longer works', async () => {
    await undone(async (tx) => {
      const { found } = await run(tx);
      expect(found.canaries).toEqual({ fed: 18, missed: [] });
      expect(areCanariesFlagged(found)).toBe(true);
      expect(JSON.stringify(found.pages)).not.toContain('canary');
      expect(
        await rows(
          tx,
          `select 1 from governance_candidate_state where coverage_evidence::text like '%canary%' union all
        select 1 from governance_candidate_object where coverage_evidence::text like '%canary%'`,
        ),
      ).toEqual([]);
      // A rule by which everything that is written anywhere counts as an approval.
      await tx.script(
        `update governance_setting set setting_value = setting_value || '[{"link": "approval", "form": "."}]' where setting_key = 'verdict.link_evidence'`,
      );
      const broken = await run(tx);
      expect(broken.found.canaries.missed).toEqual(['approval dangling']);
      expect(areCanariesFlagged(broken.found)).toBe(false);
      // Only what is of the form is taken at its word.
      await tx.script(
        `update governance_setting set setting_value = jsonb_set(setting_value, '{-1,form}', '"^LAB-APPROVAL-[0-9]+$"') where setting_key = 'verdict.link_evidence'`,
      );
      const mended = await run(tx);
      expect(areCanariesFlagged(mended.found)).toBe(true);
      expect(
        await rows(
          tx,
          `select distinct c.coverage_outcome from governance_candidate_state c join governance_inventory i using (inventory_key)
           where i.source_registry like 'lab%' and c.scope = 'approval' and c.row_state = 'active' and c.candidate_verdict = 'relevant'`,
        ),
      ).toEqual([{ coverage_outcome: 'covered' }]);
    });
  });

  it('needs no more rights than a worker has', async () => {
    const people = createPeople(estate.url);
    const { gcos } = await people.login('coverage', 'gcos_worker');
    await gcos.db.rehearse({ isolation: 'repeatable read' }, async (tx) => {
      const { found, done } = await run(tx);
      expect(areCanariesFlagged(found)).toBe(true);
      expect(found.outcomes.not_evaluated).toBe(0);
      expect(done.raised.length).toBeGreaterThan(80);
    });
    await people.close();
  });

  it('leaves to the promoter the findings about signals that are held', async () => {
    await undone(async (tx) => {
      const at = await readServerTime(tx);
      const version = (await readActive(tx))?.version ?? null;
      const held = {
        type: 'issue_event_gap',
        subject: 'owner.gap',
        rootCause: 'inactive',
        entityType: 'event_type',
        entityCode: 'owner.gap',
      };
      await writeFindings(tx, [held], {
        mapping,
        runId: 'promoter',
        at,
        ruleset: version,
        activeRuleset: version,
      });
      const { done } = await run(tx);
      expect(done.resolved).toEqual([]);
      expect(done.raised.filter(is('issue_event_gap')).length).toBe(2);
    });
    // And the promoter leaves those about routes.
    await estate.db.transaction({ isolation: 'repeatable read' }, async (tx) => void (await run(tx)));
    const { findings } = await estate.gcos.promoteSignals();
    expect(findings.resolved).toEqual([]);
  });
});
