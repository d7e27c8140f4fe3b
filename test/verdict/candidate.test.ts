// What GCOS believes about groups and objects of the demo estate, and how that ends: by time, by drift, by a new owner, by a row
// that is gone. Every test rolls back; the estate is judged once.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Transaction } from '../../src/db/index.js';
import { compareSnapshots, readDocument, refreshGroups } from '../../src/inventory/index.js';
import { readActive } from '../../src/rule/index.js';
import {
  beginRun,
  checkDangling,
  dematerialize,
  evaluateGroups,
  failRun,
  finishRun,
  type GroupRow,
  markDirty,
  materialize,
  materializeObjects,
  materializeUnborn,
  type ObjectRow,
  readCandidate,
  readDuplicateBirths,
  readGroupRows,
  readHistory,
  readLastRun,
  readObjectRows,
  readRules,
  readsAs,
  reviseObjects,
  settleDuplicates,
  settleIndependent,
  settleObjects,
  supersedeOwners,
  type Triple,
  updateRun,
} from '../../src/verdict/index.js';
import { asHost } from '../support/database.js';
import type { Estate } from '../support/estate.js';
import { inventoryIn } from '../support/inventory.js';
import { createJudged } from '../support/judged.js';
import { createPeople } from '../support/people.js';

const EVERYTHING = { first: -(2n ** 62n), last: 2n ** 62n };
const SCOPES = 6;

let estate: Estate;
let triple: Triple;
beforeAll(async () => {
  estate = await createJudged();
  const [row] = await asHost(
    estate.url,
    "select max(source_snapshot_ref)::text as ref, (max(scan_time) + interval '1 second')::text as at from governance_candidate_state",
  );
  const active = await estate.db.transaction({ isolation: 'read committed', readOnly: true }, (tx) =>
    readActive(tx),
  );
  triple = {
    snapshotRef: BigInt(row?.['ref'] as string),
    rulesetVersion: active?.version ?? '',
    runId: 'test-run',
    at: row?.['at'] as string,
  };
});
afterAll(() => estate?.close());

const inside = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
  estate.db.rehearse({ isolation: 'repeatable read' }, work);

/** A later time than the one everything was judged at. */
const later = (seconds: number): string => new Date(Date.parse(triple.at) + seconds * 1_000).toISOString();

async function passOver(tx: Transaction, at = triple.at): Promise<Record<string, number>> {
  const options = { ...triple, at, rules: await readRules(tx) };
  const groups = await evaluateGroups(tx, options);
  const objects = await materializeObjects(tx, { ...options, of: EVERYTHING });
  const duplicates = await settleDuplicates(tx, await readDuplicateBirths(tx), options);
  const unborn = await materializeUnborn(tx, options);
  const independent = await settleIndependent(tx, options);
  const settled = await settleObjects(tx, options);
  const parts = [groups, objects, duplicates, unborn, independent, settled];
  const sum = (name: 'inserted' | 'changed' | 'renewed' | 'superseded') =>
    parts.reduce((total, part) => total + part[name], 0);
  return {
    inserted: sum('inserted'),
    changed: sum('changed'),
    renewed: sum('renewed'),
    superseded: sum('superseded'),
    tombstones: settled.tombstones + unborn.gone,
  };
}

const NOTHING = { inserted: 0, changed: 0, renewed: 0, superseded: 0, tombstones: 0 };

async function groupsOf(tx: Transaction, collection: string, at = triple.at): Promise<readonly GroupRow[]> {
  return (await readGroupRows(tx, { at })).filter((row) => row.sourceRegistry === collection);
}
const objectOf = (
  tx: Transaction,
  collection: string,
  code: string,
  at = triple.at,
): Promise<readonly ObjectRow[]> => readObjectRows(tx, { keys: [{ collection, code }], at });

/** Changes the host inside the test's own transaction. */
const host = (tx: Transaction, sql: string): Promise<void> => tx.script(sql);

