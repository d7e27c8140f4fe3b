// The sums per range of ids: an update recounts its range and not the whole table. Whatever leaves or enters
// a range without a row that shows it, the running fingerprints are those of the table.
import { beforeEach, describe, expect, it } from 'vitest';
import { bear, code, estate, host, session, tail, useTail } from '../support/tail.js';

useTail('started');

const ROWS = 2_000;

/** The last id of each range, and the version of its row. */
const ranges = async (): Promise<ReadonlyMap<bigint, string>> =>
  new Map(
    (
      await host('select last_id::text as last, xmin::text as version from gov_intake_range order by last_id')
    ).map((row) => [BigInt(String(row['last'])), String(row['version'])]),
  );
const idOf = async (key: string): Promise<bigint> => {
  const [row] = await host(`select id::text as id from birth_registry where ${key} order by id limit 1`);
  return BigInt(String(row?.['id']));
};
/** A birth that its group represents, in the first range, and one that counts by itself. */
const ORDER = `collection_name = 'orders'`;
const TOOL = `collection_name = 'dot_tools'`;
const first = (key: string) => `id = (select min(id) from birth_registry where ${key})`;

beforeEach(async () => {
  await host(
    `update governance_setting set setting_value = setting_value || '{"range_rows": ${ROWS}}' where setting_key = 'tail.limits'`,
  );
  await tail.wide();
});

/** The ranges whose rows were written since `before`. */
const written = async (before: ReadonlyMap<bigint, string>): Promise<readonly bigint[]> =>
  [...(await ranges())].filter(([last, version]) => before.get(last) !== version).map(([last]) => last);

describe('ranges of ids', () => {
  it('contain all births but the newest, and stay while births are added behind them', async () => {
    const before = await ranges();
    const [row] = await host(
      `select count(*)::int as n from birth_registry where id > ${[...before.keys()].at(-1)}`,
    );
    expect(Number(row?.['n'])).toBeGreaterThanOrEqual(ROWS);
    expect(Number(row?.['n'])).toBeLessThan(2 * ROWS);
    await bear(estate.url, [{ code: code() }, { code: code(), collection: 'dot_tools' }]);
    await tail.near();
    await tail.wide();
    expect(await written(before)).toEqual([]);
    expect(await tail.wrongGroups()).toEqual([]);
  });

  it('an update recounts the range of its birth, and no other', async () => {
    const before = await ranges();
    const id = await idOf(ORDER);
    await host(`update birth_registry set status = 'checked', certified = not certified where id = ${id}`);
    const round = await tail.wide();
    expect(round).toMatchObject({ updated: 1, recomputed: true, unexplained: false });
    expect(round.shrunk).toHaveLength(1);
    expect(await written(before)).toEqual([[...before.keys()].find((last) => last >= id)]);
    expect(await tail.wrongGroups()).toEqual([]);
    // One of the newest births: it is in no range.
    const [newest] = await bear(estate.url, [{ code: code() }]);
    await tail.near();
    const between = await ranges();
    await host(`update birth_registry set status = 'checked' where id = ${newest}`);
    expect(await tail.wide()).toMatchObject({ updated: 1 });
    expect(await written(between)).toEqual([]);
    expect(await tail.wrongGroups()).toEqual([]);
  });

  it.each([
    [
      'a birth that counts by itself is changed',
      `update birth_registry set status = 'x' where ${first(TOOL)}`,
    ],
    [
      'a birth becomes one that counts by itself',
      `update birth_registry set collection_name = 'dot_tools' where ${first(ORDER)}`,
    ],
    [
      'a birth that counted by itself becomes one of a group',
      `update birth_registry set collection_name = 'orders' where ${first(TOOL)}`,
    ],
    ['a birth is deleted', `delete from birth_registry where ${first(ORDER)}`],
    [
      'a birth is deleted and another one changed',
      `delete from birth_registry where ${first(ORDER)};
       update birth_registry set status = 'x' where id = (select max(id) from birth_registry where ${ORDER})`,
    ],
    ['a birth gets an id of another range', `update birth_registry set id = -5 where id = 15000`],
    [
      'two births exchange their ids',
      `update birth_registry set id = -1 where id = 3; update birth_registry set id = 3 where id = 9000;
       update birth_registry set id = 9000 where id = -1`,
    ],
    ['half of all births change', `update birth_registry set certified = not certified where id % 2 = 0`],
    ['the table is rewritten', 'vacuum full birth_registry'],
  ])('%s', async (_, change) => {
    await host(change);
    await tail.wide();
    expect(await tail.wrongGroups()).toEqual([]);
    // And again, with the ranges that the round left.
    await tail.wide();
    expect((await ranges()).size).toBeGreaterThan(0);
    await host(`update birth_registry set certified = not certified where ${first(ORDER)}`);
    await tail.wide();
    expect(await tail.wrongGroups()).toEqual([]);
  });

  it('a birth that is committed late into a range ends it and the later ones', async () => {
    const late = await session();
    await late.query('begin');
    await late.query(
      `insert into birth_registry (entity_code, collection_name, born_at) values ('${code()}', 'orders', now())`,
    );
    await bear(
      estate.url,
      Array.from({ length: 2 * ROWS }, () => ({ code: code() })),
    );
    await tail.near();
    await tail.wide();
    const before = [...(await ranges()).keys()];
    await late.query('commit');
    expect(await tail.near()).toMatchObject({ added: 1 });
    const after = [...(await ranges()).keys()];
    expect(after.length).toBeLessThan(before.length);
    expect(after).toEqual(before.slice(0, after.length));
    await host(`update birth_registry set certified = not certified where ${first(ORDER)}`);
    await tail.wide();
    expect(await tail.wrongGroups()).toEqual([]);
  });

  it('a range with wrong sums is found by a comparison and forgotten by the recount that repairs it', async () => {
    await host(
      `update gov_intake_range set h1s[1] = h1s[1] + 1 where last_id = (select max(last_id) from gov_intake_range)`,
    );
    await host(`update birth_registry set certified = not certified where ${first(ORDER)}`);
    await tail.wide();
    expect(await tail.wrongGroups()).toHaveLength(1);
    const found = await tail.compare();
    expect(found.groups.filter((group) => group.outcome === 'differs')).toHaveLength(1);
    const { markAllGroups } = await import('../../src/inventory/tail/index.js');
    const { advance } = await import('../../src/record/cursor/index.js');
    await tail.work(async (tx) => {
      await markAllGroups(tx);
      await advance(tx, tail.lease, 'wide', {});
    });
    await tail.wide();
    expect(await tail.wrongGroups()).toEqual([]);
    await tail.wide();
    await host(`update birth_registry set certified = not certified where ${first(ORDER)}`);
    expect(await tail.wide()).toMatchObject({ updated: 1 });
    expect(await tail.wrongGroups()).toEqual([]);
  });
});
