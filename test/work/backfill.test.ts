// The backfill on the demo estate: what it proves, what a second run does, and which errors it detects.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BackfillReport } from '../../src/index.js';
import { runCli } from '../support/cli.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate, prepareEstate } from '../support/estate.js';
import { evidence, some } from '../support/evidence.js';
import { type Recount, recount } from '../support/recount.js';
import { putRulesIntoForce } from '../support/ruleset-in-force.js';

const ROWS = `select md5(string_agg(x, '|' order by row_id)) as rows from (
  select s::text as x, row_id from governance_candidate_state s union all select o::text, row_id from governance_candidate_object o) c`;

let estate: Estate;
let report: BackfillReport;
const prepared = prepareEstate('ruled', async ({ gcos }) => {
  report = await gcos.backfills.run({});
});
const one = async (sql: string) => (await asHost(estate.url, sql))[0] ?? {};

describe('a backfill', () => {
  let counted: Recount;
  // One copy for all tests: none of them changes it.
  beforeAll(async () => {
    estate = await prepared.copy();
    counted = await recount(estate.url);
  });
  afterAll(() => estate.close());

  it('seed 31 §9 obligation 1, no omission: seeded and deferred units are the inventory, counted without the product', async () => {
    // The estate lists members without a birth; GCOS's own event types are among them.
    expect(counted.unborn).toEqual(
      expect.arrayContaining(['dot_tools DOT-308', 'dot_tools DOT-309', 'route_registry RT-030']),
    );
    expect(report.scanned).toBe(BigInt(counted.births));
    expect(report.proof).toMatchObject({ closed: true, omitted: 0n, duplicated: 0n, mismatchedGroups: [] });
    expect(report.ledger?.scopes).toHaveLength(6);
    for (const { scope, inventory, total, notRelevant, tombstones, deferredBy } of report.ledger?.scopes ??
      []) {
      expect({ scope, inventory, tombstones }).toEqual({ scope, inventory: counted.units, tombstones: 0 });
      expect({ scope, units: total + notRelevant }).toEqual({ scope, units: counted.units });
      expect({ scope, unborn: deferredBy['unborn'] }).toEqual({ scope, unborn: counted.unborn.length });
    }
    // By name, and in every scope.
    const deferred = await asHost(
      estate.url,
      `select collection_name || ' ' || entity_code as name, count(*)::int as scopes from governance_candidate_object
       where candidate_verdict = 'deferred_birth' and birth_id is null and row_state = 'active' group by 1`,
    );
    expect(new Map(deferred.map((row) => [row['name'], row['scopes']]))).toEqual(
      new Map(counted.unborn.map((name) => [name, 6])),
    );
    const explained = await runCli([
      ...['explain', 'route_registry', 'RT-030', '--scope', 'audit', '--database-url', estate.url],
    ]);
    expect(explained.stdout).toContain('deferred_birth');
    evidence(
      `${some(counted.births, 'birth')}: ${counted.containers} containers, ${counted.singles} single objects, ${counted.unborn.length} unborn; 0 omitted`,
    );
  });

  it('seed 31 §9 obligation 2, no duplicate processing: every key has one live row per scope', async () => {
    expect(
      await asHost(
        estate.url,
        `select collection_name, entity_code, scope from governance_candidate_object where row_state <> 'superseded'
         group by 1, 2, 3 having count(*) > 1`,
      ),
    ).toEqual([]);
    expect(
      await asHost(
        estate.url,
        `select inventory_key, scope from governance_candidate_state where row_state <> 'superseded'
         group by 1, 2 having count(*) > 1`,
      ),
    ).toEqual([]);
    evidence(`0 keys with two live rows among ${some(report.candidateRows, 'candidate row')}`);
  });

  it('seed 31 §9 obligation 3, invariant closes: in every scope the rows, added up without the product, are its terms and the inventory', async () => {
    const sums = await asHost(
      estate.url,
      `select scope, count(*)::int as units, count(*) filter (where candidate_verdict = 'not_relevant')::int as not_relevant,
         count(*) filter (where candidate_verdict = 'class_0')::int as class_0, count(*) filter (where candidate_verdict = 'retired')::int as retired,
         count(*) filter (where candidate_verdict = 'deferred_birth')::int as deferred
       from (select scope, candidate_verdict from governance_candidate_state where weight = 1 and row_state = 'active'
         union all select scope, candidate_verdict from governance_candidate_object where weight = 1 and row_state = 'active') as unit
       group by scope order by scope`,
    );
    expect(sums).toHaveLength(6);
    const ledger = [...(report.ledger?.scopes ?? [])].sort((a, b) => (a.scope < b.scope ? -1 : 1));
    expect(
      ledger.map((each) => ({
        scope: each.scope,
        units:
          each.covered +
          each.orphans +
          each.exceptions +
          each.retired +
          each.unverified +
          each.deferredBirth +
          each.class_0 +
          each.notRelevant,
        not_relevant: each.notRelevant,
        class_0: each.class_0,
        retired: each.retired,
        deferred: each.deferredBirth,
      })),
    ).toEqual(sums);
    for (const { scope, units } of sums) expect({ scope, units }).toEqual({ scope, units: counted.units });
    evidence(`${some(sums.length, 'scope')} of ${some(counted.units, 'unit')} each`);
  });

  it('seed 31 §9 obligation 4, audit-anchored: the ledger is in a second snapshot row and in one audit row', async () => {
    expect(report.closingSnapshotId).not.toBe(report.snapshotId);
    expect(
      await one(
        `select metrics ->> 'phase' as phase, metrics #>> '{closing,proof,closed}' as closed,
           jsonb_array_length(metrics #> '{closing,ledger,scopes}') as scopes
         from evolution_snapshots where id = ${report.closingSnapshotId}`,
      ),
    ).toEqual({ phase: 'tailing', closed: 'true', scopes: report.ledger?.scopes.length });
    expect(
      await asHost(
        estate.url,
        `select entity_code from registry_changelog where entity_type = 'governance_reconciliation' and action = 'close'`,
      ),
    ).toEqual([{ entity_code: report.runId }]);
    evidence(
      `snapshot ${report.closingSnapshotId} after ${report.snapshotId}, one audit row of ${report.runId}`,
    );
  });

  it('reports its status, and verifies', async () => {
    const status = await runCli(['backfill', 'status', '--database-url', estate.url]);
    expect(status.exit).toBe(0);
    expect(status.stdout).toMatch(/phase +tailing/);
    expect(status.stdout).toContain('nothing omitted, nothing counted twice');
    expect(status.stdout).not.toContain('could not be taken in');
    const verify = await runCli(['backfill', 'verify', '--json', '--database-url', estate.url]);
    expect(verify.exit, verify.stderr).toBe(0);
    expect(JSON.parse(verify.stdout)).toMatchObject({ proof: { closed: true, mismatched_groups: [] } });
  });
});

