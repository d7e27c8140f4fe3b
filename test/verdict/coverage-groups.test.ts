// Which groups an evaluation of coverage reads and what it stores for each. One evaluation of all groups
// gives the same result as several evaluations of parts.
import { describe, expect, it } from 'vitest';
import { run, tool, undone, useCoverage } from '../support/coverage.js';
import { rowsIn } from '../support/database.js';

useCoverage();

describe('coverage of groups', () => {
  it('stores how each link resolved or that it is missing, and one change of outcome in the history', async () => {
    await undone(async (tx) => {
      await run(tx);
      const [tool117] = await rowsIn(
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
      const [articles] = await rowsIn(
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
        await rowsIn(
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

  it('evaluates only the given groups, and changes no others', async () => {
    await undone(async (tx) => {
      const all = await run(tx);
      const [{ key } = { key: '' }] = (await rowsIn(
        tx,
        `select inventory_key as key from governance_inventory
        where source_registry = 'dot_tools' and lifecycle_status = 'active'`,
      )) as { key: string }[];
      await tx.script(`${tool('DOT-117', 'approval_ref', 'APR-0001')}; ${tool('DOT-001', 'approval_ref', null)};
        update governance_object_ownership set approval_ref = null where object_ref = 'DOT-001';
        update information_unit set law_ref = null`);
      const partial = await run(tx, [key]);
      expect(partial.found.lookedAt).toBe(6);
      expect(partial.found.evaluated).toBeLessThan(all.found.evaluated);
      expect(partial.found.written).toBe(2);
      expect(partial.done.resolved.map((each) => each.type)).toEqual(['approval_path_gap']);
      expect(partial.done.raised.map((each) => [each.type, each.scope])).toEqual([
        ['approval_path_gap', 'approval'],
      ]);
      expect(partial.done.raised[0]?.key).toContain('DOT-001');
      const none = await run(tx, []);
      expect(none.found).toMatchObject({ lookedAt: 0, evaluated: 0, changed: 0, written: 0 });
      expect(none.done).toMatchObject({ raised: [], resolved: [], reopened: [] });
    });
  });

  it('updates expired delegations and direct writes even when it evaluates no group', async () => {
    await undone(async (tx) => {
      await run(tx);
      await tx.script(`update governance_object_ownership set effective_to = '2999-01-01' where owner_kind = 'delegated';
        update registry_changelog set resolved = true where entity_code = 'DOT-240' and action = 'direct_update';
        insert into registry_changelog (entity_type, entity_code, action, "timestamp", alert_level, resolved)
        values ('dot_tool', 'DOT-100', 'direct_delete', now(), 'critical', false);
        update pivot_definitions set status = 'retired' where code = 'PVT-036'`);
      const partial = await run(tx, []);
      expect(partial.done.resolved.map((each) => each.type).sort()).toEqual([
        'delegation_expired',
        'direct_write_bypass',
      ]);
      expect(partial.done.raised.map((each) => each.type)).toEqual(['direct_write_bypass']);
      // Findings about groups it did not evaluate stay as they were until the next full evaluation.
      expect((await run(tx)).done.resolved.map((each) => [each.type, each.subject])).toEqual([
        ['axis_unregistered', 'sentiment'],
      ]);
    });
  });

  it('gives the same result in one evaluation as in several', async () => {
    const outcomes = `select row_id, coverage_outcome, coverage_evidence from governance_candidate_state where row_state = 'active'
      union all select row_id, coverage_outcome, coverage_evidence from governance_candidate_object where row_state = 'active' order by 1`;
    const open = `select k.coalesce_key, k.severity, k.routes from governance_finding_key k join system_issues i on i.id = k.issue_id where i.status = 'open' order by 1`;
    let whole: unknown;
    await undone(async (tx) => {
      await run(tx);
      whole = [await rowsIn(tx, outcomes), await rowsIn(tx, open)];
    });
    await undone(async (tx) => {
      const keys = (await rowsIn(tx, 'select inventory_key from governance_inventory order by 1')).map(
        (row) => String(row['inventory_key']),
      );
      const third = Math.ceil(keys.length / 3);
      for (const from of [0, third, 2 * third]) await run(tx, keys.slice(from, from + third));
      await run(tx);
      expect([await rowsIn(tx, outcomes), await rowsIn(tx, open)]).toEqual(whole);
    });
  });

  it('gives the same result in one statement as in pages, with large groups divided by scope', async () => {
    const evaluate = async (rowsAtOnce: number) => {
      let result: unknown;
      let parts = 0;
      await undone(async (tx) => {
        for (const kind of ['state', 'object'])
          await tx.script(`update governance_candidate_${kind} set coverage_evidence = null, coverage_scan_ref = null,
            coverage_outcome = case when coverage_required then 'not_evaluated' end where row_state = 'active'`);
        const { found, done } = await run(tx, undefined, undefined, rowsAtOnce);
        const stored = await rowsIn(
          tx,
          `select row_id, coverage_outcome, coverage_evidence, issue_ref is null as free from governance_candidate_state where row_state = 'active'
           union all select row_id, coverage_outcome, coverage_evidence, issue_ref is null from governance_candidate_object where row_state = 'active' order by 1`,
        );
        const { pages, parts: list, ...counts } = found;
        parts = list.length;
        const raised = done.raised.map((each) => `${each.key} ${each.severity} ${each.count}`).sort();
        result = { counts, raised, stored, observed: pages.flatMap((page) => page.observations).length };
      });
      return { result, parts };
    };
    const whole = await evaluate(1_000_000);
    const paged = await evaluate(30);
    expect(paged.result).toEqual(whole.result);
    expect(whole.parts).toBe(1);
    expect(paged.parts).toBeGreaterThan(20);
  });
});