describe('seed 40 §40.10 test 1: no checked-forever', () => {
  it('no table of GCOS has a column that means it', async () => {
    // A view stores nothing: what it calls valid is so at the moment it is asked.
    const rows = await asHost(
      estate.url,
      `select c.relname, a.attname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       join pg_roles r on r.oid = c.relowner
       where r.rolname like '%gcos_owner' and c.relkind in ('r', 'p', 'v', 'm')
         and (a.attname ~ '(^|_)(is_)?(governed|checked|covered_forever|is_valid|is_fresh)($|_)' or c.relkind <> 'v' and a.attname in ('valid', 'stale', 'fresh', 'done'))`,
    );
    expect(rows).toEqual([]);
    const [owned] = await asHost(
      estate.url,
      `select count(*)::int as n from pg_class c join pg_roles r on r.oid = c.relowner where r.rolname like '%gcos_owner' and c.relkind = 'r'`,
    );
    expect(owned?.['n']).toBeGreaterThan(20);
  });

  it('every verdict resolves to a snapshot, a ruleset and a time, and holds at first', () =>
    inside(async (tx) => {
      const rows = await readGroupRows(tx, { at: triple.at });
      expect(rows.length).toBeGreaterThan(600);
      expect(rows.filter((row) => !row.valid)).toEqual([]);
      expect(new Set(rows.map((row) => row.rulesetVersion))).toEqual(new Set([triple.rulesetVersion]));
      expect(rows.filter((row) => row.snapshotAt === null || row.scanTime >= row.staleAfter)).toEqual([]);
    }));

  it('expires by time passing, with no write', () =>
    inside(async (tx) => {
      const [row] = await groupsOf(tx, 'articles');
      const before = (await groupsOf(tx, 'articles', later(0)))[0];
      const after = (await groupsOf(tx, 'articles', row?.staleAfter ?? ''))[0];
      expect(before).toMatchObject({ valid: true, invalidReason: null });
      expect(after).toMatchObject({ valid: false, invalidReason: 'expired', updatedAt: before?.updatedAt });
      expect(after && readsAs(after)).toBe('stale');
    }));

  it('does not hold under rules that are a draft, or no longer in force', () =>
    inside(async (tx) => {
      // Another version takes over without carrying anything.
      await host(
        tx,
        `update governance_ruleset set status = 'superseded' where ruleset_version = '${triple.rulesetVersion}'`,
      );
      const [row] = await groupsOf(tx, 'articles');
      expect(row).toMatchObject({ valid: false, invalidReason: 'ruleset_not_active' });
      expect(row && readsAs(row)).toBe('unknown');
    }));

  it('is derived by one function that the planner merges into the query around it', async () => {
    const plan = await asHost(
      estate.url,
      "explain select v.valid from governance_candidate_state c join governance_validity('2026-06-01T00:00:00Z') v using (row_id) where c.scope = 'policy'",
    );
    const text = plan.map((line) => line['QUERY PLAN']).join('\n');
    expect(text).not.toMatch(/Function Scan/);
    expect(text).toMatch(/evolution_snapshots/);
  });
});