describe('a backfill after the first', () => {
  beforeEach(async () => {
    estate = await prepared.copy();
  });
  afterEach(() => estate.close());

  it('seed 40 §40.10 test 2, no explosion: the number of state rows is O(groups), and children add none', async () => {
    const rows = await one('select count(*)::int as n from governance_candidate_state');
    expect(rows).toEqual({ n: Number(report.groups) });
    const before = await one(ROWS);
    await asHost(
      estate.url,
      `insert into birth_registry (entity_code, collection_name, species_code, governance_role, status, dot_origin)
       select 'MORE-' || n, 'articles', b.species_code, b.governance_role, 'born', b.dot_origin
       from generate_series(1, 5000) n, (select * from birth_registry where collection_name = 'articles' and entity_code = 'A-99123') b`,
    );
    const again = await estate.gcos.backfills.run({});
    expect(again.proof).toMatchObject({ closed: true });
    expect(again.ledger?.scopes.map(({ scope, total }) => [scope, total])).toEqual(
      report.ledger?.scopes.map(({ scope, total }) => [scope, total]),
    );
    expect(await one(ROWS)).toEqual(before);
    evidence(
      `+5,000 children of ${some(report.scanned, 'birth')}: ${some(report.candidateRows, 'candidate row')} before and after`,
    );
  });

  it('a second run changes no candidate row', async () => {
    const before = await one(ROWS);
    const again = await estate.gcos.backfills.run({});
    expect(again).toMatchObject({ phase: 'tailing', changedRows: 0n, proof: { closed: true } });
    expect(await one(ROWS)).toEqual(before);
  });

  it('seed 31 §9 obligation 3, invariant closes: a lost row is a finding that names its group, until a run closes again', async () => {
    const [gone] = await asHost(
      estate.url,
      `delete from governance_candidate_state where row_id = (
         select row_id from governance_candidate_state s join governance_inventory i using (inventory_key)
         where i.source_registry = 'orders' and s.scope = 'audit' and s.row_state = 'active' order by row_id limit 1)
       returning group_key, inventory_key`,
    );
    const verify = await runCli(['ledger', 'verify', '--database-url', estate.url]);
    expect(verify.exit).toBe(2);
    expect(verify.stdout + verify.stderr).toContain('orders');
    const open = async () => {
      const list = [
        'finding',
        'list',
        '--type',
        'governance_schema_drift',
        '--json',
        '--database-url',
        estate.url,
      ];
      const { findings } = JSON.parse((await runCli(list)).stdout) as {
        findings: { code: string; scope: string }[];
      };
      return findings;
    };
    expect(await open()).toEqual([]);
    const run = await runCli(['backfill', 'run', '--json', '--database-url', estate.url]);
    expect(run.exit).toBe(2);
    const [finding, ...others] = await open();
    expect([finding?.scope, others]).toEqual(['audit', []]);
    const detail = await runCli([
      'finding',
      'show',
      finding?.code ?? '',
      '--json',
      '--database-url',
      estate.url,
    ]);
    expect(detail.stdout).toContain(String(gone?.['inventory_key']));
    expect(detail.stdout).toContain('orders');
    evidence(`a row of orders in scope audit lost: ${finding?.code} names its group`);
    const shown = await runCli(['ledger', 'show', '--database-url', estate.url]);
    expect(shown.exit).toBe(2);
    expect(shown.stdout).toMatch(/run backfill-\S+ counted at .* and did not close/);
    expect(
      await asHost(
        estate.url,
        `select count(*)::int as n from governance_candidate_state where inventory_key = '${gone?.['inventory_key']}' and scope = 'audit'`,
      ),
    ).toEqual([{ n: 1 }]);
    const after = await runCli(['backfill', 'run', '--json', '--database-url', estate.url]);
    expect(after.exit, after.stderr).toBe(0);
    expect(await open()).toEqual([]);
  });

  it('goes on under the approved rules when others are in the tables', async () => {
    const before = await one(ROWS);
    await asHost(
      estate.url,
      "update coverage_profile set required_links = '{}' where class_pattern = 'order%'",
    );
    expect(await estate.gcos.backfills.run({})).toMatchObject({ ledger: { closes: true } });
    expect(await one(ROWS)).toEqual(before);
    await putRulesIntoForce(estate.gcos);
    expect(await estate.gcos.backfills.run({})).toMatchObject({
      proof: { closed: true },
      ledger: { closes: true },
    });
    expect(
      await one(
        `select distinct s.candidate_verdict from governance_candidate_state s join governance_inventory i using (inventory_key)
         where i.source_registry = 'orders' and i.lifecycle_status = 'born' and s.scope = 'policy' and s.row_state = 'active'`,
      ),
    ).toEqual({ candidate_verdict: 'not_relevant' });
  });

  it('verify detects a wrong running fingerprint, and a run repairs it', async () => {
    await asHost(
      estate.url,
      `update governance_inventory set h1 = h1 + 1, member_count = member_count + 1
       where source_registry = 'orders' and lifecycle_status = 'born'`,
    );
    const verify = await runCli(['backfill', 'verify', '--json', '--database-url', estate.url]);
    expect(verify.exit).toBe(2);
    expect(JSON.parse(verify.stdout)).toMatchObject({ proof: { closed: false, duplicated: '1' } });
    const run = await estate.gcos.backfills.run({});
    expect(run.proof.closed).toBe(true);
    expect(run.proof.repairedGroups).toBeGreaterThan(0);
  });
});

describe('a backfill without rules in force', () => {
  it('runs under the draft, closes, and verifies nothing', async () => {
    const estate = await createEstate('installed');
    try {
      const report = await estate.gcos.backfills.run({});
      expect(report.proof.closed).toBe(true);
      expect(report.ledger?.closes).toBe(true);
      for (const each of report.ledger?.scopes ?? []) expect(each.verifiedShare, each.scope).toBe(0);
    } finally {
      await estate.close();
    }
  });
});
