// What differs between two snapshots, or between a snapshot and the tables now.
import { describe, expect, it } from 'vitest';
import { asHost } from '../support/database.js';
import { capture } from '../support/inventory.js';
import { audits, estate, useSnapshots } from '../support/snapshots.js';

useSnapshots();

describe('a new baseline', () => {
  it('is announced when the algorithm or the server changes, and is not a drift of everything', async () => {
    const first = await capture(estate.db, { kind: 'full' });
    await asHost(
      estate.url,
      `update evolution_snapshots set metrics = jsonb_set(jsonb_set(metrics, '{server,version_num}', '150004'),
         '{groups}', (select jsonb_object_agg(key, value || '{"h1": "1"}') from jsonb_each(metrics -> 'groups'))) where id = ${first.id}`,
    );
    await asHost(
      estate.url,
      "delete from birth_registry where collection_name = 'venues' and entity_code = 'VN-000001'",
    );
    const second = await capture(estate.db, { kind: 'full' });
    expect(second.drift.rebaseline).toBe('server 15 → 18');
    expect(second.drift.groups.map((each) => [each.sourceRegistry, each.countDelta])).toEqual([
      ['venues', '-1'],
    ]);
    // A minor release changes no hash.
    await asHost(
      estate.url,
      `update evolution_snapshots set metrics = jsonb_set(metrics, '{server,version_num}', '180001') where id = ${second.id}`,
    );
    expect((await capture(estate.db, { kind: 'full' })).drift).toMatchObject({
      rebaseline: null,
      groups: [],
    });
  });
});

describe('drift', () => {
  it.each([
    ['inherits', 'false'],
    ['unresolved_reason', '"registry_missing"'],
  ])(
    'names a group whose %s changed and nothing else: identities differ, so must they',
    async (name, value) => {
      const { id, document } = await capture(estate.db, { kind: 'full' });
      const [key] =
        Object.entries(document.groups).find(([, each]) => each.source_registry === 'venues') ?? [];
      await asHost(
        estate.url,
        `update evolution_snapshots set metrics = jsonb_set(metrics, '{groups,${key},${name}}', '${value}') where id = ${id}`,
      );
      const { drift } = await capture(estate.db, { kind: 'full' });
      expect(drift.groups).toMatchObject([{ inventoryKey: key, change: 'changed', countDelta: '0' }]);
    },
  );
});

describe('a snapshot that somebody changed into something else', () => {
  it('does not stop the next capture, which says that there was nothing to compare with', async () => {
    const { id } = await capture(estate.db, { kind: 'full' });
    await asHost(estate.url, `update evolution_snapshots set metrics = metrics - 'totals' where id = ${id}`);
    await expect(estate.gcos.snapshots.show(id)).rejects.toMatchObject({ code: 'snapshot_malformed' });
    const next = await capture(estate.db, { kind: 'full' });
    expect(next.drift).toMatchObject({ previous: null, groups: [] });
    expect(next.drift.rebaseline).toMatch(`snapshot ${id}: totals`);
    expect((await audits('capture'))[1]).toMatchObject({ detail: { rebaseline: next.drift.rebaseline } });
    expect((await capture(estate.db, { kind: 'full' })).drift).toMatchObject({
      previous: String(next.id),
      rebaseline: null,
    });
  });
});

describe('verify', () => {
  it('recomputes, names the groups that differ, and sees a snapshot that was altered', async () => {
    const { id } = await capture(estate.db, { kind: 'full', sealed: true });
    const { snapshots } = estate.gcos;
    expect(await snapshots.verify(id)).toMatchObject({ intact: true, holds: true });
    await asHost(estate.url, "update dot_tools set status = 'retired' where dot_code = 'DOT-001'");
    const moved = await snapshots.verify(id);
    expect(moved.holds).toBe(false);
    expect(
      moved.drift.groups.map((each) => [each.sourceRegistry, each.lifecycleStatus, each.grainDelta]).sort(),
    ).toEqual([
      ['dot_tools', 'active', '-1'],
      ['dot_tools', 'retired', '1'],
    ]);
    await asHost(
      estate.url,
      `update evolution_snapshots set metrics = jsonb_set(metrics, '{totals,objects}', '"5"') where id = ${id}`,
    );
    expect(await snapshots.verify(id)).toMatchObject({ intact: false });
    await expect(snapshots.verify(999_999n)).rejects.toMatchObject({ code: 'snapshot_unknown' });
    // The host's own snapshot is not one of GCOS's.
    await expect(snapshots.show(1n)).rejects.toMatchObject({ code: 'snapshot_unknown' });
  });
});
