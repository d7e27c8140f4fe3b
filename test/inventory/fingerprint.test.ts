// The fingerprint depends on the columns of a row that verdicts read, and on nothing else.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Transaction } from '../../src/db/index.js';
import { readClassMap } from '../../src/inventory/group/index.js';
import {
  type Inventory,
  readInventory,
  readInventoryByKey,
  readSealedDigests,
} from '../../src/inventory/snapshot/index.js';
import { createEstate, type Estate } from '../support/estate.js';
import { changedKeys, inventoryIn, inventoryOf, LIMIT_MS, textOf } from '../support/inventory.js';

describe('a fingerprint', () => {
  let estate: Estate;
  let before: Inventory;
  beforeAll(async () => {
    estate = await createEstate('installed');
    before = await inventoryOf(estate.db);
  });
  afterAll(() => estate.close());
  /** The inventory after `sql`, read in a transaction that is rolled back. */
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
    'changes with %s of a single row, only in the group of the row',
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

  it('changes when two rows of one group swap a value', async () => {
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
    'distinguishes NULL in %s from the empty text and from the previous value',
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

  it('includes a row whose nullable columns are all NULL in the count and in the sums', async () => {
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

  it('distinguishes ids 1 and 4294967296, and -1 and 4294967295', async () => {
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
  ])('can be computed with a birth at %s', async (time, latest) => {
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
    ['search_path', 'set local search_path = gcos_trust, public, pg_catalog, pg_temp'],
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
    // Times are printed in the time zone of the session; all other text must be equal.
    const strip = (text: string) => text.replaceAll(/"maxBornAt":"[^"]*"/g, '');
    expect(strip(await read(prepare))).toBe(strip(textOf(before)));
  });

  it('does not depend on the type of negative ids either', async () => {
    const negative = 'update birth_registry set id = -id';
    expect(await read(`${negative}; alter table birth_registry alter id type bigint`)).toBe(
      await read(negative),
    );
  });

  it('does not depend on the ranges of ids, nor on the access path', async () => {
    expect(await read('', { parts: 7 })).toBe(textOf(before));
    const byKey = await estate.db.rehearse({ isolation: 'repeatable read' }, async (tx) =>
      readInventoryByKey(tx, await readClassMap(tx, 'public'), { limitMs: LIMIT_MS }),
    );
    expect(textOf(byKey)).toBe(textOf(before));
  });

  it('halves a range that takes too long, with the same result', async () => {
    // Each row takes time: the whole table exceeds the limit, smaller ranges do not.
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
        // Only the inventory is read in ranges: reading the catalogue must not time out on a busy machine.
        const map = await readClassMap(tx, 'public');
        await tx.script('set local statement_timeout = 250');
        return readInventory(tx, map, { limitMs: 250 });
      },
    );
    expect(inventory.ranges).toBeGreaterThan(1);
    expect(textOf(inventory)).toBe(textOf({ ...before, ranges: inventory.ranges }));
  });

  it('does not retry with a smaller range when a statement is cancelled well before the limit', async () => {
    const ran: string[] = [];
    await expect(
      estate.db.rehearse({ isolation: 'repeatable read', statementTimeoutMs: 1 }, async (tx) => {
        await tx.script('set local statement_timeout = 0');
        const map = await readClassMap(tx, 'public');
        await tx.script('set local statement_timeout = 1');
        const run = tx.run.bind(tx);
        vi.spyOn(tx, 'run').mockImplementation((statement, params) => {
          ran.push(statement.name);
          return run(statement, params);
        });
        return readInventory(tx, map, { limitMs: 60_000 });
      }),
    ).rejects.toMatchObject({ code: 'statement_timeout' });
    // A retry with a smaller range would run the same statement again.
    expect(ran.length).toBeGreaterThan(0);
    expect(new Set(ran).size).toBe(ran.length);
  });

  it('sealed digests cover the same groups and change with any column', async () => {
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
});