describe('verdicts of the estate', () => {
  it('every line of precedence occurs where the estate says so', () =>
    inside(async (tx) => {
      const rows = await readGroupRows(tx, { at: triple.at, scope: 'policy' });
      const of = (collection: string, status?: string) =>
        new Set(
          rows
            .filter(
              (row) =>
                row.sourceRegistry === collection && (status === undefined || row.lifecycleStatus === status),
            )
            .map((row) => `${row.verdictLine} ${row.candidateVerdict}`),
        );
      expect(of('articles', 'born')).toEqual(new Set(['8 relevant']));
      expect(of('articles', 'merged')).toEqual(new Set(['3 retired']));
      expect(of('articles_tags')).toEqual(new Set(['3 retired']));
      expect(of('saved_views')).toEqual(new Set(['4 class_0']));
      expect(of('bookmarks')).toEqual(new Set(['4 class_0']));
      expect(of('iot_telemetry')).toEqual(new Set(['5 deferred_birth']));
      for (const collection of [
        'legacy_catalog',
        'partner_catalog',
        'glossary_terms',
        'devices',
        'legacy_import',
      ])
        expect(of(collection)).toEqual(new Set(['6 unknown']));
      expect(of('tags')).toEqual(new Set(['7 not_relevant']));
      const unknown = rows.filter((row) => row.verdictLine === 6);
      expect(new Set(unknown.map((row) => row.riskClass))).toEqual(new Set(['write_high']));
      const [unborn] = await objectOf(tx, 'dot_tools', 'DOT-308');
      expect(unborn).toMatchObject({
        verdictLine: 1,
        candidateVerdict: 'deferred_birth',
        birthId: null,
        weight: 1,
      });
      const [bad] = await objectOf(tx, 'articles', '');
      expect(bad).toMatchObject({ verdictLine: 2, candidateVerdict: 'needs_input', weight: 0 });
    }));

  it('a class-0 object that something shared refers to is no longer class 0, and is again once nothing does', () =>
    inside(async (tx) => {
      const own = () => objectOf(tx, 'saved_views', 'SV-000007');
      expect(new Set((await own()).map((row) => row.scope)).size).toBe(SCOPES);
      for (const row of await own())
        expect(row).toMatchObject({ reasons: ['independent'], candidateVerdict: 'not_relevant', weight: 0 });
      expect((await groupsOf(tx, 'saved_views'))[0]).toMatchObject({
        candidateVerdict: 'class_0',
        weight: 1,
      });
      expect(await passOver(tx)).toEqual(NOTHING);

      await host(
        tx,
        "update governance_object_ownership set lifecycle_status = 'revoked' where object_ref = 'SV-000007'",
      );
      await passOver(tx);
      expect(new Set((await own()).map((row) => row.rowState))).toEqual(new Set(['retired']));
    }));

  it.each([
    [
      'ownership of the collection',
      `insert into governance_object_ownership (id, object_type, object_ref, scope, owner_kind, owner_gov_code, lifecycle_status)
       values (990001, 'collection', 'saved_views', 'render', 'supporting', 'GOV-MOUT', 'active')`,
    ],
    ['an axis', "update axis_registry set object_class = 'saved_view' where axis_code = 'AX-VENUE-REGION'"],
    [
      'the reach of a rule',
      `insert into governance_rule_reach (rule_kind, rule_code, source_registry) values ('law', 'LAW-04', 'saved_views')`,
    ],
  ])('nor is a class-0 collection that %s names', (_, change) =>
    inside(async (tx) => {
      await host(tx, change);
      await refreshGroups(tx, (await inventoryIn(tx, 'public')).groups, triple.at);
      await passOver(tx);
      const live = (await groupsOf(tx, 'saved_views')).filter((row) => row.rowState === 'active');
      expect(live.length).toBeGreaterThan(0);
      for (const row of live) expect(row).toMatchObject({ candidateVerdict: 'not_relevant', verdictLine: 7 });
      const other = (await groupsOf(tx, 'user_drafts')).map((row) => row.candidateVerdict);
      expect(new Set(other)).toEqual(new Set(['class_0']));
    }),
  );

  it('a malformed or duplicated birth carries its own needs_input, and its group keeps its verdict', () =>
    inside(async (tx) => {
      const states = async (collection: string, code: string) =>
        new Set((await objectOf(tx, collection, code)).map((row) => row.inputQualityState));
      for (const code of ['A-\u000199151', 'A-99152\n', ''])
        expect(await states('articles', code)).toEqual(new Set(['invalid_schema']));
      expect(await states('documents', 'D'.repeat(6_000))).toEqual(new Set(['invalid_schema']));
      expect(await states('media_files', 'MF-29991231')).toEqual(new Set(['invalid_schema']));
      expect(await states('articles', 'A-19700101')).toEqual(new Set(['stale']));
      expect(await states('articles', 'A-99101')).toEqual(new Set(['duplicate']));
      // Unusual is not malformed.
      for (const code of ['A:99:153', 'A/2026/05/154', 'archive/2025:A-1'])
        expect(await states('articles', code)).toEqual(new Set());
      const tool = await objectOf(tx, 'dot_tools', 'DOT-030');
      expect(tool).toHaveLength(SCOPES);
      expect(tool[0]).toMatchObject({
        inputQualityState: 'duplicate',
        materializationReason: 'input',
        reasons: ['input', 'independent'],
        weight: 1,
      });
      const [first] = await asHost(
        estate.url,
        "select min(id)::text as id from birth_registry where collection_name = 'dot_tools' and entity_code = 'DOT-030'",
      );
      expect(tool[0]?.birthId).toBe(BigInt(first?.['id'] as string));
    }));

  it('an object finds its own rows, or those of the group that speaks for it', () =>
    inside(async (tx) => {
      const { map } = await readRules(tx);
      const at = triple.at;
      const tool = await readCandidate(tx, { collection: 'dot_tools', code: 'DOT-117', map, at });
      expect(tool.own.map((row) => row.scope)).toHaveLength(SCOPES);
      expect(tool.own.find((row) => row.scope === 'approval')).toMatchObject({
        candidateVerdict: 'relevant',
        coverageOutcome: 'not_evaluated',
        riskClass: 'write_high',
        lifecycleStatus: 'active',
      });
      const article = await readCandidate(tx, { collection: 'articles', code: 'A-99123', map, at });
      expect(article.own).toEqual([]);
      expect(article.groups).toHaveLength(SCOPES);
      const nobody = await readCandidate(tx, { collection: 'articles', code: 'no such thing', map, at });
      expect(nobody).toEqual({ births: [], own: [], groups: [] });
    }));

  it('a born member that its registry does not list is unknown, never deferred', () =>
    inside(async (tx) => {
      await host(
        tx,
        "insert into birth_registry (entity_code, collection_name, species_code, governance_role) values ('DOT-NEW', 'dot_tools', 'SP-TOOL', 'governed')",
      );
      await materializeObjects(tx, { ...triple, of: { collections: ['dot_tools'] } });
      const rows = await objectOf(tx, 'dot_tools', 'DOT-NEW');
      expect(rows).toHaveLength(SCOPES);
      expect(rows[0]).toMatchObject({
        candidateVerdict: 'unknown',
        verdictLine: 6,
        evidence: { listed: false },
      });
    }));
});

