// The running fingerprints against the truth: started beside a sweep, compared in one snapshot, and the plans that keep it cheap.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readServerTime, type Statement, type Transaction } from '../../src/db/index.js';
import { readClassMap } from '../../src/inventory/group/index.js';
import {
  applySums,
  markAllGroups,
  readSweepPage,
  type StartedTail,
  type SweepPage,
  watchTail,
  zeroRunning,
} from '../../src/inventory/tail/index.js';
import { insertSeenNear, nearRows, nearRuns, nearSums } from '../../src/inventory/tail/near.sql.js';
import { olderSums, sweepPage, wideRows, wideRowsIn } from '../../src/inventory/tail/source.sql.js';
import { advance } from '../../src/record/cursor/index.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { fragment, withLiterals } from '../support/sql.js';
import { bear, openTail, type Tail, untilHorizonPasses } from '../support/tail.js';

let estate: Estate;
let tail: Tail;
beforeAll(async () => {
  estate = await createEstate('installed');
  tail = await openTail(estate.url);
});
afterAll(async () => {
  await tail?.close();
  await estate?.close();
});
const host = (sql: string) => asHost(estate.url, sql);
let serial = 0;
const code = () => {
  serial += 1;
  return `TRUTH-${serial}`;
};

/** A sweep as the backfill does it: pages by primary key, cursor and effects in one transaction. */
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
  it('has counted every birth exactly once when the sweep is through, whatever happened meanwhile', async () => {
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

  it('is proved without recomputation where nothing old was touched, keys born twice included', async () => {
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

  it('is rebased without counting while the sweep is under way: everything waits for recomputation', async () => {
    await tail.start();
    await host('vacuum full birth_registry');
    const round = await tail.wide({ recompute: 'later' });
    expect(round).toMatchObject({ rebased: 'relation_rewritten', recomputed: false });
    expect(round.marked).toBeGreaterThan(100);
    expect(await tail.wide()).toMatchObject({ rebased: null, recomputed: true });
    expect(await tail.wrongGroups()).toEqual([]);
  });
});

describe('comparing with the truth', () => {
  beforeEach(async () => {
    await tail.work(markAllGroupsUnderLease);
    await tail.wide();
  });
  const markAllGroupsUnderLease = async (tx: Transaction) => {
    await markAllGroups(tx);
    await advance(tx, tail.lease, 'wide', {});
  };

  it('proves what additions have kept up, births during the reading included', async () => {
    await bear(estate.url, [{ code: code() }]);
    await tail.near();
    const { readInventory } = await import('../../src/inventory/snapshot/index.js');
    const comparison = await tail.compare({
      reader: async (tx, map, options) => {
        // After the snapshot: neither side may see it.
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
    ['a birth too many', 'member_count = member_count + 1'],
    ['another sum', 'h2 = h2 - 1'],
    ['another weight', 'grain_count = grain_count + 1'],
    ['another highest id', 'max_id = max_id + 1'],
  ])('tells a running fingerprint that is wrong: %s', async (_, change) => {
    const [row] = await host(
      `update governance_inventory set ${change} where inventory_key = (select min(inventory_key) from governance_inventory where member_count > 3)
       returning inventory_key, member_count::text as count`,
    );
    const comparison = await tail.compare();
    const wrong = comparison.groups.filter((group) => group.outcome === 'differs');
    expect(comparison.holds).toBe(false);
    expect(wrong.map((group) => group.inventoryKey)).toEqual([row?.['inventory_key']]);
    expect(String(wrong[0]?.running.count)).toBe(row?.['count']);
    // It repairs nothing by itself.
    expect((await tail.compare()).holds).toBe(false);
    await tail.work(markAllGroupsUnderLease);
    expect(await tail.compare()).toMatchObject({ holds: true, rounds: [{ recomputed: true }] });
    expect((await tail.compare()).groups.every((group) => group.outcome === 'proved')).toBe(true);
  });

  it('finds a deletion, which no round can see, and the repair says which group shrank', async () => {
    await host("delete from birth_registry where entity_code in ('ORD-000010', 'ORD-000011')");
    expect(await tail.wide()).toMatchObject({ updated: 0, recomputed: false });
    const wrong = (await tail.compare()).groups.filter((group) => group.outcome === 'differs');
    expect(wrong.map(({ running, truth }) => running.count - truth.count)).toEqual([2n]);
    await tail.work(markAllGroupsUnderLease);
    const round = await tail.wide();
    expect(round.shrunk).toMatchObject([
      { inventoryKey: wrong[0]?.inventoryKey, before: wrong[0]?.running.count },
    ]);
  });

  it('reads in ranges behind savepoints, and beyond its time says that nothing was verified', async () => {
    const { readInventory } = await import('../../src/inventory/snapshot/index.js');
    const parts = await tail.compare({
      reader: (tx, map, options) => readInventory(tx, map, { ...options, parts: 5 }),
    });
    expect(parts).toMatchObject({ holds: true });
    const late = await tail.compare({ maxDurationMs: -1 });
    expect(late).toMatchObject({ holds: false, notVerified: true, groups: [] });
    // The snapshot is let go of.
    const [{ n }] = (await host(
      "select count(*)::int as n from pg_stat_activity where backend_xmin is not null and pid <> pg_backend_pid() and datname = current_database() and state <> 'active'",
    )) as [{ n: number }];
    expect(n).toBe(0);
  });

  it('goes on with wide rounds until nothing is left to take in', async () => {
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

describe('the horizon', () => {
  const sinceHorizon = (horizon: string, upper: string) =>
    fragment('inventory/tail/births.sql', 'since_horizon', { horizon, upper });

  it('puts every row on exactly one side', async () => {
    const [row] = await host(`
      select count(*) filter (where ${sinceHorizon('x.lo', 'x.up')}) as since, count(*) filter (where not ${sinceHorizon('x.lo', 'x.up')}) as older,
        count(*) as births
      from birth_registry b
      cross join (select (select max(b.xmin::text::bigint)::text::xid8 from birth_registry b) as lo, pg_snapshot_xmax(pg_current_snapshot()) as up) as x`);
    expect(Number(row?.['since'])).toBeGreaterThan(0);
    expect(Number(row?.['older'])).toBeGreaterThan(0);
    expect(Number(row?.['since']) + Number(row?.['older'])).toBe(Number(row?.['births']));
  });

  it('is read modulo 2³², whatever the epoch: recent rows are since, old, frozen and far ones are older', async () => {
    // Rows by their distance from the next transaction, under horizons 100 back, in epochs 0 to 3.
    const rows = await host(`
      with now as (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as x),
      b as (
        select d.name, case when d.xmin is not null then d.xmin else (((now.x - d.back) % 4294967296 + 4294967296) % 4294967296)::text::xid end as xmin
        from now, (values ('next', 0::bigint, null::xid), ('recent', 50, null), ('at the horizon', 100, null), ('before it', 101, null),
          ('half a round', 2147483000, null), ('frozen', 0, '2'::xid), ('bootstrap', 0, '1'::xid)) as d(name, back, xmin)
      )
      select e.epoch, b.name, ${sinceHorizon(
        '((now.x - 100 + e.epoch * 4294967296 + 4294967296)::text)',
        '((now.x + e.epoch * 4294967296)::text)',
      )} as since
      from b, now, generate_series(0, 3) as e(epoch)`);
    const since = rows.filter((row) => row['since']).map((row) => row['name'] as string);
    expect([...new Set(since)].sort()).toEqual(['at the horizon', 'next', 'recent']);
    expect(since).toHaveLength(12);
    expect(rows).toHaveLength(28);
  });

  it('is watched: a transaction left open elsewhere shows in its age and in the list of seen rows', async () => {
    await untilHorizonPasses(estate.url);
    await tail.wide();
    const look = () =>
      tail.db.transaction({ isolation: 'read committed', readOnly: true }, async (tx) =>
        watchTail(tx, await readServerTime(tx)),
      );
    const calm = await look();
    expect(calm).toMatchObject({ seenSize: 0n });
    const { default: pg } = await import('pg');
    const other = new pg.Client({ connectionString: estate.url });
    await other.connect();
    await other.query('begin; select pg_current_xact_id()');
    for (let each = 0; each < 4; each += 1) {
      await bear(estate.url, [{ code: code() }]);
      await tail.near();
      await tail.wide();
    }
    const held = await look();
    await other.end();
    expect(held?.seenSize).toBe(4n);
    expect(held?.horizonAge).toBeGreaterThan(calm?.horizonAge ?? 0n);
    expect(held?.horizonSeconds).toBeGreaterThan(0);
    await untilHorizonPasses(estate.url);
    await tail.wide();
    expect(await look()).toMatchObject({ seenSize: 0n });
  });
});

describe('plans', () => {
  async function explain<P>(
    statement: Statement<P>,
    literals: Partial<Record<keyof P & string, string>>,
  ): Promise<string> {
    const rows = await host(`explain ${withLiterals(statement, literals)}`);
    return rows.map((row) => row['QUERY PLAN'] as string).join('\n');
  }

  it('a near round goes through the primary key, gaps included', async () => {
    await host(
      `analyze; insert into gov_intake_gap select 'birth_registry', 1000000 + g * 100, 1000000 + g * 100 + 50, 1 from generate_series(1, 900) g`,
    );
    for (const analyze of ['select 1', 'analyze gov_intake_gap']) {
      await host(analyze);
      const births = {
        ...{ first: '19000', last: '19900', gapFirst: "'{100,300}'", gapLast: "'{120,310}'", most: '200001' },
        ...{ source: "'birth_registry'", collections: "array['dot_tools']", nextXid: '900', limit: '10001' },
      };
      const plans = [
        await explain(nearRuns, { source: "'birth_registry'", maxId: '19000', limit: '10001' }),
        await explain(nearSums, births),
        await explain(nearRows, births),
        await explain(insertSeenNear, births),
      ];
      for (const plan of plans) {
        expect(plan).not.toMatch(/Seq Scan on birth_registry/);
        expect(plan.match(/Index (Only )?Scan using birth_registry_pkey/g)).toHaveLength(2);
      }
    }
    await host('delete from gov_intake_gap');
  });

  it('a wide round is one sequential scan, however many rows were seen', async () => {
    const values = {
      ...{ source: "'birth_registry'", horizon: "'700'", upper: "'900'", nextXid: '900' },
      ...{ limit: '10001', countUpTo: '100000' },
    };
    for (const seen of [0, 30_000]) {
      await host(
        `delete from gov_intake_seen; insert into gov_intake_seen select 'birth_registry', g, 800 from generate_series(1, ${seen}) g; analyze gov_intake_seen`,
      );
      const plan = await explain(wideRows, values);
      expect(plan.match(/Seq Scan on birth_registry/g)).toHaveLength(1);
      expect(plan).not.toMatch(/birth_registry_pkey/);
    }
    const ranges = await explain(wideRowsIn, { ...values, first: '3', last: '9' });
    expect(ranges).toMatch(/Tid Range Scan on birth_registry/);
    await host('delete from gov_intake_seen');
  });

  it('a sweep goes by primary key', async () => {
    const page = await explain(sweepPage, { after: '100', limit: '500' });
    expect(page).toMatch(/Index (Only )?Scan using birth_registry_pkey/);
    const sums = await explain(olderSums, {
      ...{ after: '100', last: '600', horizon: "'700'", upper: "'900'" },
      ...{ collections: "array['dot_tools']", except: "'{}'" },
    });
    expect(sums).toMatch(/Scan using birth_registry_pkey|Bitmap Index Scan on birth_registry_pkey/);
  });
});
