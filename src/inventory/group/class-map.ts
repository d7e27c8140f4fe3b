// Owns the class map: class, axis family, profile and member registry of every collection, read once per run.
// The catalogue and the registries are facts of the host and read live; profiles and axes are rules and come
// from the rules in force. Unresolved cases (no class, several classes, a missing registry) are part of the
// result. The SQL function gcos_class_map() derives the class of births; this is an in-memory copy for
// look-ups.
import type { Transaction } from '../../db/index.js';
import {
  type CoverageProfile,
  lifecycleColumns,
  type RuleRow,
  type RulesetContent,
  readRulesInForce,
  resolveProfiles,
  rowsOf,
  terminalStatuses,
} from '../../host/index.js';
import { canonicalJson, domainHash, type JsonValue } from '../../kernel/index.js';
import { readClasses, readRegistries } from './group.sql.js';

/** The class of births whose collection is not in the catalogue. */
const UNRESOLVED_CLASS = 'unresolved';

export type UnresolvedReason = 'no_class' | 'registry_missing' | 'registry_unreadable';

export interface MemberRegistry {
  readonly name: string;
  readonly present: boolean;
  readonly readable: boolean;
  /** The column that identifies members; null when no single column does. */
  readonly codeColumn: string | null;
  readonly hasStatus: boolean;
  /** Null: the registry says nothing about the end of a life besides the status. */
  readonly lifecycle: MemberLifecycle | null;
}

/** What else ends the life of a member: its migration state, or a member that replaces it. */
export interface MemberLifecycle {
  readonly migrationColumn: string | null;
  /** The column that names the replaced member, and the column by which it names it. */
  readonly supersedes: { readonly column: string; readonly refersTo: string } | null;
  /** The values of status and migration state that end a life. */
  readonly terminal: readonly string[];
  /** The statuses with which a member replaces nothing yet. */
  readonly pending: readonly string[];
}

/**
 * The lifecycle status of a replaced member. Rules that do not list it as terminal give a replacement no
 * meaning.
 */
export const SUPERSEDED = 'superseded';

interface ObjectClass {
  readonly name: string;
  readonly axisFamily: string | null;
  /** Null when no profile applies: the verdict is then unknown. */
  readonly profile: CoverageProfile | null;
  /**
   * Whether the container represents its members. A class without a profile inherits too: it has one state,
   * not one per object.
   */
  readonly inherits: boolean;
  readonly registry: MemberRegistry | null;
  readonly unresolved: UnresolvedReason | null;
}

