// For any content of the catalogue, the class map in TypeScript, the groups that the gate finds in SQL and
// the documented rule agree on every birth.
import fc from 'fast-check';
import { afterAll, beforeAll, expect } from 'vitest';
import { inventoryKey, readClassMap, refreshGroups } from '../../src/inventory/group/index.js';
import { rowsIn } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { inventoryIn } from '../support/inventory.js';
import { holds } from '../support/property.js';

let estate: Estate;
beforeAll(async () => {
  estate = await createEstate('installed');
});
afterAll(() => estate?.close());

const COLLECTIONS = ['shelves', 'crates'];
const SPECIES = ['SP-A', 'SP-B', 'SP-C', null];

const row = fc.record({
  code: fc.stringMatching(/^[a-cA-C]{1,3}$/),
  /** Members of `dot_tool` count individually; the empty text is no class. */
  objectClass: fc.constantFrom('one', 'two', 'three', 'four', 'dot_tool', ''),
  species: fc.constantFrom(...SPECIES),
  registry: fc.constantFrom(null, '', ...COLLECTIONS),
  collection: fc.constantFrom(null, ...COLLECTIONS),
});
type Row = typeof row extends fc.Arbitrary<infer T> ? T : never;

const literal = (value: string | null) => (value === null ? 'null' : `'${value}'`);

/**
 * The documented rule: the catalogue rows of the collection with the same species, or all its rows if none
 * has it, in byte order of their codes. The first one decides.
 */
function classesByRule(rows: readonly Row[], collection: string, species: string | null): readonly string[] {
  const listed = rows
    .filter((each) => each.objectClass !== '' && (each.registry || each.collection) === collection)
    .sort((left, right) => (left.code < right.code ? -1 : 1));
  const equal = listed.filter((each) => each.species !== null && each.species === species);
  return (equal.length > 0 ? equal : listed).map((each) => each.objectClass);
}

holds('every birth has one class', {
  cases: fc
    .tuple(
      fc.uniqueArray(row, { maxLength: 8, selector: (each) => each.code }),
      fc.uniqueArray(row, { maxLength: 4, selector: (each) => each.objectClass }),
    )
    .map(([byCode, byClass]) => {
      const taken = new Set<string>();
      return [...byClass, ...byCode].filter((each) => {
        const isFree = !taken.has(each.code) && !taken.has(`class ${each.objectClass}`);
        taken.add(each.code).add(`class ${each.objectClass}`);
        return isFree;
      });
    }),
  seeds: [1, 2026],
  runs: 25,
  check: (rows) =>
    estate.db.rehearse({ isolation: 'repeatable read' }, async (tx) => {
      const births = COLLECTIONS.flatMap((collection) =>
        SPECIES.map((species) => ({ collection, species, code: `${collection} ${species}` })),
      );
      await tx.script(
        [
          'delete from meta_catalog',
          ...rows.map(
            (each) =>
              `insert into meta_catalog (code, entity_type, species_code, registry_collection, collection_name)
               values (${[each.code, each.objectClass, each.species, each.registry, each.collection].map(literal).join(', ')})`,
          ),
          ...births.map(
            ({ collection, species, code }) =>
              `insert into birth_registry (collection_name, entity_code, species_code, status)
               values ('${collection}', '${code}', ${literal(species)}, 'born')`,
          ),
        ].join(';\n'),
      );
      const map = await readClassMap(tx, 'public');
      await refreshGroups(tx, (await inventoryIn(tx, 'public')).groups, '2026-06-02T00:00:00Z');
      const groupRows = await rowsIn(
        tx,
        `select b.no, g.inherits, g.inventory_key, i.object_class
         from unnest(array[${births.map(({ code }) => `'${code}'`).join(', ')}]) with ordinality as b(code, no)
         join gcos_groups_of(array[${births.map(({ collection }) => `'${collection}'`).join(', ')}],
           array[${births.map(({ code }) => `'${code}'`).join(', ')}]) g on g.no = b.no
         join governance_inventory i on i.inventory_key = g.inventory_key
         order by b.no`,
      );
      expect(groupRows.length).toBe(births.length);
      let ambiguous = 0;
      for (const [index, { collection, species }] of births.entries()) {
        const classes = classesByRule(rows, collection, species);
        const objectClass = map.classOf(collection, species);
        const actual = [
          objectClass.name,
          map.isAmbiguous(collection, species),
          groupRows[index]?.['object_class'],
        ];
        const [name = 'unresolved'] = classes;
        expect([collection, species, ...actual]).toEqual([
          collection,
          species,
          name,
          classes.length > 1,
          name,
        ]);
        if (objectClass.inherits) {
          const { axisFamily } = objectClass;
          const key = inventoryKey({
            objectClass: name,
            sourceRegistry: collection,
            axisFamily,
            lifecycleStatus: 'born',
          });
          expect(groupRows[index]?.['inventory_key']).toBe(key);
        }
        ambiguous += classes.length > 1 ? 1 : 0;
      }
      return ambiguous;
    }),
});
