// The ledger: each unit counts once per scope, both sides agree in each group, deleted rows are detected.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ScopeLedger } from '../../src/index.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { evidence } from '../support/evidence.js';
import { close, judge } from '../support/judged.js';
import { setBirthsAside } from '../support/retry-rows.js';

const sumOf = (each: ScopeLedger) =>
  each.covered +
  each.orphans +
  each.exceptions +
  each.retired +
  each.unverified +
  each.deferredBirth +
  each.class_0;

const drifts = (estate: Estate) =>
  asHost(
    estate.url,
    `select k.scope, i.status, i.evidence_snapshot::jsonb -> 'facts' as facts from governance_finding_key k
     join system_issues i on i.id = k.issue_id where k.finding_type = 'governance_schema_drift' order by 1`,
  );
const rowCount = async (estate: Estate) =>
  (
    await asHost(
      estate.url,
      `select (select count(*) from governance_candidate_state) || '/' || (select count(*) from governance_candidate_object) || '/' ||
         (select count(*) from system_issues) || '/' || (select count(*) from registry_changelog) as n`,
    )
  )[0]?.['n'];

describe('a ledger over an evaluated estate', () => {
  let estate: Estate;
  beforeEach(async () => {
    estate = await createEstate('judged');
  });
  afterEach(() => estate.close());
  const scopeOf = async (scope: string, at?: string) => {
    const [found] = (await estate.gcos.ledgers.verify({ scope, ...(at === undefined ? {} : { at }) })).scopes;
    if (found === undefined) throw new Error(scope);
    return found;
  };
  const host = (sql: string) => asHost(estate.url, sql);

  it('is shown as not closed, without scopes, before the first closing run', async () => {
    expect(await estate.gcos.ledgers.show()).toMatchObject({ closed: false, closes: false, scopes: [] });
  });

  it('seed 40 §40.10 test 6, invariant closes: per scope the terms add up to the inventory, and verifying writes nothing', async () => {
    const before = await rowCount(estate);
    const ledger = await estate.gcos.ledgers.verify();
    expect(ledger.closes).toBe(true);
    expect(ledger.scopes.map((each) => each.scope)).toEqual([
      'approval',
      'audit',
      'execution',
      'health',
      'policy',
      'render',
    ]);
    for (const each of ledger.scopes) {
      expect(each.total, each.scope).toBe(sumOf(each));
      expect(each.total + each.notRelevant, each.scope).toBe(each.inventory);
      expect(each).toMatchObject({
        closes: true,
        differing: 0,
        differences: [],
        gone: [],
        duplicates: 0,
        tombstones: 0,
      });
      expect(each.unverified, each.scope).toBe(
        Object.values(each.unverifiedBy).reduce((sum, units) => sum + units, 0),
      );
      expect(each.unverifiedBy['not_evaluated'], each.scope).toBeGreaterThan(0);
      expect(each.verifiedShare, each.scope).toBe((each.total - each.unverified) / each.total);
      for (const term of ['retired', 'deferredBirth', 'class_0', 'notRelevant', 'unverified'] as const)
        expect(each[term], `${each.scope} ${term}`).toBeGreaterThan(0);
      expect(each.deferredBy).toMatchObject({
        unborn: expect.any(Number),
        future_scope: expect.any(Number),
      });
    }
    expect(await rowCount(estate)).toBe(before);
  });

  it('counts a relevant unit by its outcome, and every unit exactly once', async () => {
    const before = await scopeOf('audit');
    const set = (code: string, outcome: string) =>
      host(
        `update governance_candidate_object set coverage_outcome = '${outcome}'
         where collection_name = 'dot_tools' and entity_code = '${code}' and scope = 'audit'`,
      );
    await set('DOT-001', 'covered');
    await set('DOT-002', 'covered');
    await set('DOT-003', 'orphan');
    await set('DOT-004', 'exception');
    const after = await scopeOf('audit');
    expect(after).toMatchObject({
      total: before.total,
      inventory: before.inventory,
      covered: before.covered + 2,
      orphans: before.orphans + 1,
      exceptions: before.exceptions + 1,
      unverified: before.unverified - 4,
      closes: true,
    });
    // A unit that is not valid is unverified, whatever its outcome.
    await host(
      `update governance_candidate_object set dirty = true, dirty_reason = 'test', dirtied_at = now()
       where collection_name = 'dot_tools' and entity_code = 'DOT-001' and scope = 'audit'`,
    );
    expect(await scopeOf('audit')).toMatchObject({
      covered: after.covered - 1,
      unverified: after.unverified + 1,
      unverifiedBy: { dirty: 1 },
      total: before.total,
      closes: true,
    });
  });

  it('closes with every unit unverified after all verdicts have expired', async () => {
    const later = await estate.gcos.ledgers.verify({ at: '2099-01-01T00:00:00Z' });
    expect(later.closes).toBe(true);
    for (const each of later.scopes) {
      expect(each).toMatchObject({ verifiedShare: 0, covered: 0, class_0: 0, notRelevant: 0 });
      expect(each.total).toBe(each.inventory);
    }
  });

  it('does not change with the number of children of a container', async () => {
    const before = await scopeOf('policy');
    await host(
      `insert into birth_registry (entity_code, collection_name, species_code, status)
       select 'CHILD-' || n, 'articles', 'SP-ARTICLE', 'born' from generate_series(1, 3000) n`,
    );
    expect(await scopeOf('policy')).toEqual(before);
  });

  it('accounts for objects without a row that wait for a retry or are dead-lettered', async () => {
    await host(
      `delete from governance_candidate_object where collection_name = 'dot_tools' and entity_code in ('DOT-060', 'DOT-061')`,
    );
    expect((await scopeOf('health')).closes).toBe(false);
    await host(
      setBirthsAside(
        'closing_run',
        "collection_name = 'dot_tools' and entity_code in ('DOT-060', 'DOT-061')",
        {
          dead: "case entity_code when 'DOT-060' then now() end",
        },
      ),
    );
    expect(await scopeOf('health')).toMatchObject({
      closes: true,
      unverifiedBy: { dead_lettered: 1, waiting_for_retry: 1 },
    });
    // A dead letter about an object that has a row is not counted again.
    await judge(estate);
    const after = await scopeOf('health');
    expect(after.closes).toBe(true);
    expect(after.unverifiedBy).not.toHaveProperty('dead_lettered');
  });

  it('counts tombstones on both sides and shows them separately; a source row that is back makes the sides differ', async () => {
    const before = await scopeOf('execution');
    await host("delete from birth_registry where collection_name = 'dot_tools' and entity_code = 'DOT-100'");
    await host("delete from dot_tools where dot_code = 'DOT-100'");
    const beforeEvaluation = await scopeOf('execution');
    expect(beforeEvaluation).toMatchObject({ closes: false, differing: 1 });
    expect(beforeEvaluation.differences).toMatchObject([
      { group: { sourceRegistry: 'dot_tools', lifecycleStatus: 'active' }, differs: 'count' },
    ]);
    await judge(estate);
    const afterEvaluation = await scopeOf('execution');
    expect(afterEvaluation).toMatchObject({ closes: true, tombstones: 1, inventory: before.inventory });
    await host(
      "insert into birth_registry (entity_code, collection_name, species_code, status) values ('DOT-100', 'dot_tools', 'SP-TOOL', 'born')",
    );
    expect(await scopeOf('execution')).toMatchObject({ closes: false });
    // An object that is back and waits for a retry is accounted for beside its tombstone.
    await host(setBirthsAside('closing_run', "collection_name = 'dot_tools' and entity_code = 'DOT-100'"));
    expect(await scopeOf('execution')).toMatchObject({
      closes: true,
      tombstones: 1,
      unverifiedBy: { waiting_for_retry: 1 },
    });
    await judge(estate);
    expect(await scopeOf('execution')).toMatchObject({ closes: true, tombstones: 0 });
  });

  it('a missing object and a surplus object do not cancel out', async () => {
    await host(
      `update governance_candidate_object set entity_code = 'SOMEBODY-ELSE', object_key = gcos_object_key(collection_name, 'SOMEBODY-ELSE')
       where collection_name = 'dot_tools' and entity_code = 'DOT-010' and scope = 'render'`,
    );
    const wrong = await scopeOf('render');
    expect(wrong).toMatchObject({ closes: false, differing: 1 });
    expect(wrong.differences).toMatchObject([{ group: { sourceRegistry: 'dot_tools' }, differs: 'keys' }]);
    expect(wrong.differences[0]?.left).toBe(wrong.differences[0]?.right);
    expect((await scopeOf('audit')).closes).toBe(true);
    await host(
      `update governance_candidate_object set entity_code = 'DOT-010', object_key = gcos_object_key(collection_name, 'DOT-010')
       where entity_code = 'SOMEBODY-ELSE'`,
    );
    expect((await scopeOf('render')).closes).toBe(true);
  });

  it('seed 31 §9 obligation 2, no duplicate processing: a key with two live rows does not close', async () => {
    for (const each of (await estate.gcos.ledgers.verify()).scopes) expect(each.duplicates).toBe(0);
    await host('drop index governance_candidate_object_one_live');
    // The row has weight 0: only the search for duplicates finds it.
    await host(
      `insert into governance_candidate_object (object_key, collection_name, entity_code, group_key, ruleset_version, inventory_key, scope,
         materialization_reason, reasons, source_snapshot_ref, scan_time, stale_after, candidate_verdict, verdict_line, risk_class,
         coverage_required, weight, input_hash, last_run_id, created_at, updated_at)
       select 'another', collection_name, entity_code, group_key, ruleset_version, inventory_key, scope, materialization_reason, reasons,
         source_snapshot_ref, scan_time, stale_after, candidate_verdict, verdict_line, risk_class, coverage_required, 0, input_hash,
         last_run_id, created_at, updated_at
       from governance_candidate_object where collection_name = 'dot_tools' and entity_code = 'DOT-011' and scope = 'audit'`,
    );
    expect(await scopeOf('audit')).toMatchObject({ closes: false, duplicates: 1, differing: 0 });
    expect((await scopeOf('policy')).closes).toBe(true);
    await host("delete from governance_candidate_object where object_key = 'another'");
  });

  it('seed 31 §9 obligation 3, invariant closes: a group without a verdict is named in every scope', async () => {
    await host(
      "insert into birth_registry (entity_code, collection_name, species_code, status) values ('V-NEW', 'venues', 'SP-PLACE', 'condemned')",
    );
    const ledger = await estate.gcos.ledgers.verify();
    expect(ledger.closes).toBe(false);
    for (const each of ledger.scopes)
      expect(each).toMatchObject({
        closes: false,
        differing: 1,
        differences: [
          {
            group: { sourceRegistry: 'venues', lifecycleStatus: 'condemned' },
            left: 1,
            right: 0,
            differs: 'count',
          },
        ],
      });
    await judge(estate);
    expect((await estate.gcos.ledgers.verify()).closes).toBe(true);
  });

  it('refuses an unknown scope', async () => {
    await expect(estate.gcos.ledgers.verify({ scope: 'nowhere' })).rejects.toMatchObject({
      code: 'ledger_scope_unknown',
      exit: 3,
    });
  });
});