export interface ClassMap {
  /** The rules behind the map. */
  readonly content: RulesetContent;
  /** False when the rules have no profiles. */
  readonly profilesAvailable: boolean;
  /** The class of a birth, by its collection and species. */
  classOf(collection: string, species: string | null): ObjectClass;
  /** Whether several classes are possible and the species does not distinguish them. */
  isAmbiguous(collection: string, species: string | null): boolean;
  readonly classes: readonly ObjectClass[];
  /**
   * The table behind `classOf`: the class of births of a species or, without species, of all other births of
   * the collection.
   */
  readonly catalogue: readonly {
    readonly collection: string;
    readonly species: string | null;
    readonly objectClass: ObjectClass;
  }[];
  /** The collections in which the catalogue places objects of this class. */
  collectionsOf(objectClass: string): readonly string[];
  /** Collections whose objects are evaluated one by one: at least one of their classes does not inherit. */
  readonly individual: readonly string[];
  /**
   * Equal digests place every birth in the same group, as long as the member statuses in the registries do
   * not change.
   */
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

/** The classes that an axis names. */
export function axisClasses(content: RulesetContent): ReadonlySet<string> {
  return new Set(
    rowsOf(content, 'axes')
      .flatMap((row) => row['object_class'] ?? [])
      .map(String),
  );
}

const family = (value: RuleRow[string] | undefined): string | undefined =>
  value === undefined || value === null || value === '' ? undefined : String(value);

/** The first dimension of a pivot. */
function familyOfPivot({ dims }: RuleRow): string | undefined {
  return Array.isArray(dims) ? family(dims[0]) : undefined;
}

/**
 * The axis family of each class: the first axis of the class by code, else the first axis for any class, else
 * the first pivot that names the class or one of its collections. The rows of a ruleset are ordered by code.
 */
function familiesOf(
  content: RulesetContent,
  rows: readonly { readonly object_class: string; readonly collection_name: string }[],
): ReadonlyMap<string, string> {
  const axes = rowsOf(content, 'axes').filter((row) => family(row['axis_family']) !== undefined);
  const pivots = rowsOf(content, 'pivots').filter((row) => familyOfPivot(row) !== undefined);
  const collections = new Map<string, Set<string>>();
  for (const row of rows)
    collections.set(
      row.object_class,
      (collections.get(row.object_class) ?? new Set()).add(row.collection_name),
    );
  const found = [...collections].flatMap(([name, places]): [string, string][] => {
    const axis =
      axes.find((row) => row['object_class'] === name) ??
      axes.find((row) => (row['object_class'] ?? null) === null);
    const pivot = pivots.find((row) =>
      (row['object_class'] ?? null) === null
        ? typeof row['source_collection'] === 'string' && places.has(row['source_collection'])
        : row['object_class'] === name,
    );
    const first = axis === undefined ? pivot && familyOfPivot(pivot) : family(axis['axis_family']);
    return first === undefined ? [] : [[name, first]];
  });
  return new Map(found);
}

function reasonFor(registry: MemberRegistry | null): UnresolvedReason | null {
  if (registry === null) return null;
  if (!registry.present) return 'registry_missing';
  return registry.readable ? null : 'registry_unreadable';
}

/** Species (null: all others) → the possible classes of births of one collection; the first is the class. */
type BySpecies = Map<string | null, ObjectClass[]>;

function registryDigest({ name, codeColumn, hasStatus, lifecycle }: MemberRegistry): JsonValue {
  const { migrationColumn, supersedes, terminal, pending } = lifecycle ?? {};
  return [
    ...[name, codeColumn, hasStatus],
    ...(lifecycle === null
      ? []
      : [[migrationColumn ?? null, supersedes?.column ?? null, [...(terminal ?? [])], [...(pending ?? [])]]]),
  ];
}

/** Covers exactly the data that determines the group of a birth. */
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
        registry === null ? null : registryDigest(registry),
      ]),
    ]),
  );
  const sorted = rows.map((row) => canonicalJson(row)).sort();
  return domainHash('gcos-class-map', canonicalJson(sorted));
}

function lifecycleOf(
  row: {
    readonly migration_column: string | null;
    readonly supersedes_column: string | null;
    readonly refers_to: string | null;
  },
  terminal: readonly string[],
  pending: readonly string[],
): MemberLifecycle | null {
  const { migration_column: migrationColumn, supersedes_column: column, refers_to: refersTo } = row;
  const supersedes = column === null || refersTo === null ? null : { column, refersTo };
  return migrationColumn === null && supersedes === null
    ? null
    : { migrationColumn, supersedes, terminal, pending };
}

/**
 * Reads the map in a few statements over the catalogue tables, independent of the number of objects. Without
 * `rules` it is the map under the rules in force.
 */
export async function readClassMap(
  tx: Transaction,
  schema: string,
  rules?: RulesetContent,
): Promise<ClassMap> {
  const content = rules ?? (await readRulesInForce(tx));
  const rows = await tx.run(readClasses, {});
  // The rows without a species contain every row of the catalogue once.
  const listed = rows.filter((row) => row.species_code === null);
  const names = [...new Set(listed.map((row) => row.object_class))];
  const profiles = await resolveProfiles(tx, content, names);
  const families = familiesOf(content, listed);
  const columns = lifecycleColumns(content);
  const terminal = [...terminalStatuses(content)].sort();
  const found = await tx.run(readRegistries, {
    schema,
    registries: [...new Set(listed.flatMap((row) => row.registry ?? []))],
    migrationColumns: columns.migration_state,
    supersedesColumns: terminal.includes(SUPERSEDED) ? columns.supersedes : [],
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
        lifecycle: lifecycleOf(row, terminal, columns.pending),
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
    content,
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
