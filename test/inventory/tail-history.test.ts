// The tail: histories in which a row could be lost or counted twice. Each is compared with an aggregate of
// the table itself.
import { describe, expect, it } from 'vitest';
import {
  addedIds,
  bear,
  code,
  estate,
  host,
  session,
  tail,
  untilHorizonPasses,
  useTail,
} from '../support/tail.js';

useTail('started');

const insert = (values: string) =>
  `insert into birth_registry (entity_code, collection_name, born_at) values ${values}`;

describe('histories', () => {
  it('recomputation ahead of the tail: later rounds do not add the recomputed rows again', async () => {
    await bear(estate.url, [{ code: code() }]);
    await host("update birth_registry set certified = not certified where entity_code = 'ORD-000003'");
    expect(await tail.wide()).toMatchObject({ added: 1, updated: 1, recomputed: true });
    expect(await tail.near()).toMatchObject({ added: 0 });
    expect(await tail.wide()).toMatchObject({ added: 0, updated: 0, recomputed: false });
    expect(await tail.wrongGroups()).toEqual([]);
  });

  it('a row that changes collection leaves the group it was counted in', async () => {
    const key = code();
    await bear(estate.url, [{ code: key }]);
    await tail.near();
    await host(`update birth_registry set collection_name = 'articles' where entity_code = '${key}'`);
    expect(await tail.near()).toMatchObject({ added: 0 });
    const round = await tail.wide();
    expect(round).toMatchObject({ added: 0, updated: 1, recomputed: true });
    expect(round.changed).toHaveLength(2);
    expect(round.shrunk).toHaveLength(1);
    expect(await tail.wrongGroups()).toEqual([]);
  });

  it('a new row moved between page ranges is counted once', async () => {
    // In read committed each range would have its own snapshot, and both versions of the row would be
    // counted: the old one in one range, the new one in a later range. A round therefore requires repeatable
    // read.
    const key = code();
    await bear(estate.url, [{ code: key }]);
    await host(
      `update gov_worker_cursor set metadata = jsonb_set(metadata, '{ranges}', '7') where round = 'wide'`,
    );
    const { wideRound } = await import('../../src/inventory/tail/index.js');
    const round = await tail.work(async (tx) => {
      // The snapshot is taken. Now the row moves to another page, before or after the ranges.
      await host(
        `update birth_registry set canonical_address = repeat('x', 1500) where entity_code = '${key}'`,
      );
      return wideRound(tx, tail.lease, tail.options);
    });
    expect(round).toMatchObject({ added: 1, updated: 0 });
    expect(await tail.wide()).toMatchObject({ added: 0, updated: 1, recomputed: true });
    expect(await tail.wrongGroups()).toEqual([]);
  });

  it('an id that is deleted and used again, of a row seen recently and of an old row', async () => {
    const key = code();
    const [id] = await bear(estate.url, [{ code: key }]);
    await tail.near();
    const [old] = await host("select id from birth_registry where entity_code = 'ORD-000004'");
    await host(`delete from birth_registry where id = ${id};
      insert into birth_registry (id, entity_code, collection_name) values (${id}, '${key}-again', 'articles');
      delete from birth_registry where id = ${old?.['id']};
      insert into birth_registry (id, entity_code, collection_name) values (${old?.['id']}, '${key}-old', 'articles')`);
    expect(await tail.near()).toMatchObject({ added: 0 });
    expect(await tail.wide()).toMatchObject({ added: 0, updated: 2, recomputed: true });
    expect(await tail.wrongGroups()).toEqual([]);
  });

  it('one round sums births that their group represents, and returns births that count individually', async () => {
    const tool = (name: string) => ({ code: name, collection: 'dot_tools' });
    const ids = await bear(estate.url, [
      { code: code() },
      tool(`${code()}-t`),
      { code: code(), status: 'retired' },
      tool(`${code()}-t`),
      { code: code() },
    ]);
    const round = await tail.near();
    expect(addedIds(round)).toEqual(ids);
    expect(round.rows.map((row) => row.id)).toEqual([ids[1], ids[3]]);
    expect(round.addedUp.map(({ status, births }) => [status, births]).sort()).toEqual([
      ['born', 2n],
      ['retired', 1n],
    ]);
    expect(await tail.wrongGroups()).toEqual([]);
    expect(await tail.wide()).toMatchObject({ added: 0, updated: 0 });
    expect(await tail.wrongGroups()).toEqual([]);
  });

  it('a round ends before the first row above its limit of individually counted births', async () => {
    const mixed = Array.from({ length: 12 }, (_, index) => ({
      code: code(),
      collection: index % 3 === 2 ? 'dot_tools' : 'orders',
    }));
    const ids = await bear(estate.url, mixed);
    const limits = { roundRows: 2, backlogRows: 100 };
    const first = await tail.near({ limits });
    // The sixth birth is the second tool; the later orders wait for the round of the third tool.
    expect(first).toMatchObject({ added: 6, more: true, maxId: ids[5] });
    const second = await tail.near({ limits });
    expect(second).toMatchObject({ added: 6, more: false });
    expect([...addedIds(first), ...addedIds(second)]).toEqual(ids);
    expect(await tail.near({ limits })).toMatchObject({ added: 0, more: false });
    expect(await tail.wide()).toMatchObject({ added: 0, updated: 0 });
    expect(await tail.wrongGroups()).toEqual([]);
  });

  it('a bulk load that commits after later births is taken in by several rounds, with gaps of its own', async () => {
    const other = await session();
    const bulk = code();
    await other.query(`begin; insert into birth_registry (entity_code, collection_name)
      select '${bulk}-' || g, case when g % 50 = 0 then 'dot_tools' else 'orders' end from generate_series(1, 400) g`);
    await bear(estate.url, [{ code: code() }]);
    expect(await tail.near()).toMatchObject({ added: 1 });
    await other.query(
      `delete from birth_registry where entity_code in ('${bulk}-100', '${bulk}-101', '${bulk}-300'); commit`,
    );
    const later = await bear(estate.url, [{ code: code() }]);
    const rounds = [];
    do rounds.push(await tail.near({ limits: { roundRows: 150 } }));
    while (rounds.at(-1)?.more);
    expect(rounds.map((round) => round.added)).toEqual([150, 150, 98]);
    expect(rounds.at(-1)?.maxId).toBe(later[0]);
    expect(new Set(rounds.flatMap(addedIds)).size).toBe(398);
    expect(await tail.wrongGroups()).toEqual([]);
    expect(await tail.wide()).toMatchObject({ added: 0, updated: 0 });
    expect(await tail.wrongGroups()).toEqual([]);
  });

  it('explicit ids: far ahead of the sequence, which continues below them', async () => {
    const [far] = await bear(estate.url, [{ code: code(), id: 2_000_000_000 }]);
    expect(await tail.near()).toMatchObject({ added: 1, maxId: far });
    const ids = await bear(estate.url, [{ code: code() }, { code: code() }]);
    const round = await tail.near();
    expect(addedIds(round)).toEqual(ids);
    expect(round.maxId).toBe(far);
    expect(await tail.wide()).toMatchObject({ added: 0, updated: 0, recomputed: false });
    expect(await tail.wrongGroups()).toEqual([]);
    await host(`delete from birth_registry where id = ${far}`);
    await host('vacuum full birth_registry');
    expect(await tail.wide()).toMatchObject({ rebased: 'relation_rewritten', shrunk: [{}] });
  });

  it('explicit ids: below zero, taken in by the wide round', async () => {
    await bear(estate.url, [{ code: code(), id: -7 }]);
    expect(await tail.near()).toMatchObject({ added: 0 });
    expect(await tail.wide()).toMatchObject({ updated: 1, recomputed: true });
    expect(await tail.wrongGroups()).toEqual([]);
  });

  it('sequence cache: a session uses ids that it reserved earlier', async () => {
    await host('alter sequence birth_registry_id_seq cache 20');
    const [first, second] = [await session(), await session()];
    await first.query(insert(`('${code()}', 'orders', now())`));
    await second.query(insert(`('${code()}', 'orders', now())`));
    expect(await tail.near()).toMatchObject({ added: 2 });
    await tail.wide();
    for (let each = 0; each < 3; each += 1) await first.query(insert(`('${code()}', 'orders', now())`));
    await second.query(insert(`('${code()}', 'orders', now())`));
    const round = await tail.near();
    expect(round).toMatchObject({ added: 4, updated: 0 });
    expect(await tail.wide()).toMatchObject({ added: 0, updated: 0, recomputed: false });
    expect(await tail.wrongGroups()).toEqual([]);
  });

  it('a gap above the limit of gaps causes one recomputation', async () => {
    const writer = await session();
    await writer.query('begin');
    await writer.query(insert(`('${code()}', 'orders', now())`));
    await bear(estate.url, [{ code: code() }]);
    expect(await tail.near({ limits: { gaps: 0 } })).toMatchObject({ added: 1 });
    await writer.query('commit');
    expect(await tail.near()).toMatchObject({ added: 0 });
    expect(await tail.wide()).toMatchObject({ added: 0, updated: 1, recomputed: true });
    expect(await tail.wrongGroups()).toEqual([]);
  });

  it('a slow transaction commits a row below the highest id', async () => {
    const writer = await session();
    await writer.query('begin');
    await writer.query(insert(`('${code()}', 'orders', now())`));
    await bear(estate.url, [{ code: code() }]);
    expect(await tail.near()).toMatchObject({ added: 1 });
    expect(await tail.wide()).toMatchObject({ added: 0 });
    await writer.query('commit');
    expect(await tail.near()).toMatchObject({ added: 1 });
    expect(await tail.wide()).toMatchObject({ added: 0, updated: 0, recomputed: false });
    expect(await tail.wrongGroups()).toEqual([]);
  });

  it('savepoints and exception blocks: rows of sub-transactions, some of them rolled back', async () => {
    const writer = await session();
    // The transaction begins before the horizon advances, its sub-transactions begin afterwards.
    await writer.query(
      `begin; select pg_current_xact_id(); ${insert(`('${code()}', 'orders', '1970-01-01')`)}`,
    );
    await tail.wide();
    await writer.query(
      `savepoint a; ${insert(`('${code()}', 'orders', now())`)}; savepoint b; ${insert(`('${code()}', 'orders', now())`)}; rollback to b`,
    );
    await tail.near();
    await tail.wide();
    await writer.query(`do $$ begin
      for i in 1..5 loop
        begin
          insert into birth_registry (entity_code, collection_name) values ('${code()}-' || i, 'orders');
          if i % 2 = 0 then raise exception 'no'; end if;
        exception when raise_exception then null;
        end;
      end loop;
    end $$`);
    await writer.query('commit');
    const round = await tail.wide();
    expect(round).toMatchObject({ added: 5, updated: 0, recomputed: false });
    expect(await tail.near()).toMatchObject({ added: 0 });
    expect(await tail.wrongGroups()).toEqual([]);
  });

  it('back-dated and future-dated rows', async () => {
    await bear(estate.url, [
      { code: code(), bornAt: '-infinity' },
      { code: code(), bornAt: '1970-01-01' },
      { code: code(), bornAt: '2999-01-01' },
    ]);
    expect(await tail.near()).toMatchObject({ added: 3 });
    expect(await tail.wrongGroups()).toEqual([]);
  });

  it('in-place updates of a recent row and of an old row', async () => {
    const key = code();
    await bear(estate.url, [{ code: key }]);
    await tail.near();
    await host(
      `update birth_registry set governance_role = 'other' where entity_code in ('${key}', 'ORD-000005')`,
    );
    expect(await tail.wide()).toMatchObject({ added: 0, updated: 2, recomputed: true });
    expect(await tail.wrongGroups()).toEqual([]);
  });

  it('rolled-back rows are not counted and leave a gap', async () => {
    await host(`begin; ${insert(`('${code()}', 'orders', now())`)}; rollback`);
    await bear(estate.url, [{ code: code() }]);
    expect(await tail.near()).toMatchObject({ added: 1 });
    const wide = await tail.wide();
    expect(wide).toMatchObject({ added: 0, updated: 0 });
    expect(wide.gaps).toBeGreaterThan(0n);
    expect(await tail.wrongGroups()).toEqual([]);
  });

  it('a bulk load above the limit of a round takes several rounds; horizon and recomputation wait for the last', async () => {
    const limits = { roundRows: 40 };
    await host(`insert into birth_registry (entity_code, collection_name)
      select '${code()}-' || g, 'orders' from generate_series(1, 100) g;
      update birth_registry set certified = not certified where entity_code = 'ORD-000006'`);
    const first = await tail.wide({ limits });
    expect(first).toMatchObject({ more: true, recomputed: false });
    const second = await tail.wide({ limits });
    expect(second).toMatchObject({ more: true, horizon: first.horizon });
    await untilHorizonPasses(estate.url);
    const third = await tail.wide({ limits });
    expect(third).toMatchObject({ more: false, recomputed: true });
    expect(first.added + second.added + third.added).toBe(100);
    expect(BigInt(third.horizon)).toBeGreaterThan(BigInt(first.horizon));
    expect(await tail.near()).toMatchObject({ added: 0 });
    expect(await tail.wrongGroups()).toEqual([]);
  });

  it('a bulk load above the rebase limit causes a rebase, even while an older transaction is open', async () => {
    const limits = { roundRows: 10, rebaseRows: 50 };
    const other = await session();
    await other.query('begin; select pg_current_xact_id()');
    await host(`insert into birth_registry (entity_code, collection_name)
      select '${code()}-' || g, 'orders' from generate_series(1, 120) g`);
    expect(await tail.wide({ limits })).toMatchObject({
      rebased: 'too_many_rows',
      recomputed: true,
      gaps: 0n,
    });
    expect(await tail.near()).toMatchObject({ added: 0 });
    expect(await tail.wrongGroups()).toEqual([]);
    await other.query('commit');
    await tail.wide();
    expect(await tail.wrongGroups()).toEqual([]);
  });

  it.each(['vacuum full birth_registry', 'cluster birth_registry using birth_registry_pkey'])(
    'a rewritten table: %s',
    async (rewrite) => {
      await bear(estate.url, [{ code: code() }]);
      await tail.near();
      await host(rewrite);
      await bear(estate.url, [{ code: code() }]);
      expect(await tail.wide()).toMatchObject({ rebased: 'relation_rewritten' });
      expect(await tail.near()).toMatchObject({ added: 0 });
      expect(await tail.wide()).toMatchObject({ rebased: null, added: 0, updated: 0 });
      expect(await tail.wrongGroups()).toEqual([]);
    },
  );

  it('a table rewritten after the snapshot was taken appears empty, and the round is retried', async () => {
    const { wideRound } = await import('../../src/inventory/tail/index.js');
    let attempts = 0;
    const round = await tail.work(async (tx) => {
      attempts += 1;
      if (attempts === 1) await host('alter table birth_registry alter canonical_address type varchar(3000)');
      return wideRound(tx, tail.lease, tail.options);
    });
    expect(attempts).toBe(2);
    expect(round).toMatchObject({ rebased: 'relation_rewritten', shrunk: [] });
    expect(await tail.wrongGroups()).toEqual([]);
  });

  it('a table truncated and filled again', async () => {
    await host('create table kept as table birth_registry; truncate birth_registry');
    const empty = await tail.wide();
    expect(empty).toMatchObject({ rebased: 'relation_rewritten', maxId: null });
    expect(await tail.wrongGroups()).toEqual([]);
    await host('insert into birth_registry select * from kept; drop table kept');
    let added = 0;
    for (let more = true; more; ) {
      const round = await tail.wide();
      expect(round).toMatchObject({ rebased: null, updated: 0 });
      added += round.added;
      more = round.more;
    }
    expect(added).toBe(20_000);
    expect(await tail.near()).toMatchObject({ added: 0 });
    expect(await tail.wrongGroups()).toEqual([]);
  });
});
