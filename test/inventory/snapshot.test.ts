// Snapshots: seed 38 §38.10 tests 2, 6 and 7, as far as they concern snapshots.
import { describe, expect, it } from 'vitest';
import type { GcosError } from '../../src/index.js';
import { isFrozen, readInventory, type SnapshotDocument } from '../../src/inventory/snapshot/index.js';
import { toWire } from '../../src/kernel/index.js';
import { asHost } from '../support/database.js';
import { evidence, some } from '../support/evidence.js';
import { capture } from '../support/inventory.js';
import { audits, estate, findings, rows, useSnapshots } from '../support/snapshots.js';

useSnapshots();

const frozen = () => estate.db.transaction({ isolation: 'read committed' }, isFrozen);

describe('seed 38 §38.10', () => {
  it('test 2, targeted snapshot invalidation: one group gains rows, the next snapshot flags only that group', async () => {
    const first = await capture(estate.db, { kind: 'full' });
    expect(first.drift).toMatchObject({ previous: null, groups: [] });
    await asHost(
      estate.url,
      "insert into birth_registry (entity_code, collection_name, species_code) select 'NEW-' || n, 'venues', 'SP-PLACE' from generate_series(1, 7) n",
    );
    const second = await capture(estate.db, { kind: 'full' });
    const [group] = Object.entries(second.document.groups).filter(
      ([, each]) => each.source_registry === 'venues',
    );
    expect(second.drift.previous).toBe(String(first.id));
    expect(second.drift.groups).toEqual([
      {
        inventoryKey: group?.[0],
        change: 'changed',
        countDelta: '7',
        grainDelta: '0',
        newMaxId: group?.[1].max_id,
        objectClass: 'venue',
        sourceRegistry: 'venues',
        axisFamily: 'region',
        lifecycleStatus: 'born',
      },
    ]);
    // The fingerprints of all other groups are unchanged.
    const others = ({ groups }: SnapshotDocument) =>
      Object.entries(groups).filter(([key]) => key !== group?.[0]);
    expect(others(second.document)).toEqual(others(first.document));
    expect(second.drift.unchanged).toBe(others(first.document).length);
    evidence(`snapshot ${second.id} names 1 of ${some(others(first.document).length + 1, 'group')}`);
    // The stored document equals the returned one. Snapshots are compared within their kind.
    const [, stored] = await rows();
    expect(stored).toMatchObject({
      scope: 'governance.audit',
      metrics: second.document,
      delta_previous: toWire(second.drift),
    });
    expect((await capture(estate.db, { kind: 'scan' })).drift.previous).toBeNull();
  });

  it('test 6, fail-closed: a missing source registry is unresolved and raises a finding', async () => {
    const { document } = await capture(estate.db, { kind: 'full' });
    const devices = Object.values(document.groups).filter((group) => group.source_registry === 'devices');
    expect(devices).toHaveLength(1);
    expect(devices[0]).toMatchObject({
      resolved: false,
      unresolved_reason: 'registry_missing',
      object_class: 'device',
    });
    // A class without births and without a registry has no group.
    expect(Object.values(document.groups).some((group) => group.object_class === 'sensor_feed')).toBe(false);
    const gaps = (await findings('backfill_inventory_gap')).map((row) => row['subject']);
    expect(gaps).toEqual([
      'articles:archive/2025',
      'device',
      'documents',
      'field_notes',
      // Three collections about which nobody has decided.
      'imported_contacts',
      'legacy_catalog',
      'legacy_import',
      'old_taxonomy',
      'partner_catalog',
      'sensor_feed',
    ]);
    evidence(`${some(gaps.length, 'finding')} of registries that are not there`);
    // Without their registry the groups become unresolved, and the drift names them.
    await asHost(estate.url, 'alter table route_registry rename to elsewhere');
    const without = await capture(estate.db, { kind: 'full' });
    expect(
      without.drift.groups.map((each) => [each.change, each.sourceRegistry, each.lifecycleStatus]).sort(),
    ).toEqual([
      ['added', 'route_registry', 'born'],
      ['removed', 'route_registry', 'active'],
      ['removed', 'route_registry', 'retired'],
    ]);
    expect(
      (await findings('backfill_inventory_gap')).find((row) => row['subject'] === 'route'),
    ).toMatchObject({ status: 'open' });
    // When the registry is back, so are its groups, and the finding is resolved.
    await asHost(estate.url, 'alter table elsewhere rename to route_registry');
    const back = await capture(estate.db, { kind: 'full' });
    expect(back.document.identity).toBe(document.identity);
    expect(
      (await findings('backfill_inventory_gap')).find((row) => row['subject'] === 'route'),
    ).toMatchObject({ status: 'resolved' });
  });

  it('test 6, fail-closed: two readings that differ leave no snapshot, raise a finding and freeze activation', async () => {
    expect(await frozen()).toBe(false);
    const refused = capture(estate.db, {
      kind: 'full',
      secondReader: async (tx, map, options) => {
        const inventory = await readInventory(tx, map, options);
        const [first, ...rest] = inventory.groups;
        return first === undefined
          ? inventory
          : { ...inventory, groups: [{ ...first, h2: first.h2 + 1n }, ...rest] };
      },
    });
    await expect(refused).rejects.toMatchObject({ code: 'snapshot_nondeterministic', exit: 2 });
    expect(await rows()).toEqual([]);
    expect(await findings('snapshot_nondeterministic')).toMatchObject([
      { subject: 'birth_registry', status: 'open' },
    ]);
    expect(await findings('snapshot_capture_failed')).toEqual([]);
    expect(await frozen()).toBe(true);
    // Only a snapshot confirmed by a second reading ends the freeze.
    await capture(estate.db, { kind: 'scan' });
    expect(await frozen()).toBe(true);
    expect((await capture(estate.db, { kind: 'full' })).confirmed).toBe(true);
    expect(await frozen()).toBe(false);
    expect(await findings('snapshot_nondeterministic')).toMatchObject([{ status: 'resolved' }]);
  });

  it.each([
    ['in the middle', 10, 'venues'],
    ['in the middle', 11, 'dot_tools'],
    ['at the end', 30_000, 'venues'],
    ['at the end', 30_001, 'dot_tools'],
  ])(
    'test 6, fail-closed: an index that lost a row %s (%i, %s) is detected, or the row is counted',
    async (_, id, collection) => {
      const setIndexValid = (is: boolean) =>
        `update pg_index set indisready = ${is}, indisvalid = ${is} where indexrelid = 'birth_registry_pkey'::regclass`;
      await asHost(estate.url, `delete from birth_registry where id = ${id}`);
      await asHost(estate.url, setIndexValid(false));
      await asHost(
        estate.url,
        `insert into birth_registry (id, entity_code, collection_name) values (${id}, 'LOST', '${collection}')`,
      );
      await asHost(estate.url, setIndexValid(true));
      const births = id > 20_000 ? '20001' : '20000';
      // Members may be read through another index, which is intact.
      const outcome = await capture(estate.db, { kind: 'full' }).then(
        ({ document }) => document.totals.objects,
        (error: GcosError) => error.code,
      );
      expect(['snapshot_nondeterministic', births]).toContain(outcome);
      await asHost(estate.url, 'reindex table birth_registry');
      expect(await capture(estate.db, { kind: 'full' })).toMatchObject({
        confirmed: true,
        document: { totals: { objects: births } },
      });
    },
  );

  it('test 7, audit completeness: one audit row per capture, and pruning logs its count', async () => {
    for (let n = 0; n < 4; n += 1) await capture(estate.db, { kind: 'full' });
    await capture(estate.db, { kind: 'scan' });
    const written = await rows();
    expect((await audits('capture')).map((row) => row['entity_code'])).toEqual(
      written.map((row) => String(row['id'])),
    );
    expect(await audits('prune')).toEqual([]);
    const preview = await estate.gcos.snapshots.prune({ keep: 2, dryRun: true });
    expect(await rows()).toHaveLength(5);
    const pruned = await estate.gcos.snapshots.prune({ keep: 2 });
    expect(pruned.snapshots).toEqual(preview.snapshots);
    expect(pruned.snapshots.map((each) => each.kind)).toEqual(['full', 'full']);
    expect((await rows()).map((row) => row['id'])).toEqual(written.slice(2).map((row) => row['id']));
    expect((await audits('prune')).map((row) => row['detail'])).toEqual([
      {
        ...{ snapshot_pruned: 2, keep: 2, by_scope: { 'governance.audit': 2 } },
        ...{ before: expect.any(String), digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
        ids: pruned.snapshots.map((each) => String(each.id)),
      },
    ]);
    evidence(`${some(written.length, 'capture')} and 1 prune of 2 audited`);
  });
});