describe('closing runs', () => {
  let estate: Estate;
  let first: Awaited<ReturnType<typeof close>>;
  beforeEach(async () => {
    estate = await createEstate('judged');
    first = await close(estate, 'run-1');
  });
  afterEach(() => estate.close());
  const deleteRow = (collection: string, scope: string) =>
    asHost(
      estate.url,
      `delete from governance_candidate_state where row_id = (
         select row_id from governance_candidate_state s join governance_inventory i using (inventory_key)
         where i.source_registry = '${collection}' and s.scope = '${scope}' and s.row_state = 'active' order by 1 limit 1)
       returning inventory_key`,
    );

  it('close, are shown with the changes since then, and raise no finding', async () => {
    const { ledger, findings } = first;
    expect(ledger.closes).toBe(true);
    expect(findings).toMatchObject({ raised: [], reopened: [], resolved: [] });
    const shown = await estate.gcos.ledgers.show();
    expect(shown).toMatchObject({ closed: true, closes: true, runId: 'run-1', since: [] });
    expect(shown.scopes).toEqual(ledger.scopes);
    await asHost(
      estate.url,
      `update governance_candidate_state s set dirty = true, dirty_reason = 'test', dirtied_at = now()
       from governance_inventory i where i.inventory_key = s.inventory_key and i.source_registry = 'articles' and s.scope = 'audit'`,
    );
    const [since] = (await estate.gcos.ledgers.show()).since;
    expect(since).toMatchObject({ scope: 'audit', groupsWithoutRow: 0 });
    expect(since?.noLongerValid['dirty']).toBeGreaterThan(0);
    expect((await estate.gcos.ledgers.show()).scopes).toEqual(ledger.scopes);
    await judge(estate);
    expect((await estate.gcos.ledgers.show()).since).toEqual([]);
  });

  it('seed 40 §40.10 test 6, invariant closes: a run that does not close raises governance_schema_drift, only in the scope concerned', async () => {
    const [gone] = await deleteRow('orders', 'audit');
    // Verifying raises no finding; only a closing run does.
    const found = await estate.gcos.ledgers.verify();
    expect(found.scopes.filter((each) => !each.closes).map((each) => each.scope)).toEqual(['audit']);
    expect(await drifts(estate)).toEqual([]);
    const second = await close(estate, 'run-2');
    expect(second.ledger.closes).toBe(false);
    evidence(`a row of ${gone?.['inventory_key']} gone: scope audit does not close, governance_schema_drift`);
    expect(second.findings.raised).toMatchObject([
      { type: 'governance_schema_drift', scope: 'audit', change: 'raised', severity: 'high' },
    ]);
    expect(await drifts(estate)).toMatchObject([
      {
        scope: 'audit',
        status: 'open',
        facts: {
          groups: 1,
          rows_gone: 1,
          differences: [
            { inventory_key: gone?.['inventory_key'], source_registry: 'orders', left: 1, right: 0 },
          ],
          gone: [{ inventory_key: gone?.['inventory_key'], source_registry: 'orders', rows: 1 }],
        },
      },
    ]);
    // The second run did not close: the first is still the last closed one.
    expect(await estate.gcos.ledgers.show()).toMatchObject({
      runId: 'run-1',
      notClosedSince: { runId: 'run-2' },
    });
    await judge(estate);
    const third = await close(estate, 'run-3');
    expect(third.ledger.closes).toBe(true);
    expect(third.findings.resolved).toMatchObject([{ scope: 'audit', change: 'resolved' }]);
    expect(await estate.gcos.ledgers.show()).toMatchObject({ runId: 'run-3', notClosedSince: null });
    expect(await drifts(estate)).toMatchObject([{ scope: 'audit', status: 'resolved' }]);
  });

  it('detects a deleted row that was written again before the run, of groups and objects, with and without weight', async () => {
    // The group row of tools and the row of a duplicate birth have weight 0: no sum changes.
    const [group] = await deleteRow('dot_tools', 'policy');
    await asHost(
      estate.url,
      "delete from governance_candidate_object where collection_name = 'articles' and scope in ('audit', 'health') and entity_code = 'A-99101'",
    );
    const verified = await estate.gcos.ledgers.verify();
    expect(verified.closes).toBe(false);
    await judge(estate);
    const { ledger } = await close(estate, 'run-4');
    const gone = new Map(ledger.scopes.map((each) => [each.scope, each.gone]));
    expect(ledger.closes).toBe(false);
    expect(ledger.scopes.every((each) => each.differing === 0)).toBe(true);
    expect(gone.get('policy')).toMatchObject([
      { group: { inventoryKey: group?.['inventory_key'] }, rows: 1 },
    ]);
    for (const scope of ['audit', 'health'])
      expect(gone.get(scope)).toEqual([{ group: null, collection: 'articles', rows: 1 }]);
    for (const scope of ['approval', 'execution', 'render']) expect(gone.get(scope)).toEqual([]);
    expect(
      (await drifts(estate)).filter((row) => row['status'] === 'open').map((row) => row['scope']),
    ).toEqual(['audit', 'health', 'policy']);
    expect((await close(estate, 'run-5')).ledger.closes).toBe(true);
    expect((await drifts(estate)).filter((row) => row['status'] === 'open')).toEqual([]);
  });

  it('does not report superseded rows as deleted', async () => {
    // A new owner of the orders gives new keys and supersedes the old rows.
    await asHost(
      estate.url,
      `update governance_object_ownership set owner_gov_code = 'GOV-SIV'
       where object_type = 'collection' and object_ref = 'orders' and owner_kind = 'accountable'`,
    );
    await judge(estate);
    const [superseded] = await asHost(
      estate.url,
      "select count(*)::int as n from governance_candidate_state where row_state = 'superseded'",
    );
    expect(superseded?.['n']).toBeGreaterThan(0);
    expect((await close(estate, 'run-6')).ledger).toMatchObject({ closes: true });
  });
});