describe('seed 40 §40.10 test 3: object materialization is selective', () => {
  it('rows exist only where a reason holds', async () => {
    const [counts] = await asHost(
      estate.url,
      `select count(distinct object_key)::int as objects, (select count(*)::int from birth_registry) as births,
         count(*) filter (where materialization_reason not in ('independent', 'input'))::int as others,
         count(*) filter (where materialization_reason = 'independent' and i.inherits
           and entity_code <> 'SV-000007')::int as inherited,
         count(*) filter (where materialization_reason = 'input' and input_quality_state is null)::int as unfounded
       from governance_candidate_object o join governance_inventory i using (inventory_key)`,
    );
    expect(counts).toMatchObject({ others: 0, inherited: 0, unfounded: 0 });
    expect(Number(counts?.['objects'])).toBeLessThan(Number(counts?.['births']) / 10);
  });

  it('a row that was asked for goes when its reason lapses, and comes back as the same row', () =>
    inside(async (tx) => {
      const keys = [{ collection: 'articles', code: 'A-99123' }];
      await materialize(tx, keys, 'exception', triple);
      await materialize(tx, keys, 'open_finding', triple);
      const [row] = await objectOf(tx, 'articles', 'A-99123');
      expect(row).toMatchObject({ reasons: ['open_finding', 'exception'], weight: 0, rowState: 'active' });
      await dematerialize(tx, 'open_finding', keys, triple);
      expect((await objectOf(tx, 'articles', 'A-99123'))[0]).toMatchObject({
        materializationReason: 'exception',
        rowState: 'active',
      });
      expect(await dematerialize(tx, 'exception', keys, triple)).toEqual({ objects: 1, retired: SCOPES });
      expect((await objectOf(tx, 'articles', 'A-99123'))[0]).toMatchObject({
        rowState: 'retired',
        weight: 0,
      });
      await materialize(tx, keys, 'exception', triple);
      expect((await objectOf(tx, 'articles', 'A-99123'))[0]).toMatchObject({
        rowState: 'active',
        rowId: row?.rowId,
      });
      // Never an object without a row that it needs anyway.
      const tool = [{ collection: 'dot_tools', code: 'DOT-117' }];
      await materialize(tx, tool, 'high_risk_write', triple);
      await dematerialize(tx, 'high_risk_write', tool, triple);
      expect((await objectOf(tx, 'dot_tools', 'DOT-117'))[0]).toMatchObject({
        reasons: ['independent'],
        rowState: 'active',
      });
    }));

  it('a birth that is mended is spoken for by its group again', () =>
    inside(async (tx) => {
      await host(
        tx,
        `update birth_registry set born_at = '2026-05-01T00:00:00Z' where entity_code = 'A-19700101';
         delete from birth_registry where entity_code = 'A-99101' and id > (select min(id) from birth_registry where entity_code = 'A-99101');
         update dot_tools set status = status where dot_code = 'DOT-030';
         delete from birth_registry where entity_code = 'DOT-030' and id > (select min(id) from birth_registry where entity_code = 'DOT-030')`,
      );
      await passOver(tx);
      expect((await objectOf(tx, 'articles', 'A-19700101'))[0]).toMatchObject({
        rowState: 'retired',
        weight: 0,
      });
      expect((await objectOf(tx, 'articles', 'A-99101'))[0]).toMatchObject({
        rowState: 'retired',
        weight: 0,
      });
      expect((await objectOf(tx, 'dot_tools', 'DOT-030'))[0]).toMatchObject({
        rowState: 'active',
        reasons: ['independent'],
        inputQualityState: null,
        weight: 1,
      });
      expect(await passOver(tx)).toEqual(NOTHING);
    }));

  it('one that comes back well-formed is spoken for by its group, not by its tombstone', () =>
    inside(async (tx) => {
      const own = async () => (await objectOf(tx, 'articles', 'A-19700101'))[0];
      await host(
        tx,
        "create temp table kept on commit drop as select * from birth_registry where entity_code = 'A-19700101'; delete from birth_registry where entity_code = 'A-19700101'",
      );
      await passOver(tx);
      expect(await own()).toMatchObject({ rowState: 'retired', evidence: { source_row_gone: true } });
      await host(
        tx,
        "update kept set born_at = '2026-05-01T00:00:00Z'; insert into birth_registry select * from kept",
      );
      const options = { ...triple, rules: await readRules(tx) };
      await reviseObjects(tx, [{ collection: 'articles', code: 'A-19700101' }], options);
      expect(await own()).toMatchObject({ rowState: 'retired', weight: 0 });
      expect((await own())?.evidence).not.toHaveProperty('source_row_gone');
    }));
});

