// Seed 34, from the change in the host to the end of the scan: each trigger dirties what it names and nothing else, a scan takes it up
// and touches nothing else; and what must never follow from a count, from time or from an unborn object.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readGroupRows, readsAs } from '../../src/verdict/candidate/index.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { evidence } from '../support/evidence.js';
import { keepRulesInForce, putRulesIntoForce } from '../support/ruleset-in-force.js';

let estate: Estate;
/** The ledger of the estate as it was built. */
let ledger: Awaited<ReturnType<Estate['gcos']['scans']['run']>>['ledger'];
const host = (text: string) => asHost(estate.url, text);
const number = async (text: string) => Number((await host(text))[0]?.['n']);
const intake = () => estate.gcos.intakes.once();
const scan = (mode: 'event' | 'incremental' | 'full') => estate.gcos.scans.run({ mode });

interface Mark {
  readonly key: string;
  readonly registry: string;
  readonly scope: string;
  readonly reason: string;
}
const marks = async () =>
  (await host(
    `select distinct u.inventory_key as key, i.source_registry as registry, u.scope, u.reason from (
       select inventory_key, scope, dirty_reason as reason from governance_candidate_state where dirty and row_state = 'active'
       union all select inventory_key, scope, dirty_reason from governance_candidate_object where dirty and row_state = 'active') u
     join governance_inventory i using (inventory_key) order by 2, 3, 4`,
  )) as unknown as Mark[];
/** The rows of all inventory groups but `keys`, by their versions. */
const others = (keys: readonly string[]) =>
  host(
    ['governance_candidate_state', 'governance_candidate_object']
      .map(
        (table) =>
          `select '${table}' as t, md5(string_agg(row_id::text || xmin::text, '|' order by row_id)) as v from ${table}
           where inventory_key <> all ('{${keys.join(',')}}') and row_state <> 'superseded'`,
      )
      .join(' union all '),
  );
const bear = (collection: string, prefix: string, count: number, status = 'born') =>
  host(
    `insert into birth_registry (entity_code, collection_name, species_code, composition_level, dot_origin, governance_role, status)
     select '${prefix}-' || n, b.collection_name, b.species_code, b.composition_level, b.dot_origin, b.governance_role, '${status}'
     from generate_series(1, ${count}) as n,
       (select * from birth_registry where collection_name = '${collection}' and status = '${status}' order by id limit 1) as b`,
  );
/** Open findings about coverage, by what they are about. */
const coverage = (where = 'true') =>
  number(
    `select count(*)::int as n from system_issues s join governance_finding_key k on k.issue_id = s.id
     join governance_finding_type t on t.finding_type = k.finding_type
     where s.status = 'open' and t.family = 'coverage' and ${where}`,
  );

beforeAll(async () => {
  estate = await createEstate('backfilled');
  for (const [key, value] of [
    ['handoff.heartbeat', '{"seconds": 86400}'],
    ['scan.pace', '{"debounce_ms": 0, "at_once": 500, "full_share": 1}'],
  ])
    await host(`update governance_setting set setting_value = '${value}' where setting_key = '${key}'`);
  ({ ledger } = await scan('full'));
  await intake();
  await scan('incremental');
}, 60_000);
afterAll(() => estate?.close());

