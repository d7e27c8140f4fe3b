// Owns the accountable owner of a subject in a scope at a point in time: its own accountable rows, else the
// anchors of its collection, else the rows of its class. The three steps are fixed, so there are no cycles
// and no depth limit. If the host lacks the ownership tables, the owner is not known; this is never an error.
import { fillParts, type Transaction } from '../../db/index.js';
import {
  findTables,
  readBodies,
  readOwners,
  readReferenceRows,
  readScopeDefaults,
  readSourceRows,
} from './ownership.sql.js';

export interface OwnershipSubject {
  /** `collection`, `class`, or the class of the object that `objectRef` names. */
  readonly objectType: string;
  readonly objectRef: string;
  readonly collection?: string;
  readonly objectClass?: string;
  readonly scope: string;
}

export interface EffectiveOwner {
  /** Null if there is no owner, or more than one. */
  readonly owner: string | null;
  readonly conflict: boolean;
  /** The level of the deciding rows. */
  readonly level: 'object' | 'collection' | 'class' | 'none';
}

export interface Owners {
  /**
   * False if the host has no ownership table that GCOS can read. Then owners are not known, which differs
   * from "has no owner".
   */
  readonly available: boolean;
  /** One per subject, in the same order. */
  readonly owners: readonly EffectiveOwner[];
}

const NO_OWNER: EffectiveOwner = { owner: null, conflict: false, level: 'none' };

type Part = 'ownership' | 'chain' | 'scopes' | 'bodies';

/** The parts of the host's ownership that GCOS can read. */
export async function usable(tx: Transaction): Promise<ReadonlySet<Part>> {
  const rows = await tx.run(findTables, {});
  return new Set(rows.flatMap((row) => (row.usable === true ? [row.part as Part] : [])));
}

const CHAIN = 'o.id::bigint, o.supersedes_id::bigint';
const NO_CHAIN = 'null::bigint, null::bigint';

/** The effective accountable owner of every subject at `at`, in one statement for all subjects. */
export async function resolveOwners(
  tx: Transaction,
  subjects: readonly OwnershipSubject[],
  at: string,
): Promise<Owners> {
  const parts = await usable(tx);
  if (!parts.has('ownership')) return { available: false, owners: subjects.map(() => NO_OWNER) };
  if (subjects.length === 0) return { available: true, owners: [] };
  const rows = await tx.run(fillParts(readOwners, { chain: parts.has('chain') ? CHAIN : NO_CHAIN }), {
    objectTypes: subjects.map((subject) => subject.objectType),
    objectRefs: subjects.map((subject) => subject.objectRef),
    collections: subjects.map((subject) => subject.collection ?? ''),
    objectClasses: subjects.map((subject) => subject.objectClass ?? ''),
    scopes: subjects.map((subject) => subject.scope),
    at,
  });
  return {
    available: true,
    owners: rows.map((row) => ({ ...row, level: row.level as EffectiveOwner['level'] })),
  };
}

/** A collection and its class, as a source of births without regard to a scope. */
export interface OwnedSource {
  readonly collection: string;
  readonly objectClass?: string;
}

/** The body accountable for each source in most scopes, in order; undefined if none is known. */
export async function sourceOwners(
  tx: Transaction,
  sources: readonly OwnedSource[],
  at: string,
): Promise<readonly (string | undefined)[]> {
  if (sources.length === 0 || !(await usable(tx)).has('ownership')) return sources.map(() => undefined);
  const rows = await tx.run(readSourceRows, {
    collections: sources.map((each) => each.collection),
    objectClasses: sources.map((each) => each.objectClass ?? ''),
    at,
  });
  const found = new Map(rows.map((row) => [Number(row.ordinal), row.owner]));
  return sources.map((_, index) => found.get(index + 1));
}

/** The governing bodies of the host among `codes`; none if the host has no list of them. */
export async function knownBodies(tx: Transaction, codes: readonly string[]): Promise<ReadonlySet<string>> {
  if (codes.length === 0 || !(await usable(tx)).has('bodies')) return new Set();
  return new Set((await tx.run(readBodies, { codes })).map((row) => row.code));
}

/** The contact of each scope for objects without an owner. The hint does not make the contact an owner. */
export async function defaultOwners(
  tx: Transaction,
  scopes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (scopes.length === 0 || !(await usable(tx)).has('scopes')) return new Map();
  const rows = await tx.run(readScopeDefaults, { scopes });
  return new Map(rows.map((row) => [row.scope, row.owner]));
}

/**
 * The subjects of active ownership rows of any kind among `collections`, `classes` and the objects of those
 * classes.
 */
export async function readReferences(
  tx: Transaction,
  among: { readonly collections: readonly string[]; readonly classes: readonly string[] },
): Promise<readonly Pick<OwnershipSubject, 'objectType' | 'objectRef'>[]> {
  if (!(await usable(tx)).has('ownership')) return [];
  const rows = await tx.run(readReferenceRows, among);
  return rows.map((row) => ({ objectType: row.object_type, objectRef: row.object_ref }));
}
