// Dimensions and groups: every object is in exactly one inventory group, derived from the catalogue as
// documented. Objects that cannot be resolved have a group too.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Transaction } from '../../src/db/index.js';
import { readRulesInForce, resolveProfiles } from '../../src/host/index.js';
import {
  type ClassMap,
  groupKey,
  inventoryKey,
  readClassMap,
  refreshGroups,
} from '../../src/inventory/group/index.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { inventoryIn, inventoryOf } from '../support/inventory.js';

const AT = '2026-06-02T00:00:00Z';

describe('groups', () => {
  let estate: Estate;
  beforeEach(async () => {
    estate = await createEstate('installed');
  });
  afterEach(() => estate.close());
  const inside = <T>(work: (tx: Transaction) => Promise<T>) =>
    estate.db.rehearse({ isolation: 'repeatable read' }, work);
  const map = (): Promise<ClassMap> => inside((tx) => readClassMap(tx, 'public'));

  it('derives class, axis family, profile and member registry', async () => {
    const classes = await map();
    expect(classes.classOf('dot_tools', 'SP-TOOL')).toMatchObject({
      name: 'dot_tool',
      axisFamily: null,
      inherits: false,
      registry: { name: 'dot_tools', codeColumn: 'dot_code', hasStatus: true },
      unresolved: null,
    });
    expect(classes.classOf('event_type_registry', null).registry).toMatchObject({
      codeColumn: 'code',
      hasStatus: false,
    });
    // The axis family of articles comes from the profile, that of campaigns from a pivot.
    expect(classes.classOf('articles', null)).toMatchObject({ axisFamily: 'topic', inherits: true });
    expect(classes.classOf('campaigns', null)).toMatchObject({ axisFamily: 'channel', inherits: true });
    expect(classes.classOf('devices', null)).toMatchObject({
      name: 'device',
      inherits: false,
      unresolved: 'registry_missing',
    });
    expect(classes.classOf('field_notes', null)).toMatchObject({
      name: 'unresolved',
      unresolved: 'no_class',
    });
    expect(classes.classOf('glossary_terms', null)).toMatchObject({ profile: null, unresolved: null });
  });

  it('distinguishes classes by species, and takes the first class of the catalogue when species is ambiguous', async () => {
    const classes = await map();
    expect(classes.classOf('contracts', 'SP-CONTRACT').name).toBe('contract');
    expect(classes.classOf('contracts', 'SP-ANNEX').name).toBe('contract_annex');
    expect(classes.isAmbiguous('contracts', 'SP-ANNEX')).toBe(false);
    expect(classes.classOf('documents', 'SP-DOCUMENT').name).toBe('document');
    expect(classes.isAmbiguous('documents', 'SP-DOCUMENT')).toBe(true);
    expect(classes.isAmbiguous('contracts', null)).toBe(true);
  });

  it('puts every birth into exactly one inventory group, including births that cannot be resolved', async () => {
    const { groups, ambiguous } = await inventoryOf(estate.db);
    const [total] = await asHost(estate.url, 'select count(*)::int as n from birth_registry');
    expect(groups.reduce((sum, group) => sum + group.count, 0n)).toBe(BigInt(total?.['n'] as number));
    expect(new Set(groups.map((group) => group.key)).size).toBe(groups.length);
    const unresolved = groups.filter((group) => group.unresolved !== null);
    expect(new Set(unresolved.map((group) => group.sourceRegistry))).toEqual(
      new Set(['field_notes', 'old_taxonomy', 'legacy_import', 'articles:archive/2025', 'devices']),
    );
    expect(ambiguous).toEqual(['documents']);
  });

  it.each(['null', "''"])(
    'leaves births unresolved when their catalogue row has no class: %s',
    async (name) => {
      const groups = await inside(async (tx) => {
        await tx.script(
          `alter table meta_catalog alter entity_type drop not null;
         update meta_catalog set entity_type = ${name} where coalesce(registry_collection, collection_name) = 'venues'`,
        );
        const inventory = await inventoryIn(tx, 'public');
        await refreshGroups(tx, inventory.groups, AT);
        return inventory.groups;
      });
      expect(
        groups
          .filter((each) => each.sourceRegistry === 'venues')
          .map((each) => [each.objectClass, each.unresolved]),
      ).toEqual([['unresolved', 'no_class']]);
    },
  );

  it('takes the lifecycle of individually counted objects from their registry, and counts a key once', async () => {
    const { groups } = await inventoryOf(estate.db);
    const tools = new Map(
      groups
        .filter((group) => group.sourceRegistry === 'dot_tools')
        .map((group) => [group.lifecycleStatus, [group.count, group.grainCount]]),
    );
    // 307 of 309 tools have a birth: ten retired, five superseded. DOT-030 has two births and counts once.
    expect(tools).toEqual(
      new Map([
        ['active', [293n, 292n]],
        ['retired', [10n, 10n]],
        ['superseded', [5n, 5n]],
      ]),
    );
    const articles = groups.filter((group) => group.sourceRegistry === 'articles');
    expect(articles.map((group) => group.grainCount)).toEqual(articles.map(() => 1n));
    expect(new Set(articles.map((group) => group.lifecycleStatus))).toEqual(
      new Set(['born', 'retired', 'superseded', 'merged']),
    );
    // Births without a status form a group of their own.
    expect(
      groups.filter((group) => group.sourceRegistry === 'payments' && group.lifecycleStatus === null),
    ).toMatchObject([{ count: 1n }]);
  });

  it('writes one group per inventory group and scope, and a repetition changes nothing', async () => {
    await inside(async (tx) => {
      const { groups } = await inventoryIn(tx, 'public');
      const first = await refreshGroups(tx, groups, AT);
      expect(first.scopes).toEqual(['approval', 'audit', 'execution', 'health', 'policy', 'render']);
      expect(first.inventoryGroups).toEqual({ created: groups.length, changed: 0 });
      expect(first.groups).toEqual({ created: groups.length * 6, changed: 0 });
      expect((await refreshGroups(tx, groups, AT)).groups).toEqual({ created: 0, changed: 0 });
      await tx.script(
        `do $$ begin
          assert (select owner_scope is null and anchor = 'collection' from governance_group g
            join governance_inventory i using (inventory_key)
            where i.source_registry = 'products' and g.scope = 'policy' and i.lifecycle_status = 'born'), 'conflict';
          assert (select owner_scope is null and anchor is null from governance_group g
            join governance_inventory i using (inventory_key) where i.source_registry = 'venues' and g.scope = 'policy'), 'no owner';
          assert (select owner_scope = 'GOV-COUNCIL' and anchor = 'class' from governance_group g
            join governance_inventory i using (inventory_key) where i.source_registry = 'courses' and g.scope = 'policy'), 'class';
          assert (select bool_and(not resolved) from governance_inventory where source_registry = 'devices'), 'devices';
        end $$`,
      );
    });
  });

  it('gives a group a new key when its owner changes', async () => {
    const db = estate.db;
    const read = async () => {
      await db.transaction({ isolation: 'repeatable read' }, async (tx) => {
        const { groups } = await inventoryIn(tx, 'public');
        await refreshGroups(tx, groups, AT);
      });
      return asHost(
        estate.url,
        `select g.group_key, g.owner_scope from governance_group g join governance_inventory i using (inventory_key)
         where i.source_registry = 'tags' and g.scope = 'policy'`,
      );
    };
    const [before] = await read();
    await asHost(
      estate.url,
      "update governance_object_ownership set owner_gov_code = 'GOV-SIV' where object_ref = 'tags' and scope = 'policy'",
    );
    const after = await read();
    expect(before?.['owner_scope']).toBe('GOV-COUNCIL');
    expect(after).toHaveLength(1);
    expect(after[0]?.['owner_scope']).toBe('GOV-SIV');
    expect(after[0]?.['group_key']).not.toBe(before?.['group_key']);
  });

  it('has keys that distinguish a missing value from every value', () => {
    const base = { objectClass: 'a', sourceRegistry: 'b', axisFamily: null, lifecycleStatus: 'born' };
    const keys = [
      inventoryKey(base),
      inventoryKey({ ...base, axisFamily: '' }),
      inventoryKey({ ...base, axisFamily: 'null' }),
      inventoryKey({ ...base, objectClass: 'a","b' }),
      groupKey({ ...base, scope: 's', ownerScope: null }),
      groupKey({ ...base, scope: 's', ownerScope: '' }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe('hosts without the optional tables', () => {
  it('have groups in one scope, without owners or profiles', async () => {
    const estate = await createEstate('installed');
    try {
      await asHost(
        estate.url,
        `drop table governance_object_ownership, governance_responsibility_scope, coverage_profile, axis_registry cascade`,
      );
      await estate.db.rehearse({ isolation: 'repeatable read' }, async (tx) => {
        expect(await resolveProfiles(tx, await readRulesInForce(tx), ['dot_tool'])).toEqual({
          available: false,
          byClass: new Map(),
        });
        const { groups } = await inventoryIn(tx, 'public');
        expect(groups.reduce((sum, group) => sum + group.count, 0n)).toBe(20_000n);
        // Without a profile no class counts its members individually: each group has weight 1.
        expect(groups.every((group) => group.grainCount === 1n)).toBe(true);
        // Without a profile and an axis registry the axis family comes from the pivots.
        expect(groups.find((group) => group.sourceRegistry === 'articles')?.axisFamily).toBe('language');
        // The registry of this class is one of the dropped tables.
        expect(groups.find((group) => group.sourceRegistry === 'axis_registry')?.unresolved).toBe(
          'registry_missing',
        );
        const written = await refreshGroups(tx, groups, AT);
        expect(written.scopes).toEqual(['all']);
        expect(written.groups.created).toBe(groups.length);
      });
    } finally {
      await estate.close();
    }
  });
});