describe('the ledger of the demo estate', () => {
  it('is the one that docs/demo-estate.md explains, but for births of which a smaller estate has fewer', async () => {
    const text = readFileSync(new URL('../../docs/demo-estate.md', import.meta.url), 'utf8');
    const [devices = 0, jobs = 0] = await Promise.all(
      ['devices', 'publishing_jobs'].map((collection) =>
        number(`select count(*)::int as n from birth_registry where collection_name = '${collection}'`),
      ),
    );
    const told = [
      ...text.matchAll(
        /^\| (approval|audit|execution|health|policy|render) ((?:\| [\d,]+ ){8})\| [\d.]+ % \|$/gm,
      ),
    ].map(([, scope = '', cells = '']) => {
      const [total = 0, covered = 0, orphans = 0, exceptions, retired, unverified = 0, deferred, class0] =
        cells
          .split('|')
          .slice(1)
          .map((cell) => Number(cell.trim().replaceAll(',', '')));
      const fewer = { devices: 480 - devices, jobs: 240 - jobs };
      const [asCovered, asOrphans] = [
        scope === 'audit' ? fewer.jobs : 0,
        scope === 'execution' ? fewer.jobs : 0,
      ];
      return {
        scope,
        total: total - fewer.devices - asCovered - asOrphans,
        covered: covered - asCovered,
        orphans: orphans - asOrphans,
        exceptions,
        retired,
        unverified: unverified - fewer.devices,
        deferred_birth: deferred,
        class_0: class0,
      };
    });
    expect(told).toHaveLength(6);
    expect(ledger?.scopes).toMatchObject(told);
  });
});

interface Trigger {
  readonly name: string;
  readonly change: string;
  /** What is marked: the registry, the scopes (all of them if it is not said) and why. */
  readonly registry: string;
  readonly scopes?: readonly string[];
  readonly reason: RegExp;
  readonly undo?: string;
}
const TRIGGERS: readonly Trigger[] = [
  {
    name: 'an object is born',
    change: `insert into birth_registry (entity_code, collection_name, species_code, composition_level, dot_origin, governance_role, status)
      select 'S34-1', collection_name, species_code, composition_level, dot_origin, governance_role, status from birth_registry where collection_name = 'orders' and status = 'born' limit 1`,
    registry: 'orders',
    reason: /^handoff:object_born$/,
  },
  {
    name: 'an object is retired',
    change: `update birth_registry set status = 'retired' where id = (select min(id) from birth_registry where collection_name = 'pages' and status = 'born')`,
    registry: 'pages',
    reason: /^handoff:(object_retired|count_changed)$/,
  },
  {
    name: 'a collection is decided upon anew',
    change: `update collection_registry set coverage_scope_status = 'FUTURE_SCOPE' where collection_name = 'orders'`,
    registry: 'orders',
    reason: /^handoff:collection_changed$/,
    undo: `update collection_registry set coverage_scope_status = 'IN_SCOPE' where collection_name = 'orders'`,
  },
  {
    name: 'an owner changes',
    change: `update governance_object_ownership set owner_gov_code = 'GOV-DOT' where object_type = 'collection' and object_ref = 'orders' and scope = 'audit' and lifecycle_status = 'active'`,
    registry: 'orders',
    scopes: ['audit'],
    reason: /^authority$/,
  },
  {
    name: 'an exception changes',
    change: `update exception_registry set expires_at = '2027-06-30' where exception_code = 'EXC-001'`,
    registry: 'contracts',
    scopes: ['execution'],
    reason: /^authority$/,
  },
  {
    name: 'an approval is given',
    change: `insert into approval_requests (code, action_code, proposed_action, proposer, status, decided_at)
        values ('APR-9100', (select min(action_code) from apr_action_types), '{}', 'someone', 'approved', now());
      update dot_tools set approval_ref = 'APR-9100' where dot_code = 'DOT-117'`,
    registry: 'dot_tools',
    reason: /^(handoff:member_changed|authority)$/,
    undo: `update dot_tools set approval_ref = null where dot_code = 'DOT-117'`,
  },
  {
    name: 'an object is run by another tool',
    change: `update birth_registry set dot_origin = 'DOT-001' where id = (select min(id) from birth_registry where collection_name = 'publishing_jobs')`,
    registry: 'publishing_jobs',
    reason: /^handoff:object_changed$/,
  },
];

