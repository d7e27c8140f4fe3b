// Owns what the catalogue says about every collection: its class, axis family, profile and member registry, read once per
// run. What it cannot say (no class, several classes, a registry that is not there) is part of the answer, never left out.
// Which class births have is derived by the SQL function gcos_class_map(), of which this is a copy to look things up in.
import type { Transaction } from '../../db/index.js';
import { type CoverageProfile, resolveProfiles } from '../../host/index.js';
import { canonicalJson, domainHash } from '../../kernel/index.js';
import {
  findTables,
  readAxes,
  readAxisClassRows,
  readClasses,
  readPivots,
  readRegistries,
} from './group.sql.js';

/** The class of births whose collection no row of the catalogue names. */
const UNRESOLVED_CLASS = 'unresolved';

export type UnresolvedReason = 'no_class' | 'registry_missing' | 'registry_unreadable';

export interface MemberRegistry {
  readonly name: string;
  readonly present: boolean;
  readonly readable: boolean;
  /** What tells members apart; null where no single column does. */
  readonly codeColumn: string | null;
  readonly hasStatus: boolean;
}

interface ObjectClass {
  readonly name: string;
  readonly axisFamily: string | null;
  /** Null where no profile fits: the verdict will be unknown. */
  readonly profile: CoverageProfile | null;
  /** Whether members answer through their container. A class without a profile has one state, too, not one per object. */
  readonly inherits: boolean;
  readonly registry: MemberRegistry | null;
  readonly unresolved: UnresolvedReason | null;
}

export interface ClassMap {
  /** False where the host has no profiles GCOS can read. */
  readonly profilesAvailable: boolean;
  /** The class of a birth, by its collection and species. */
  classOf(collection: string, species: string | null): ObjectClass;
  /** Whether the species decides between several classes and does not tell them apart. */
  isAmbiguous(collection: string, species: string | null): boolean;
  readonly classes: readonly ObjectClass[];
  /** What `classOf` looks up: the class of births of a species, or, without species, of all other births of the collection. */
  readonly catalogue: readonly {
    readonly collection: string;
    readonly species: string | null;
    readonly objectClass: ObjectClass;
  }[];
  /** The collections that the catalogue says objects of this class are found in. */
  collectionsOf(objectClass: string): readonly string[];
  /** Collections with objects that are looked at one by one: some class of theirs does not inherit. */
  readonly individual: readonly string[];
  /** Equal digests put every birth into the same group, as long as the members of registries keep their statuses. */
  readonly digest: string;
}

const NO_CLASS: ObjectClass = {
  name: UNRESOLVED_CLASS,
  axisFamily: null,
  profile: null,
  inherits: true,
  registry: null,
  unresolved: 'no_class',
};

async function hasAxes(tx: Transaction): Promise<boolean> {
  const tables = await tx.run(findTables, {});
  return tables.some((table) => table.relation === 'axis_registry' && table.usable === true);
}

/** Which of `classes` an axis in force names. */
export async function readAxisClasses(
  tx: Transaction,
  classes: readonly string[],
): Promise<readonly string[]> {
  if (!(await hasAxes(tx))) return [];
  return (await tx.run(readAxisClassRows, { classes })).map((row) => row.object_class);
}

async function readFamilies(
  tx: Transaction,
  classes: readonly string[],
  rows: readonly { readonly object_class: string; readonly collection_name: string }[],
): Promise<ReadonlyMap<string, string>> {
  const pivots = await tx.run(readPivots, {
    classes: rows.map((row) => row.object_class),
    collections: rows.map((row) => row.collection_name),
  });
  const axes = (await hasAxes(tx)) ? await tx.run(readAxes, { classes }) : [];
  // The registry wins over the pivots: it is listed last.
  return new Map([...pivots, ...axes].map((row) => [row.object_class, row.axis_family]));
}

function reasonFor(registry: MemberRegistry | null): UnresolvedReason | null {
  if (registry === null) return null;
  if (!registry.present) return 'registry_missing';
  return registry.readable ? null : 'registry_unreadable';
}