describe('seed 40 §40.10 test 4: targeted invalidation', () => {
  const dirtyOf = async (tx: Transaction) =>
    (await readGroupRows(tx, { at: triple.at })).filter((row) => row.dirty);

  it('snapshot: one group drifts, its rows are dirty, and no other', () =>
    inside(async (tx) => {
      const look = {
        runId: 'test-run',
        rulesetVersion: null,
        phase: 'closed',
        sealed: false,
        limitMs: 30_000,
      };
      const { document: before } = await readDocument(tx, 'public', look);
      await host(
        tx,
        "update birth_registry set certified = not certified where collection_name = 'dot_tools' and entity_code = 'DOT-117'",
      );
      const { document: after } = await readDocument(tx, 'public', look);
      const drift = compareSnapshots({ id: 1n, document: before }, after);
      const inventoryKeys = drift.groups.map((group) => group.inventory_key);
      const dirtied = await markDirty(tx, {
        reason: 'snapshot_drift',
        at: triple.at,
        where: { inventoryKeys },
      });
      expect(dirtied.groups).toHaveLength(SCOPES);
      const dirty = await dirtyOf(tx);
      expect(dirty.map((row) => row.groupKey).sort()).toEqual(
        dirtied.groups.map((group) => group.groupKey).sort(),
      );
      expect(
        new Set(dirty.map((row) => [row.sourceRegistry, row.lifecycleStatus, row.dirtyReason].join(' '))),
      ).toEqual(new Set(['dot_tools active snapshot_drift']));
      expect(dirty[0]).toMatchObject({ valid: false, invalidReason: 'dirty' });
      const objects = (await readObjectRows(tx, { at: triple.at })).filter((row) => row.dirty);
      expect(objects).toHaveLength(dirtied.objects);
      expect(new Set(objects.map((row) => row.inventoryKey))).toEqual(
        new Set([drift.groups[0]?.inventory_key]),
      );
    }));

  it('objects in parts, so that no statement marks more than it has the time for', () =>
    inside(async (tx) => {
      const where = { collections: ['dot_tools'] };
      const marking = { reason: 'handoff', at: triple.at, where, objectsAtOnce: 100 };
      const { objects, groups } = await markDirty(tx, marking);
      const rows = await readObjectRows(tx, { at: triple.at });
      const wanted = rows.filter((row) => row.collectionName === 'dot_tools');
      expect(wanted.length).toBeGreaterThan(300);
      expect(wanted.every((row) => row.dirty)).toBe(true);
      expect(objects).toBe(rows.filter((row) => row.dirty).length);
      expect(groups.length).toBeGreaterThan(0);
      expect(await markDirty(tx, marking)).toMatchObject({ groups: [], objects: 0 });
    }));

  it('by scope, axis family, collection, owner and class; the first reason and time stay', () =>
    inside(async (tx) => {
      const rows = await readGroupRows(tx, { at: triple.at });
      const mark = (reason: string, where: Parameters<typeof markDirty>[1]['where']) =>
        markDirty(tx, { reason, at: triple.at, where });
      const count = (fits: (row: GroupRow) => boolean) => rows.filter(fits).length;
      const tags = await mark('handoff:source_changed', { collections: ['tags'] });
      expect(tags.groups).toHaveLength(count((row) => row.sourceRegistry === 'tags'));
      const reasons = async () => new Set((await groupsOf(tx, 'tags')).map((row) => row.dirtyReason));
      const again = await mark('handoff:count_changed', { collections: ['tags'] });
      expect(again).toMatchObject({ groups: [], matched: SCOPES });
      expect(await reasons()).toEqual(new Set(['handoff:source_changed']));
      // A reason that says more than that the inventory moved takes its place: it must not be cut off by equal inputs.
      const more = await mark('handoff:authority_changed', { collections: ['tags'] });
      expect(more).toMatchObject({ groups: [], matched: SCOPES });
      expect(await reasons()).toEqual(new Set(['handoff:authority_changed']));
      const topic = await mark('axis', { axisFamilies: ['topic'], scopes: ['audit'] });
      expect(topic.matched).toBe(count((row) => row.axisFamily === 'topic' && row.scope === 'audit'));
      const owner = await mark('authority', { owners: ['GOV-SIV'], scopes: ['audit'] });
      expect(owner.matched).toBe(count((row) => row.ownerScope === 'GOV-SIV' && row.scope === 'audit'));
      expect(owner.matched).toBeGreaterThan(0);
      const orders = await mark('handoff', { classPatterns: ['order%'] });
      expect(orders.matched).toBe(count((row) => row.objectClass.startsWith('order')));
      expect(await mark('nobody', { collections: ['no such collection'] })).toEqual({
        groups: [],
        hits: [],
        matched: 0,
        objects: 0,
      });
    }));

  it('an evaluation with equal inputs only renews', () =>
    inside(async (tx) => {
      await markDirty(tx, {
        reason: 'handoff',
        at: triple.at,
        where: { collections: ['tags', 'dot_tools'] },
      });
      const done = await passOver(tx, later(60));
      const objects = (await readObjectRows(tx, { at: triple.at })).filter(
        (row) => row.collectionName === 'dot_tools',
      );
      expect(done).toMatchObject({ inserted: 0, changed: 0, superseded: 0 });
      expect(done['renewed']).toBe(
        (await groupsOf(tx, 'tags')).length + (await groupsOf(tx, 'dot_tools')).length + objects.length,
      );
      expect((await groupsOf(tx, 'tags')).some((row) => row.dirty)).toBe(false);
    }));
});

