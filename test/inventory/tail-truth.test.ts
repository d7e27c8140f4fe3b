// The running fingerprints, compared with an independent recount in one snapshot.
import { beforeEach, describe, expect, it } from 'vitest';
import type { Transaction } from '../../src/db/index.js';
import { markAllGroups } from '../../src/inventory/tail/index.js';
import { advance } from '../../src/record/cursor/index.js';
import { bear, code, estate, host, tail, useTail } from '../support/tail.js';

useTail('started');

describe('comparing with the independent recount', () => {
  beforeEach(async () => {
    await tail.work(markAllGroupsUnderLease);
    await tail.wide();
  });
  const markAllGroupsUnderLease = async (tx: Transaction) => {
    await markAllGroups(tx);
    await advance(tx, tail.lease, 'wide', {});
  };

  it('proves running fingerprints kept by additions, also with births during the recount', async () => {
    await bear(estate.url, [{ code: code() }]);
    await tail.near();
    const { readInventory } = await import('../../src/inventory/snapshot/index.js');
    const comparison = await tail.compare({
      reader: async (tx, map, options) => {
        // This birth is after the snapshot: neither side may see it.
        await bear(estate.url, [{ code: code() }]);
        await tail.near();
        return readInventory(tx, map, options);
      },
    });
    expect(comparison).toMatchObject({ holds: true, notVerified: false });
    expect(new Set(comparison.groups.map((group) => group.outcome))).toEqual(new Set(['proved']));
    expect(comparison.groups.length).toBeGreaterThan(100);
  });

  it.each([
    ['one birth too many', 'member_count = member_count + 1'],
    ['another sum', 'h2 = h2 - 1'],
    ['another weight', 'grain_count = grain_count + 1'],
    ['another highest id', 'max_id = max_id + 1'],
  ])('detects a wrong running fingerprint: %s', async (_, change) => {
    const [row] = await host(
      `update governance_inventory set ${change} where inventory_key = (select min(inventory_key) from governance_inventory where member_count > 3)
       returning inventory_key, member_count::text as count`,
    );
    const comparison = await tail.compare();
    const wrong = comparison.groups.filter((group) => group.outcome === 'differs');
    expect(comparison.holds).toBe(false);
    expect(wrong.map((group) => group.inventoryKey)).toEqual([row?.['inventory_key']]);
    expect(String(wrong[0]?.running.count)).toBe(row?.['count']);
    // A comparison repairs nothing.
    expect((await tail.compare()).holds).toBe(false);
    await tail.work(markAllGroupsUnderLease);
    expect(await tail.compare()).toMatchObject({ holds: true, rounds: [{ recomputed: true }] });
    expect((await tail.compare()).groups.every((group) => group.outcome === 'proved')).toBe(true);
  });

  it('detects a deletion, and the next wide round names the group that shrank', async () => {
    await host("delete from birth_registry where entity_code in ('ORD-000010', 'ORD-000011')");
    const wrong = (await tail.compare()).groups.filter((group) => group.outcome === 'differs');
    expect(wrong.map(({ running, recount }) => running.count - recount.count)).toEqual([2n]);
    const round = await tail.wide();
    expect(round).toMatchObject({ updated: 0, recomputed: true });
    expect(round.shrunk).toMatchObject([
      { inventoryKey: wrong[0]?.inventoryKey, before: wrong[0]?.running.count },
    ]);
    expect(await tail.wide()).toMatchObject({ recomputed: false });
    expect((await tail.compare()).groups.every((group) => group.outcome === 'proved')).toBe(true);
  });

  it('reads in ranges behind savepoints, and reports that it verified nothing when its time is up', async () => {
    const { readInventory } = await import('../../src/inventory/snapshot/index.js');
    const parts = await tail.compare({
      reader: (tx, map, options) => readInventory(tx, map, { ...options, parts: 5 }),
    });
    expect(parts).toMatchObject({ holds: true });
    const late = await tail.compare({ maxDurationMs: -1 });
    expect(late).toMatchObject({ holds: false, notVerified: true, groups: [] });
    // No session still holds a snapshot.
    const [{ n }] = (await host(
      "select count(*)::int as n from pg_stat_activity where backend_xmin is not null and pid <> pg_backend_pid() and datname = current_database() and state <> 'active'",
    )) as [{ n: number }];
    expect(n).toBe(0);
  });

  it('runs wide rounds until no row is left to take in', async () => {
    await host(`insert into birth_registry (entity_code, collection_name)
      select '${code()}-' || g, 'orders' from generate_series(1, 25) g`);
    const comparison = await tail.compare({ limits: { roundRows: 10 } });
    expect(comparison.rounds.map((round) => [round.added, round.more])).toEqual([
      [10, true],
      [10, true],
      [5, false],
    ]);
    expect(comparison.holds).toBe(true);
  });
});
