// Differences between two snapshots, and between a snapshot and the current tables.
import { describe, expect, it } from 'vitest';
import { asHost } from '../support/database.js';
import { capture } from '../support/inventory.js';
import { audits, estate, useSnapshots } from '../support/snapshots.js';

useSnapshots();

describe('a new baseline', () => {
  it('is reported when the server version changes, instead of a drift of every group', async () => {
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
    // A minor release does not start a new baseline.
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
    'names a group when only its %s changed, because the identity of the snapshot changes too',
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

describe('a malformed snapshot', () => {
  it('does not stop the next capture, which reports a new baseline', async () => {
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
  it('recomputes fingerprints, names the groups that differ, and detects an altered snapshot', async () => {
    const { id } = await capture(estate.db, { kind: 'full', sealed: true });
    const { snapshots } = estate.gcos;
    expect(await snapshots.verify(id)).toMatchObject({ intact: true, holds: true });
    await asHost(estate.url, "update dot_tools set status = 'retired' where dot_code = 'DOT-001'");
    const changed = await snapshots.verify(id);
    expect(changed.holds).toBe(false);
    expect(
      changed.drift.groups.map((each) => [each.sourceRegistry, each.lifecycleStatus, each.grainDelta]).sort(),
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
    // Snapshot 1 belongs to the host.
    await expect(snapshots.show(1n)).rejects.toMatchObject({ code: 'snapshot_unknown' });
  });
});