describe('seed 40 §40.10 test 7: idempotency under live data', () => {
  it('keys are unique and stable for all registries, and replay commits nothing twice', () =>
    inside(async (tx) => {
      await host(
        tx,
        `do $$ begin
          assert (select count(distinct gcos_object_key(collection_name, entity_code)) = count(distinct (collection_name, entity_code))
            from birth_registry), 'keys';
          assert gcos_object_key('articles', 'archive/2025:A-1') <> gcos_object_key('articles:archive/2025', 'A-1'), 'joined';
          assert gcos_object_key('1', '2:3') <> gcos_object_key('12', ':3'), 'lengths';
        end $$`,
      );
      expect(await passOver(tx)).toEqual(NOTHING);
      expect(await passOver(tx)).toEqual(NOTHING);
    }));

  it('the order in which births are seen does not matter', () =>
    inside(async (tx) => {
      const state = async () =>
        (await objectOf(tx, 'dot_tools', 'DOT-030')).map((row) => [row.birthId, row.candidateVerdict]);
      const before = await state();
      const [birth] = await asHost(
        estate.url,
        "select max(id)::text as id from birth_registry where collection_name = 'dot_tools' and entity_code = 'DOT-030'",
      );
      const id = BigInt(birth?.['id'] as string);
      await materializeObjects(tx, { ...triple, of: { first: id, last: id } });
      await materializeObjects(tx, { ...triple, of: { ids: [id] } });
      expect(await state()).toEqual(before);
      // Before anybody has looked at all births, too: the lowest id is the one that counts.
      await host(
        tx,
        `insert into birth_registry (id, entity_code, collection_name, species_code, status) values
           (50000001, 'DOT-TWICE', 'dot_tools', 'SP-TOOL', 'born'), (50000002, 'DOT-TWICE', 'dot_tools', 'SP-TOOL', 'retired')`,
      );
      const twice = async (...ids: bigint[]) => {
        await materializeObjects(tx, { ...triple, of: { ids } });
        const rows = await objectOf(tx, 'dot_tools', 'DOT-TWICE');
        return rows.map((row) => [row.birthId, row.lifecycleStatus].join(' '));
      };
      const [high, low] = [Array(SCOPES).fill('50000002 retired'), Array(SCOPES).fill('50000001 born')];
      expect(await twice(50000002n)).toEqual(high);
      expect(await twice(50000001n)).toEqual(low);
      expect(await twice(50000002n)).toEqual(low);
      expect(await twice(50000001n, 50000002n)).toEqual(low);
    }));
});

