// How a verdict becomes invalid: by drift, by a dirty mark, by a new owner, by a snapshot that no longer
// exists. Every test rolls back.
import { describe, expect, it } from 'vitest';
import type { Transaction } from '../../src/db/index.js';
import { refreshGroups } from '../../src/inventory/group/index.js';
import { compareSnapshots, readDocument } from '../../src/inventory/snapshot/index.js';
import {
  checkDangling,
  evaluateGroups,
  type GroupRow,
  markDirty,
  readGroupRows,
  readObjectRows,
  readsAs,
  supersedeOwners,
} from '../../src/verdict/candidate/index.js';
import {
  decidedBy,
  groupsOf,
  host,
  inside,
  later,
  passOver,
  SCOPES,
  stamp,
  useJudged,
} from '../support/candidate.js';
import { evidence, some } from '../support/evidence.js';
import { inventoryIn } from '../support/inventory.js';

useJudged();

describe('seed 40 §40.10 test 4: targeted invalidation', () => {
  const dirtyOf = async (tx: Transaction) =>
    (await readGroupRows(tx, { at: stamp.at })).filter((row) => row.dirty);

  it('seed 38 §38.10 test 2, snapshot: drift of one group marks the rows of that group dirty, and no others', () =>
    inside(async (tx) => {
      const capture = {
        runId: 'test-run',
        rulesetVersion: null,
        phase: 'closed',
        sealed: false,
        limitMs: 30_000,
      };
      const { document: before } = await readDocument(tx, 'public', capture);
      await host(
        tx,
        "update birth_registry set certified = not certified where collection_name = 'dot_tools' and entity_code = 'DOT-117'",
      );
      const { document: after } = await readDocument(tx, 'public', capture);
      const drift = compareSnapshots({ id: 1n, document: before }, after);
      const inventoryKeys = drift.groups.map((group) => group.inventoryKey);
      const marked = await markDirty(tx, {
        reason: 'snapshot_drift',
        at: stamp.at,
        where: { inventoryKeys },
      });
      expect(marked.groups).toHaveLength(SCOPES);
      evidence(`snapshot drift of 1 inventory group: ${some(marked.groups.length, 'group')} dirty, 0 others`);
      const dirty = await dirtyOf(tx);
      expect(dirty.map((row) => row.groupKey).sort()).toEqual(
        marked.groups.map((group) => group.groupKey).sort(),
      );
      expect(
        new Set(dirty.map((row) => [row.sourceRegistry, row.lifecycleStatus, row.dirtyReason].join(' '))),
      ).toEqual(new Set(['dot_tools active snapshot_drift']));
      expect(dirty[0]).toMatchObject({ valid: false, invalidReason: 'dirty' });
      const objects = (await readObjectRows(tx, { at: stamp.at })).filter((row) => row.dirty);
      expect(objects).toHaveLength(marked.objects);
      expect(new Set(objects.map((row) => row.inventoryKey))).toEqual(
        new Set([drift.groups[0]?.inventoryKey]),
      );
    }));

  it('marks objects in batches, so that each statement stays within the statement timeout', () =>
    inside(async (tx) => {
      const where = { collections: ['dot_tools'] };
      const marking = { reason: 'handoff', at: stamp.at, where, objectsAtOnce: 100 };
      const { objects, groups } = await markDirty(tx, marking);
      const rows = await readObjectRows(tx, { at: stamp.at });
      const wanted = rows.filter((row) => row.collectionName === 'dot_tools');
      expect(wanted.length).toBeGreaterThan(300);
      expect(wanted.every((row) => row.dirty)).toBe(true);
      expect(objects).toBe(rows.filter((row) => row.dirty).length);
      expect(groups.length).toBeGreaterThan(0);
      expect(await markDirty(tx, marking)).toMatchObject({ groups: [], objects: 0 });
    }));

  it('marks by scope, axis family, collection, owner and class, and keeps the first reason and time', () =>
    inside(async (tx) => {
      const rows = await readGroupRows(tx, { at: stamp.at });
      const mark = (reason: string, where: Parameters<typeof markDirty>[1]['where']) =>
        markDirty(tx, { reason, at: stamp.at, where });
      const count = (matches: (row: GroupRow) => boolean) => rows.filter(matches).length;
      const tags = await mark('handoff:source_changed', { collections: ['tags'] });
      expect(tags.groups).toHaveLength(count((row) => row.sourceRegistry === 'tags'));
      const reasons = async () => new Set((await groupsOf(tx, 'tags')).map((row) => row.dirtyReason));
      const again = await mark('handoff:count_changed', { collections: ['tags'] });
      expect(again).toMatchObject({ groups: [], matched: SCOPES });
      expect(await reasons()).toEqual(new Set(['handoff:source_changed']));
      // A reason other than an inventory change replaces it: equal inputs must not cut the evaluation short.
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
      expect(await mark('test', { collections: ['no such collection'] })).toEqual({
        groups: [],
        hits: [],
        matched: 0,
        objects: 0,
      });
    }));

  it('renews verdicts without changing them when the inputs are equal', () =>
    inside(async (tx) => {
      await markDirty(tx, {
        reason: 'handoff',
        at: stamp.at,
        where: { collections: ['tags', 'dot_tools'] },
      });
      const done = await passOver(tx, later(60));
      const objects = (await readObjectRows(tx, { at: stamp.at })).filter(
        (row) => row.collectionName === 'dot_tools',
      );
      expect(done).toMatchObject({ inserted: 0, changed: 0, superseded: 0 });
      expect(done['renewed']).toBe(
        (await groupsOf(tx, 'tags')).length + (await groupsOf(tx, 'dot_tools')).length + objects.length,
      );
      expect((await groupsOf(tx, 'tags')).some((row) => row.dirty)).toBe(false);
    }));
});

describe('a new owner', () => {
  it('supersedes the old key and inserts the new one dirty, in one statement; the former owner gets the old row back', () =>
    inside(async (tx) => {
      const assignTo = async (owner: string) => {
        await host(
          tx,
          `update governance_object_ownership set owner_gov_code = '${owner}' where object_ref = 'tags' and scope = 'policy'`,
        );
        await refreshGroups(tx, (await inventoryIn(tx, 'public')).groups, stamp.at);
        return supersedeOwners(tx, stamp);
      };
      const [before] = (await groupsOf(tx, 'tags')).filter((row) => row.scope === 'policy');
      expect(await assignTo('GOV-SIV')).toHaveLength(1);
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
        at: stamp.at,
      });
      expect(past).toMatchObject([{ rowState: 'superseded', valid: false, invalidReason: 'superseded' }]);
      expect(await evaluateGroups(tx, await decidedBy(tx))).toMatchObject({
        inserted: 0,
        changed: 1,
        superseded: 0,
      });
      expect(await assignTo('GOV-COUNCIL')).toHaveLength(1);
      const [back] = (await groupsOf(tx, 'tags')).filter((row) => row.scope === 'policy');
      expect(back).toMatchObject({ rowId: before?.rowId, dirty: true });
    }));
});

describe('a snapshot that no longer exists', () => {
  it('makes its verdicts unknown and raises a finding, which a new evaluation resolves', () =>
    inside(async (tx) => {
      const version = stamp.rulesetVersion;
      const context = { runId: 'test-run', at: stamp.at, ruleset: version, activeRuleset: version };
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
      await evaluateGroups(tx, await decidedBy(tx));
      expect((await checkDangling(tx, context)).transitions.resolved).toHaveLength(1);
    }));
});
