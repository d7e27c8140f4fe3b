// The left side of the ledger: a count of the inventory at the grain, independent of the right side.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Transaction } from '../../src/db/index.js';
import { readClassMap } from '../../src/inventory/group/index.js';
import { countInventory, type InventoryCount } from '../../src/verdict/ledger/index.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { inventoryOf, LIMIT_MS } from '../support/inventory.js';

let estate: Estate;
beforeEach(async () => {
  estate = await createEstate('installed');
});
afterEach(() => estate.close());

const READ_ONLY = { isolation: 'repeatable read', readOnly: true } as const;
const countIn = async (tx: Transaction, parts?: number): Promise<InventoryCount> =>
  countInventory(tx, await readClassMap(tx, 'public'), {
    limitMs: LIMIT_MS,
    ...(parts === undefined ? {} : { parts }),
  });
const count = (parts?: number) => estate.db.transaction(READ_ONLY, (tx) => countIn(tx, parts));
const units = ({ groups }: InventoryCount) =>
  new Map([...groups].map(([key, each]) => [key, [each.units, each.keys, each.unborn]]));

describe('the count of the inventory at the grain', () => {
  it('equals the fingerprints in every group, plus the members without a birth', async () => {
    const counted = await count();
    const { groups } = await inventoryOf(estate.db);
    const born = (key: string) => {
      const each = counted.groups.get(key);
      return each === undefined ? undefined : each.units - each.unborn;
    };
    expect(groups.map((group) => [group.key, born(group.key)])).toEqual(
      groups.map((group) => [group.key, group.grainCount]),
    );
    const unborn = [...counted.groups.values()].filter((each) => each.unborn > 0n);
    // DOT-308, DOT-309, RT-030, RT-031 and RT-032, and the signal types of GCOS itself, which have no birth.
    const [types] = await asHost(
      estate.url,
      "select count(*) as n from event_type_registry where event_domain = 'governance'",
    );
    expect(
      unborn.map(({ group, unborn: n }) => [group.sourceRegistry, group.lifecycleStatus, n]).sort(),
    ).toEqual([
      ['dot_tools', 'active', 2n],
      ['event_type_registry', null, BigInt(String(types?.['n']))],
      ['route_registry', 'active', 3n],
    ]);
  });

  it('does not depend on the ranges in which births are read', async () => {
    const whole = await count();
    const cut = await count(7);
    expect(cut.ranges).toBeGreaterThan(whole.ranges);
    expect(units(cut)).toEqual(units(whole));
  });

  it('does not change with the children of a container, and grows by one with an object that counts by itself', async () => {
    const before = units(await count());
    await asHost(
      estate.url,
      `insert into birth_registry (entity_code, collection_name, species_code)
       select 'MORE-' || n, 'articles', 'SP-ARTICLE' from generate_series(1, 500) n`,
    );
    expect(units(await count())).toEqual(before);
    // A second birth of a key has no weight; a new key has weight 1.
    await asHost(
      estate.url,
      `insert into birth_registry (entity_code, collection_name, species_code, status)
       select 'DOT-001', 'dot_tools', 'SP-TOOL', 'born' from generate_series(1, 3)`,
    );
    expect(units(await count())).toEqual(before);
    await asHost(
      estate.url,
      `insert into birth_registry (entity_code, collection_name, species_code, status) values ('DOT-308', 'dot_tools', 'SP-TOOL', 'born'),
         ('A:new/one', 'dot_tools', 'SP-TOOL', 'born')`,
    );
    const after = units(await count());
    const changed = [...after].filter(([key, value]) => String(before.get(key)) !== String(value));
    const total = (all: ReturnType<typeof units>) =>
      [...all.values()].reduce((sum, [each = 0n]) => sum + each, 0n);
    // DOT-308 was counted as unborn before; the other object is in no registry and forms a new group.
    expect(total(after) - total(before)).toBe(1n);
    expect(changed).toHaveLength(2);
  });

  it('counts on a host without the index on the key', async () => {
    const before = units(await count());
    await asHost(estate.url, 'drop index birth_registry_entity_idx');
    expect(units(await count(3))).toEqual(before);
  });
});
