// After any sequence of changes, a comparison of fingerprints names exactly the groups that changed.
import fc from 'fast-check';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Transaction } from '../../src/db/index.js';
import type { Inventory } from '../../src/inventory/snapshot/index.js';
import { rowsIn } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { changedKeys, inventoryIn, inventoryOf } from '../support/inventory.js';
import { holds } from '../support/property.js';

let estate: Estate;
let before: Inventory;
beforeAll(async () => {
  estate = await createEstate('installed');
  before = await inventoryOf(estate.db);
});
afterAll(() => estate?.close());

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
// The independent recount shares no code with the fingerprint: it compares the relevant columns of each row
// as text, per group as the documentation defines it.
const recount = async (tx: Transaction): Promise<Map<string, string>> => {
  const found = await rowsIn(
    tx,
    `select b.collection_name, coalesce(case when b.collection_name = 'dot_tools' then t.status end, b.status, '(none)') as lifecycle,
          md5(string_agg(c.counts, '|' order by c.counts collate "C")) || max(b.born_at) as rows
        from birth_registry b left join dot_tools t on b.collection_name = 'dot_tools' and t.dot_code = b.entity_code
        cross join lateral (select row(b.id, b.entity_code, b.species_code, b.status, b.governance_role, b.certified)::text as counts) c
        where b.collection_name = any ('{orders,dot_tools,articles,publishing_jobs,legacy_import}')
        group by 1, 2`,
  );
  return new Map(found.map((row) => [`${row['collection_name']}/${row['lifecycle']}`, String(row['rows'])]));
};
/** The same per collection, for all others: their lifecycle may come from their own registries. */
const recountOthers = async (tx: Transaction): Promise<Map<string, string>> => {
  const found = await rowsIn(
    tx,
    `select b.collection_name, md5(string_agg(c.counts, '|' order by c.counts collate "C")) as rows from birth_registry b
        cross join lateral (select row(b.id, b.entity_code, b.species_code, b.status, b.governance_role, b.certified)::text as counts) c
        where b.collection_name <> all ('{orders,dot_tools,articles,publishing_jobs,legacy_import}')
        group by 1`,
  );
  return new Map(found.map((row) => [String(row['collection_name']), String(row['rows'])]));
};
const differing = (was: Map<string, string>, is: Map<string, string>) =>
  [...new Set([...was.keys(), ...is.keys()])].filter((key) => was.get(key) !== is.get(key)).sort();
const nameOf = (group: Inventory['groups'][number]) =>
  `${group.sourceRegistry}/${group.lifecycleStatus ?? '(none)'}`;
const inside = collections.map((each) => `${each}/`);

holds('a comparison names exactly the groups that changed', {
  cases: fc.array(change, { minLength: 1, maxLength: 12 }),
  check: async (history) => {
    await estate.db.rehearse({ isolation: 'repeatable read' }, async (tx) => {
      const [recountBefore, othersBefore] = [await recount(tx), await recountOthers(tx)];
      for (const each of history) await tx.script(sqlOf(each));
      const expected = differing(recountBefore, await recount(tx));
      const expectedOthers = differing(othersBefore, await recountOthers(tx));
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
      expect([...new Set(rest)].sort()).toEqual(expectedOthers);
    });
  },
  seeds: [38, 2_026],
  runs: 20,
  kept: new URL('./seeds/fingerprint.json', import.meta.url),
});