describe('seed 34 §4 and seed 40 §40.10 test 4: a trigger dirties what it names, and a scan takes up that and nothing else', () => {
  it.each(TRIGGERS)('$name', async ({ change, registry, scopes, reason, undo }) => {
    for (const text of [change, ...(undo === undefined ? [] : [undo])]) {
      await host(text);
      await intake();
      const marked = await marks();
      expect(new Set(marked.map((each) => each.registry))).toEqual(new Set([registry]));
      for (const each of marked) expect(each.reason).toMatch(reason);
      if (scopes !== undefined) expect(new Set(marked.map((each) => each.scope))).toEqual(new Set(scopes));
      const keys = [...new Set(marked.map((each) => each.key))];
      const before = await others(keys);
      const report = await scan('event');
      expect(report.looked_at).toBe(keys.length * 6);
      expect(await marks()).toEqual([]);
      expect(await others(keys)).toEqual(before);
    }
  });

  it('an axis is introduced: the groups of its family', async () => {
    await host(
      `update axis_registry set owner_gov_code = 'GOV-DOT' where axis_code = (select min(axis_code) from axis_registry join governance_inventory using (axis_family))`,
    );
    await intake();
    const marked = (await marks()).filter((each) => each.registry !== 'axis_registry');
    const families = await host(
      `select distinct axis_family from governance_inventory where inventory_key = any ('{${marked.map((each) => each.key).join(',')}}')`,
    );
    expect(families).toHaveLength(1);
    await keepRulesInForce(estate.gcos);
    await scan('incremental');
    expect(await marks()).toEqual([]);
  });

  it('a snapshot drifts: the groups that differ', async () => {
    await estate.gcos.snapshots.capture({ kind: 'scan' });
    await intake();
    await scan('incremental');
    await host(
      `delete from birth_registry where id = (select min(id) from birth_registry where collection_name = 'comments' and status = 'born')`,
    );
    await estate.gcos.snapshots.capture({ kind: 'scan' });
    await intake();
    const marked = await marks();
    expect(marked).toHaveLength(6);
    for (const each of marked) expect(each).toMatchObject({ registry: 'comments', reason: 'snapshot_drift' });
    expect(await scan('event')).toMatchObject({ looked_at: 6, changed: 0 });
    expect(await marks()).toEqual([]);
    // What the next recomputation finds out about it by itself belongs to this test.
    await host(
      'update birth_registry set certified = certified where id = (select min(id) from birth_registry)',
    );
    await intake();
    await scan('incremental');
  });

  it('its time is over: that group, which nobody marked', async () => {
    const [row] = await host(
      `update governance_candidate_state c set stale_after = now() - interval '1 second' from governance_inventory i
       where i.inventory_key = c.inventory_key and i.source_registry = 'venues' and c.scope = 'audit' and c.row_state = 'active' returning c.inventory_key as key`,
    );
    await intake();
    expect(await marks()).toEqual([]);
    const before = await others([String(row?.['key'])]);
    expect(await scan('event')).toMatchObject({ looked_at: 0 });
    expect(await scan('incremental')).toMatchObject({ looked_at: 6, changed: 0 });
    expect(await others([String(row?.['key'])])).toEqual(before);
  });

  it('an input is corrected: the group of the object', async () => {
    await bear('payments', 'S34-FIX', 1);
    await host(`update birth_registry set born_at = '2999-01-01' where entity_code = 'S34-FIX-1'`);
    await intake();
    await scan('incremental');
    await host(`update birth_registry set born_at = now() where entity_code = 'S34-FIX-1'`);
    await intake();
    expect(new Set((await marks()).map((each) => each.registry))).toEqual(new Set(['payments']));
    await scan('event');
    expect(await marks()).toEqual([]);
    expect(
      await number(
        `select count(*)::int as n from governance_candidate_object where entity_code = 'S34-FIX-1' and row_state = 'active' and candidate_verdict = 'needs_input'`,
      ),
    ).toBe(0);
  });

  it('seeding again is no change: nothing is marked, no row is another one, nothing is found', async () => {
    expect(await scan('full')).toMatchObject({
      changed: 0,
      findings: { raised: 0, resolved: 0, reopened: 0 },
    });
  });
});

