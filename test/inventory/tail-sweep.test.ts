// A tail that runs beside a sweep: together they count every birth once.
import { describe, expect, it } from 'vitest';
import { readServerTime, type Transaction } from '../../src/db/index.js';
import { readClassMap } from '../../src/inventory/group/index.js';
import {
  applySums,
  readSweepPage,
  type StartedTail,
  type SweepPage,
  zeroRunning,
} from '../../src/inventory/tail/index.js';
import { advance } from '../../src/record/cursor/index.js';
import { bear, code, estate, host, tail, untilHorizonPasses, useTail } from '../support/tail.js';

useTail('new');

/** A sweep like that of the backfill: pages by primary key, cursor and sums in one transaction. */
async function sweep(
  { horizon, maxId }: StartedTail,
  between: (page: SweepPage) => Promise<unknown> = async () => undefined,
): Promise<bigint> {
  let after: bigint | null = null;
  let counted = 0n;
  for (;;) {
    const from: bigint | null = after;
    const page: SweepPage = await tail.work(async (tx: Transaction) => {
      const map = await readClassMap(tx, tail.options.schema);
      const found = await readSweepPage(tx, map, { horizon, after: from, upTo: maxId, limit: 3_000 });
      await applySums(tx, found.sums, await readServerTime(tx));
      await advance(tx, tail.lease, 'wide', {});
      return found;
    });
    if (page.lastId === null) return counted;
    counted += page.counted;
    after = page.lastId;
    await between(page);
  }
}

describe('a tail started beside a sweep', () => {
  it('has counted every birth exactly once at the end of the sweep, despite concurrent births and updates', async () => {
    await estate.gcos.snapshots.capture({ kind: 'backfill' });
    const open = await tail.work(async (tx) => {
      await advance(tx, tail.lease, 'wide', {});
      return zeroRunning(tx);
    });
    expect(open).toBeGreaterThan(100);
    const started = await tail.start();
    let step = 0;
    const counted = await sweep(started, async () => {
      step += 1;
      await bear(estate.url, [{ code: code() }, { code: code(), id: -step }]);
      await host(
        `update birth_registry set collection_name = 'articles' where entity_code = 'ORD-00000${step}'`,
      );
      if (step % 2 === 0) await tail.near({ recompute: 'later' });
      const wide = await tail.wide({ recompute: 'later' });
      expect(wide).toMatchObject({ recomputed: false });
      expect(wide.updated).toBeGreaterThan(0);
    });
    expect(counted).toBeGreaterThan(10_000n);
    expect(await tail.wrongGroups()).not.toEqual([]);
    const comparison = await tail.compare();
    expect(comparison).toMatchObject({ holds: true, notVerified: false });
    expect(new Set(comparison.groups.map((group) => group.outcome))).toEqual(new Set(['rebased']));
    expect(await tail.wrongGroups()).toEqual([]);
  });

  it('is proved without recomputation when no old row changed, including keys with two births', async () => {
    await estate.gcos.snapshots.capture({ kind: 'backfill' });
    await host(`insert into birth_registry (entity_code, collection_name, status)
      select entity_code, collection_name, 'again' from birth_registry where collection_name = 'dot_tools' limit 20`);
    await tail.work(async (tx) => {
      await advance(tx, tail.lease, 'wide', {});
      await zeroRunning(tx);
    });
    await untilHorizonPasses(estate.url);
    const started = await tail.start();
    await sweep(started, async () => {
      await bear(estate.url, [
        { code: code() },
        { code: code(), collection: 'dot_tools' },
        { code: 'DOT-001', collection: 'dot_tools', status: 'once more' },
      ]);
      await tail.near({ recompute: 'later' });
      await tail.wide({ recompute: 'later' });
    });
    const comparison = await tail.compare();
    expect(comparison.groups.filter((group) => group.outcome !== 'proved')).toEqual([]);
    expect(comparison.holds).toBe(true);
    expect(comparison.rounds.at(-1)).toMatchObject({ recomputed: false });
  });

  it('rebases without counting during the sweep: all groups wait for recomputation', async () => {
    await tail.wide();
    await tail.start();
    await host('vacuum full birth_registry');
    const round = await tail.wide({ recompute: 'later' });
    expect(round).toMatchObject({ rebased: 'relation_rewritten', recomputed: false });
    expect(round.marked).toBeGreaterThan(100);
    expect(await tail.wide()).toMatchObject({ rebased: null, recomputed: true });
    expect(await tail.wrongGroups()).toEqual([]);
  });
});