describe('seed 40 §40.10 test 8: retire is a reversible tombstone', () => {
  it('an object that is gone stays as a row, and its re-birth re-activates it', () =>
    inside(async (tx) => {
      const [before] = await objectOf(tx, 'dot_tools', 'DOT-117');
      await host(
        tx,
        "create temporary table kept on commit drop as select * from birth_registry where entity_code = 'DOT-117'",
      );
      await host(
        tx,
        "delete from birth_registry where entity_code = 'DOT-117'; delete from dot_tools where dot_code = 'DOT-117'",
      );
      expect(await passOver(tx)).toMatchObject({ tombstones: 1, inserted: 0 });
      const [gone] = await objectOf(tx, 'dot_tools', 'DOT-117');
      expect(gone).toMatchObject({
        rowId: before?.rowId,
        rowState: 'retired',
        candidateVerdict: 'retired',
        evidence: { source_row_gone: true },
        weight: 1,
        valid: true,
      });
      expect(await passOver(tx)).toEqual(NOTHING);
      // A tombstone expires like everything else, and is renewed by who looks.
      expect((await passOver(tx, later(400 * 86_400)))['tombstones']).toBe(1);
      await host(tx, 'update kept set id = id + 10000000; insert into birth_registry select * from kept');
      await passOver(tx);
      const [back] = await objectOf(tx, 'dot_tools', 'DOT-117');
      expect(back).toMatchObject({
        rowId: before?.rowId,
        rowState: 'active',
        verdictLine: 6,
        evidence: { listed: false },
      });
      const history = await readHistory(tx, [before?.rowId ?? 0n]);
      expect(history.map((row) => [row.verdictBefore, row.verdictAfter, row.cause]).reverse()).toEqual([
        [null, before?.candidateVerdict, 'evaluation'],
        [before?.candidateVerdict, 'retired', 'source_row_gone'],
        ['retired', 'unknown', 'evaluation'],
      ]);
    }));

  it('a group whose members are all gone is retired, and comes back with them', () =>
    inside(async (tx) => {
      const count = (n: number) =>
        host(
          tx,
          `update governance_inventory set member_count = ${n}, recompute_needed = false where source_registry = 'tags'`,
        );
      await count(0);
      await evaluateGroups(tx, triple);
      const gone = await groupsOf(tx, 'tags');
      expect(gone[0]).toMatchObject({
        rowState: 'retired',
        candidateVerdict: 'retired',
        evidence: { source_row_gone: true },
      });
      await count(5);
      await evaluateGroups(tx, triple);
      const back = await groupsOf(tx, 'tags');
      expect(back.map((row) => [row.rowId, row.rowState, row.candidateVerdict])).toEqual(
        gone.map((row) => [row.rowId, 'active', 'not_relevant']),
      );
    }));
});

describe('a new owner', () => {
  it('supersedes the old key and inserts the new one dirty, in one statement; going back finds the old row', () =>
    inside(async (tx) => {
      const give = async (owner: string) => {
        await host(
          tx,
          `update governance_object_ownership set owner_gov_code = '${owner}' where object_ref = 'tags' and scope = 'policy'`,
        );
        await refreshGroups(tx, (await inventoryIn(tx, 'public')).groups, triple.at);
        return supersedeOwners(tx, triple);
      };
      const [before] = (await groupsOf(tx, 'tags')).filter((row) => row.scope === 'policy');
      expect(await give('GOV-SIV')).toHaveLength(1);
      const [after] = (await groupsOf(tx, 'tags')).filter((row) => row.scope === 'policy');
      expect(after).toMatchObject({
        dirty: true,
        dirtyReason: 'authority',
        ownerScope: 'GOV-SIV',
        dependsOn: { owners: ['GOV-SIV'] },
      });
      const past = await readGroupRows(tx, {
        groupKeys: [before?.groupKey ?? ''],
        past: true,
        at: triple.at,
      });
      expect(past).toMatchObject([{ rowState: 'superseded', valid: false, invalidReason: 'superseded' }]);
      expect(await evaluateGroups(tx, triple)).toMatchObject({ inserted: 0, changed: 1, superseded: 0 });
      expect(await give('GOV-COUNCIL')).toHaveLength(1);
      const [back] = (await groupsOf(tx, 'tags')).filter((row) => row.scope === 'policy');
      expect(back).toMatchObject({ rowId: before?.rowId, dirty: true });
    }));
});

describe('a snapshot that is gone', () => {
  it('makes its verdicts unknown, is a finding, and is resolved once cured', () =>
    inside(async (tx) => {
      const mapping = await estate.gcos.words();
      const version = triple.rulesetVersion;
      const context = { mapping, runId: 'test-run', at: triple.at, ruleset: version, activeRuleset: version };
      expect((await checkDangling(tx, context)).snapshots).toEqual([]);
      await host(
        tx,
        "update governance_candidate_state set source_snapshot_ref = 424242 where scope = 'audit'",
      );
      const [row] = (await groupsOf(tx, 'articles')).filter((each) => each.scope === 'audit');
      expect(row).toMatchObject({ valid: false, invalidReason: 'snapshot_gone' });
      expect(row && readsAs(row)).toBe('unknown');
      const dangling = await checkDangling(tx, context);
      expect(dangling.snapshots).toMatchObject([{ snapshotRef: 424242n }]);
      expect(dangling.transitions.raised).toMatchObject([
        { type: 'snapshot_ref_dangling', subject: '424242' },
      ]);
      await evaluateGroups(tx, triple);
      expect((await checkDangling(tx, context)).transitions.resolved).toHaveLength(1);
    }));
});