/** Species, or null for all others, → the classes that births of one collection can have; the first is theirs. */
type BySpecies = Map<string | null, ObjectClass[]>;

/** Whatever decides about the group of a birth, and nothing else. */
function digestOf(byCollection: ReadonlyMap<string, BySpecies>): string {
  const rows = [...byCollection].flatMap(([collection, bySpecies]) =>
    [...bySpecies].map(([species, classes]) => [
      collection,
      species,
      ...classes.map(({ name, axisFamily, inherits, registry, unresolved }) => [
        name,
        axisFamily,
        inherits,
        unresolved,
        registry === null ? null : [registry.name, registry.codeColumn, registry.hasStatus],
      ]),
    ]),
  );
  const sorted = rows.map((row) => canonicalJson(row)).sort();
  return domainHash('gcos-class-map', canonicalJson(sorted));
}

/** The map, read in a handful of statements over the catalogue tables, however many objects there are. */
export async function readClassMap(tx: Transaction, schema: string): Promise<ClassMap> {
  const rows = await tx.run(readClasses, {});
  // What is said without a species is every row of the catalogue once.
  const listed = rows.filter((row) => row.species_code === null);
  const names = [...new Set(listed.map((row) => row.object_class))];
  const profiles = await resolveProfiles(tx, names);
  const families = await readFamilies(tx, names, listed);
  const found = await tx.run(readRegistries, {
    schema,
    registries: [...new Set(listed.flatMap((row) => row.registry ?? []))],
  });
  const registries = new Map(
    found.map((row) => [
      row.registry,
      {
        name: row.registry,
        present: row.present,
        readable: row.readable,
        codeColumn: row.code_column,
        hasStatus: row.has_status,
      },
    ]),
  );
  const byCollection = new Map<string, BySpecies>();
  const byClass = new Map<string, Set<string>>();
  for (const row of rows) {
    const profile = profiles.byClass.get(row.object_class) ?? null;
    const registry = row.registry === null ? null : (registries.get(row.registry) ?? null);
    const objectClass: ObjectClass = {
      name: row.object_class,
      axisFamily: profile?.primaryAxisFamily ?? families.get(row.object_class) ?? null,
      profile,
      inherits: profile?.inherits ?? true,
      registry,
      unresolved: reasonFor(registry),
    };
    const bySpecies: BySpecies = byCollection.get(row.collection_name) ?? new Map();
    byCollection.set(row.collection_name, bySpecies);
    bySpecies.set(row.species_code, [...(bySpecies.get(row.species_code) ?? []), objectClass]);
    byClass.set(row.object_class, (byClass.get(row.object_class) ?? new Set()).add(row.collection_name));
  }
  const candidates = (collection: string, species: string | null): readonly ObjectClass[] => {
    const bySpecies = byCollection.get(collection);
    return bySpecies?.get(species) ?? bySpecies?.get(null) ?? [];
  };
  const classesOf = [...byCollection].map(([collection, bySpecies]) => ({
    collection,
    classes: bySpecies.get(null) ?? [],
  }));
  return {
    profilesAvailable: profiles.available,
    classOf: (collection, species) => candidates(collection, species)[0] ?? NO_CLASS,
    isAmbiguous: (collection, species) => candidates(collection, species).length > 1,
    classes: classesOf.flatMap(({ classes }) => classes),
    catalogue: [...byCollection].flatMap(([collection, bySpecies]) =>
      [...bySpecies].flatMap(([species, [objectClass]]) =>
        objectClass === undefined ? [] : [{ collection, species, objectClass }],
      ),
    ),
    collectionsOf: (objectClass) => [...(byClass.get(objectClass) ?? [])],
    individual: classesOf
      .filter(({ classes }) => classes.some((each) => !each.inherits))
      .map(({ collection }) => collection),
    digest: digestOf(byCollection),
  };
}
