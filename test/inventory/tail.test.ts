// The tail: which rows its rounds take in, when they recompute, and the lease they need.
import { describe, expect, it } from 'vitest';
import { addedIds, bear, code, estate, host, session, tail, useTail } from '../support/tail.js';

useTail('started');

const insert = (values: string) =>
  `insert into birth_registry (entity_code, collection_name, born_at) values ${values}`;

describe('a near round', () => {
  it('takes in new births once, and changes no other group', async () => {
    const ids = await bear(estate.url, [{ code: code() }, { code: code(), bornAt: '1999-01-01' }]);
    const round = await tail.near();
    expect(addedIds(round)).toEqual(ids);
    expect(round).toMatchObject({ added: 2, updated: 0, more: false, marked: 0, maxId: ids.at(-1) });
    expect(round.changed).toHaveLength(1);
    // Their class inherits: the round returns them as sums, not as rows.
    expect(round.rows).toEqual([]);
    expect(round.addedUp).toEqual([{ inventoryKey: round.changed[0], status: 'born', births: 2n, own: 0n }]);
    expect(await tail.wrongGroups()).toEqual([]);
    expect(await tail.near()).toMatchObject({ added: 0, changed: [] });
    // The wide round reads them again and recognises them as seen.
    expect(await tail.wide()).toMatchObject({ added: 0, updated: 0, recomputed: false });
    expect(await tail.wrongGroups()).toEqual([]);
  });

  it('creates a group for a birth with new dimensions, without a recomputation', async () => {
    await bear(estate.url, [{ code: code(), status: 'never-seen-before' }]);
    const round = await tail.near();
    expect(round.newGroups).toHaveLength(1);
    expect(await tail.wide()).toMatchObject({ recomputed: false });
    expect(await tail.wrongGroups()).toEqual([]);
  });

  it('takes in births after the highest id in several rounds', async () => {
    await bear(
      estate.url,
      Array.from({ length: 5 }, () => ({ code: code() })),
    );
    const limits = { roundRows: 2 };
    expect(await tail.near({ limits })).toMatchObject({ added: 2, more: true });
    expect(await tail.near({ limits })).toMatchObject({ added: 2, more: true });
    expect(await tail.near({ limits })).toMatchObject({ added: 1, more: false });
    expect(await tail.wrongGroups()).toEqual([]);
  });

  it('counts a key of a class that does not inherit in the group of its first birth', async () => {
    const key = code();
    await bear(estate.url, [{ code: key, collection: 'dot_tools' }]);
    expect(await tail.near()).toMatchObject({ added: 1, marked: 0 });
    expect(await tail.wrongGroups()).toEqual([]);
    // A later birth of the key in another group, and two births of another key at once.
    const other = code();
    await bear(estate.url, [
      { code: key, collection: 'dot_tools', status: 'later' },
      { code: other, collection: 'dot_tools', status: 'first' },
      { code: other, collection: 'dot_tools', status: 'second' },
    ]);
    expect(await tail.near()).toMatchObject({ added: 3, marked: 0 });
    expect(await tail.wide()).toMatchObject({ recomputed: false });
    expect(await tail.wrongGroups()).toEqual([]);
  });

  it('marks all groups for recomputation when the first birth of a key is committed after a later one', async () => {
    const key = code();
    const writer = await session();
    await writer.query('begin');
    await writer.query(insert(`('${key}', 'dot_tools', now())`));
    await bear(estate.url, [{ code: key, collection: 'dot_tools', status: 'later' }]);
    expect(await tail.near()).toMatchObject({ added: 1, marked: 0 });
    await writer.query('commit');
    const round = await tail.near();
    expect(round.added).toBe(1);
    expect(round.marked).toBeGreaterThan(0);
    expect(await tail.wide()).toMatchObject({ recomputed: true });
    expect(await tail.wrongGroups()).toEqual([]);
  });
});

describe('a mapping that changes', () => {
  it('marks all groups in the wide round: a changed profile and a renamed class', async () => {
    await host(
      "update coverage_profile set inherits = not inherits where class_pattern = (select entity_type from meta_catalog where registry_collection = 'orders' or collection_name = 'orders' limit 1)",
    );
    const [{ n }] = (await host(
      "select count(*)::int as n from meta_catalog where registry_collection = 'orders' or collection_name = 'orders'",
    )) as [{ n: number }];
    expect(n).toBeGreaterThan(0);
    await host(
      "update meta_catalog set entity_type = entity_type || '_renamed' where coalesce(registry_collection, collection_name) = 'orders'",
    );
    const round = await tail.wide();
    expect(round).toMatchObject({ recomputed: true });
    expect(round.newGroups.length).toBeGreaterThan(0);
    expect(await tail.wrongGroups()).toEqual([]);
    await host("update meta_catalog set entity_type = replace(entity_type, '_renamed', '')");
    await tail.wide();
    expect(await tail.wrongGroups()).toEqual([]);
  });

  it('marks all groups in the wide round: a changed member status, without a changed birth', async () => {
    await host(
      "update dot_tools set status = 'retired' where dot_code = (select min(dot_code) from dot_tools where status <> 'retired')",
    );
    expect(await tail.wide()).toMatchObject({ updated: 0, recomputed: true });
    expect(await tail.wrongGroups()).toEqual([]);
  });

  it('marks all groups in a near round: changed and restored between two wide rounds', async () => {
    await host(
      "update meta_catalog set entity_type = entity_type || '_renamed' where coalesce(registry_collection, collection_name) = 'orders'",
    );
    await bear(estate.url, [{ code: code() }]);
    const near = await tail.near();
    expect(near.marked).toBeGreaterThan(0);
    await host("update meta_catalog set entity_type = replace(entity_type, '_renamed', '')");
    expect(await tail.wide()).toMatchObject({ recomputed: true });
    expect(await tail.wrongGroups()).toEqual([]);
  });
});

describe('the lease', () => {
  it('a round that fails is rolled back as a whole', async () => {
    await bear(estate.url, [{ code: code() }]);
    const { nearRound } = await import('../../src/inventory/tail/index.js');
    const failing = tail.work(async (tx) => {
      const round = await nearRound(tx, tail.lease, tail.options);
      expect(round.added).toBe(1);
      throw new Error('killed');
    });
    await expect(failing).rejects.toThrow('killed');
    expect(await tail.near()).toMatchObject({ added: 1 });
    expect(await tail.wrongGroups()).toEqual([]);
  });

  it('refuses a round in read committed, which would not see one consistent state', async () => {
    const { nearRound } = await import('../../src/inventory/tail/index.js');
    await expect(
      tail.lease.work({ isolation: 'read committed' }, (tx) => nearRound(tx, tail.lease, tail.options)),
    ).rejects.toMatchObject({ code: 'tail_isolation' });
  });
});