describe('who may write', () => {
  it('a login with the rights of the worker can do all of it, one of people nothing', async () => {
    const people = createPeople(estate.url);
    try {
      const worker = await people.login('worker', 'gcos_worker');
      await worker.gcos.db.rehearse({ isolation: 'repeatable read' }, async (tx) => {
        await markDirty(tx, { reason: 'handoff', at: triple.at, where: { collections: ['dot_tools'] } });
        await materialize(tx, [{ collection: 'articles', code: 'A-99123' }], 'exception', triple);
        const done = await passOver(tx, later(60));
        expect(done['renewed']).toBeGreaterThan(SCOPES);
        await beginRun(tx, { runId: 'of-the-worker', kind: 'scan', mode: 'full', at: triple.at });
        await finishRun(tx, 'of-the-worker', { at: triple.at, counts: done });
      });
      const person = await people.login('person');
      await expect(
        person.gcos.db.rehearse({ isolation: 'repeatable read' }, (tx) => evaluateGroups(tx, triple)),
      ).rejects.toThrow(/permission denied/);
    } finally {
      await people.close();
    }
  });
});

describe('a host without profiles, scopes and owners', () => {
  it('has one scope, and everything in it is unknown unless a decision says otherwise', () =>
    inside(async (tx) => {
      await host(
        tx,
        'drop table governance_object_ownership, governance_responsibility_scope, coverage_profile, axis_registry cascade',
      );
      await refreshGroups(tx, (await inventoryIn(tx, 'public')).groups, triple.at);
      await passOver(tx);
      const rows = await readGroupRows(tx, { at: triple.at });
      expect(new Set(rows.map((row) => row.scope))).toEqual(new Set(['all']));
      const births = rows.filter(
        (row) => row.sourceRegistry === 'articles' && row.lifecycleStatus === 'born',
      );
      expect(births).not.toEqual([]);
      for (const row of births)
        expect(row).toMatchObject({
          candidateVerdict: 'unknown',
          riskClass: 'write_high',
          weight: 1,
          evidence: { profiles_available: false },
        });
      // Nobody says that members count one by one: only bad rows still have one of their own.
      const objects = (await readObjectRows(tx, { at: triple.at })).filter(
        (row) => row.rowState === 'active',
      );
      expect(new Set(objects.map((row) => row.materializationReason))).toEqual(new Set(['input']));
      expect(await passOver(tx)).toEqual(NOTHING);
    }));
});

describe('the books of runs', () => {
  it('a run begins once, goes on, and ends once', () =>
    inside(async (tx) => {
      const at = triple.at;
      const { snapshotRef, rulesetVersion } = triple;
      await beginRun(tx, {
        runId: 'r1',
        kind: 'backfill',
        at,
        snapshotRef,
        rulesetVersion,
        phase: 'seeding',
      });
      await beginRun(tx, { runId: 'r1', kind: 'backfill', at, phase: 'again' });
      await updateRun(tx, 'r1', { at, phase: 'reconciling', counts: { scanned: 20_000n } });
      expect(await readLastRun(tx, { kind: 'backfill', status: 'running' })).toMatchObject({
        runId: 'r1',
        phase: 'reconciling',
        counts: { scanned: '20000' },
        finishedAt: null,
      });
      await finishRun(tx, 'r1', { at, proof: { closed: true }, closingSnapshotRef: snapshotRef });
      expect(await readLastRun(tx, { runId: 'r1' })).toMatchObject({
        status: 'completed',
        proof: { closed: true },
        rulesetVersion,
      });
      await expect(updateRun(tx, 'r1', { at })).rejects.toMatchObject({ code: 'run_not_running' });
      await beginRun(tx, { runId: 'r2', kind: 'scan', mode: 'incremental', at: later(1) });
      await failRun(tx, 'r2', { at, error: 'too much at once', status: 'throttled' });
      expect(await readLastRun(tx)).toMatchObject({
        runId: 'r2',
        status: 'throttled',
        error: 'too much at once',
      });
    }));
});