describe('seed 34 §6: stale', () => {
  it('is read once the time is over, with no write', async () => {
    const before = await others([]);
    await estate.db.transaction({ isolation: 'repeatable read', readOnly: true }, async (tx) => {
      const [{ now, later } = { now: '', later: '' }] = (await host(
        `select now()::text as now, (now() + interval '10 years')::text as later`,
      )) as { now: string; later: string }[];
      const [early, late] = [await readGroupRows(tx, { at: now }), await readGroupRows(tx, { at: later })];
      expect(early.filter((row) => readsAs(row) === 'stale')).toEqual([]);
      const alive = late.filter((row) => row.rowState === 'active');
      expect(alive.length).toBeGreaterThan(600);
      expect(alive.filter((row) => readsAs(row) !== 'stale')).toEqual([]);
      expect(alive.map((row) => row.candidateVerdict)).toEqual(
        early.filter((row) => row.rowState === 'active').map((row) => row.candidateVerdict),
      );
    });
    expect(await others([])).toEqual(before);
  });
});

describe('seed 34 §7: count > 1 is candidacy only', () => {
  it('many of what nothing is required of, of what is private, and of what inherits: no owner required, no finding, no row more', async () => {
    const rows = () =>
      number(
        `select (select count(*) from governance_candidate_state) + (select count(*) from governance_candidate_object) as n`,
      );
    const before = [await rows(), await coverage()];
    for (const collection of ['tags', 'user_drafts', 'articles'])
      await bear(collection, `S34-N-${collection}`, 500);
    await intake();
    expect(await scan('incremental')).toMatchObject({ findings: { raised: 0, reopened: 0 }, changed: 0 });
    expect([await rows(), await coverage()]).toEqual(before);
    const required = await number(
      `select count(*)::int as n from governance_candidate_state c join governance_inventory i using (inventory_key)
       where i.source_registry in ('tags', 'user_drafts') and c.row_state = 'active' and c.coverage_required`,
    );
    expect(required).toBe(0);
  });
});

describe('seed 34 §8: deferred_birth', () => {
  it('of members that were never born, and of what is for later: counted, and no governance finding', async () => {
    const before = await coverage();
    await host(
      `insert into route_registry select (jsonb_populate_record(r, '{"route_code": "RT-S34"}')).* from route_registry r where r.route_code = 'RT-009'`,
    );
    await bear('ml_features', 'S34-ML', 5);
    await intake();
    expect((await scan('full')).ledger).toMatchObject({ closes: true });
    const verdicts = await host(
      `select distinct candidate_verdict as verdict, weight from governance_candidate_object where entity_code = 'RT-S34' and row_state = 'active'`,
    );
    expect(verdicts).toEqual([{ verdict: 'deferred_birth', weight: 1 }]);
    expect(await coverage()).toBe(before);
    expect(await coverage(`s.entity_code in ('RT-S34', 'ml_features')`)).toBe(0);
  });

  it('seed 40 §40.10 test 6: the ledger of the scan closes in every scope, term by term', async () => {
    const { closes, scopes } = await estate.gcos.ledgers.show();
    expect(closes).toBe(true);
    expect(scopes).toHaveLength(6);
    for (const each of scopes) {
      const { covered, orphans, exceptions, retired, unverified, deferred_birth, class_0 } = each;
      expect(covered + orphans + exceptions + retired + unverified + deferred_birth + class_0).toBe(
        each.total,
      );
      expect(each.total + each.not_relevant).toBe(each.inventory);
    }
    evidence(scopes.map(({ scope, total }) => `${scope} ${total}`).join(', '));
  });
});

describe('a ruleset that is rolled back', () => {
  const active = async () =>
    String(
      (await host(`select ruleset_version as v from governance_ruleset where status = 'active'`))[0]?.['v'],
    );
  /** The tools that lack an approval: open findings about them. */
  const gaps = () => coverage(`k.finding_type = 'approval_path_gap' and s.entity_code = 'DOT-117'`);

  it('0 evaluations where inputs still match; what the other rules judged otherwise, and what waits anyway, is looked at', async () => {
    await keepRulesInForce(estate.gcos);
    await scan('incremental');
    const first = await active();
    expect(await gaps()).toBe(1);
    // A detector of everything in scope health, a profile that requires less of tools, another that lets verdicts hold for longer.
    const edit = (enabled: boolean, links: string, hours: number) =>
      host(`update measurement_registry set enabled = ${enabled} where measurement_id = (select min(measurement_id) from measurement_registry where law_code = 'LAW-12');
        update coverage_profile set required_links = required_links || '{"approval": ${links}}' where class_pattern = 'dot_tool';
        update coverage_profile set ttl = ttl + interval '${hours} hours' where class_pattern = 'order%'`);
    await edit(false, '["owner"]', 1);
    await putRulesIntoForce(estate.gcos);
    expect((await scan('incremental')).evaluated).toBeGreaterThan(100);
    expect(await gaps()).toBe(0);
    await host(
      `update governance_candidate_state c set dirty = true, dirty_reason = 'authority', dirtied_at = now() from governance_inventory i
       where i.inventory_key = c.inventory_key and i.source_registry = 'orders' and c.scope = 'audit' and c.row_state = 'active'`,
    );
    await edit(true, '["owner", "approval"]', -1);
    expect(await putRulesIntoForce(estate.gcos)).toBe(first);
    const marked = await marks();
    expect(new Set(marked.map((each) => `${each.registry} ${each.scope} ${each.reason}`))).toEqual(
      new Set(['dot_tools approval ruleset_bump', 'orders audit authority']),
    );
    const keys = [...new Set(marked.map((each) => each.key))];
    const before = await others(keys);
    expect(await scan('incremental')).toMatchObject({
      looked_at: keys.length * 6,
      evaluated: keys.length * 6,
    });
    expect(await others(keys)).toEqual(before);
    expect(await gaps()).toBe(1);
    expect(await scan('full')).toMatchObject({
      changed: 0,
      findings: { raised: 0, resolved: 0, reopened: 0 },
    });
  });
});

describe('seed 34 §4: group_invalidation_storm', () => {
  it('is a finding, decides nothing meanwhile, is taken up in one pass, and is over', async () => {
    await host(`update governance_setting set setting_value = '{"share": 0.4, "seconds": 60, "least": 10}' where setting_key = 'handoff.storm';
      update governance_setting set setting_value = '{"debounce_ms": 0, "at_once": 500, "full_share": 0.2}' where setting_key = 'scan.pace';
      insert into registry_changelog (entity_type, entity_code, action, changed_by)
      select distinct on (b.collection_name, b.status) b.collection_name, b.entity_code, 'update', 'DOT-001' from birth_registry b`);
    await intake();
    const storms = () =>
      number(
        `select count(*)::int as n from system_issues where issue_type = 'group_invalidation_storm' and status = 'open'`,
      );
    expect(await storms()).toBe(1);
    await bear('dot_tools', 'S34-STORM', 1);
    await intake();
    const withheld = await host(
      `select distinct candidate_verdict as verdict, evidence ->> 'withheld' as why from governance_candidate_object where entity_code = 'S34-STORM-1' and row_state = 'active'`,
    );
    expect(withheld).toEqual([{ verdict: 'unknown', why: 'group_invalidation_storm' }]);
    expect((await scan('incremental')).widened).toMatch(/inventory groups wait: looked at in one pass$/);
    expect(await marks()).toEqual([]);
    await intake();
    expect(await storms()).toBe(0);
  });
});
