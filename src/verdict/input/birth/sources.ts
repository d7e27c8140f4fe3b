// Owns the sources of births, and which collections are not accepted as a whole because of them: all their
// births come from denied sources, or too many to record one by one, or the collection needs a contract and
// has none. A source is unvouched when no trust decision accepts it in every scope.
import type { RowOf, Transaction } from '../../../db/index.js';
import type { ClassMap } from '../../../inventory/group/index.js';
import { type WalkBirthsOptions, walkBirths } from '../../../inventory/tail/index.js';
import type { InputRules } from '../policy.js';
import { replaceWholeInputs, type WholeInput } from '../state/store.js';
import { INCOMPLETE, UNTRUSTED } from '../states.js';
import type { ObjectKey } from './pick.js';
import { collectionsOf, countSources, findFrom, findUnvouched, readCollections } from './sources.sql.js';

export interface SourceCount {
  readonly collection: string;
  readonly species: string | null;
  readonly origin: string | null;
  readonly births: bigint;
}

const sourceOf = (row: RowOf<typeof countSources>): SourceCount => ({
  collection: row.collection_name,
  species: row.species_code,
  origin: row.dot_origin,
  births: row.births,
});

/** A few collections are read at once, through an index of the host if there is one. */
const ALL_IDS = { first: -(1n << 63n), last: (1n << 63n) - 1n } as const;

/** How the births are read. */
export type SourceOptions = Pick<WalkBirthsOptions, 'pageSize' | 'onPage'>;

/**
 * The sources of births: of the collections with at least one birth from an unvouched source, or of all
 * collections when `input` is omitted. Writes nothing, so it can run beside other work.
 */
export async function readSources(
  tx: Transaction,
  input?: InputRules,
  options: SourceOptions = {},
): Promise<readonly SourceCount[]> {
  if (input === undefined) return readSourcesOf(tx, null, options);
  const collections = new Set(input.deniedCollections);
  const vouched = { origins: input.knownOrigins, sources: input.knownCollections };
  await walkBirths(tx, options, async (page) => {
    const found = await tx.run(findUnvouched, { ...vouched, ...page });
    return () => {
      for (const row of found) collections.add(row.collection_name);
    };
  });
  return readSourcesOf(tx, [...collections], options);
}

async function readSourcesOf(
  tx: Transaction,
  collections: readonly string[] | null,
  options: SourceOptions,
): Promise<readonly SourceCount[]> {
  const found = new Map<string, SourceCount>();
  if (collections?.length === 0) return [];
  await walkBirths(tx, options, async (page) => {
    const rows = await tx.run(countSources, { collections, ...page });
    return () => {
      for (const source of rows.map(sourceOf)) {
        const name = JSON.stringify([source.collection, source.species, source.origin]);
        found.set(name, { ...source, births: source.births + (found.get(name)?.births ?? 0n) });
      }
    };
  });
  return [...found.values()];
}

interface Judged extends SourceCount {
  readonly inherits: boolean;
  readonly deniedIn: readonly string[];
}

interface Verdict {
  readonly whole: WholeInput | null;
  /** Sources whose births are untrusted one by one. */
  readonly single: readonly Judged[];
}

const NAMED = 5;

function judgeSources(
  sources: readonly SourceCount[],
  { map, input }: { readonly map: ClassMap; readonly input: InputRules },
): ReadonlyMap<string, readonly Judged[]> {
  const byCollection = new Map<string, Judged[]>();
  for (const each of sources) {
    const { profile, inherits } = map.classOf(each.collection, each.species);
    const risk = profile?.riskClass ?? null;
    const list = byCollection.get(each.collection) ?? [];
    byCollection.set(each.collection, list);
    list.push({
      ...each,
      inherits,
      deniedIn: input.deniedIn({ collection: each.collection, origin: each.origin, risk }),
    });
  }
  return byCollection;
}

function judgeCollection(collection: string, sources: readonly Judged[], input: InputRules): Verdict {
  const count = (list: readonly Judged[]) => list.reduce((sum, each) => sum + each.births, 0n);
  const total = count(sources);
  const wholly = input.scopes.filter((scope) => {
    const denied = count(sources.filter((each) => each.deniedIn.includes(scope)));
    return denied > 0n && (denied === total || denied > BigInt(input.mostObjects));
  });
  const single = sources.filter(
    (each) => each.inherits && each.deniedIn.some((scope) => !wholly.includes(scope)),
  );
  if (wholly.length === 0) return { whole: null, single };
  const names = sources
    .filter((each) => each.deniedIn.some((scope) => wholly.includes(scope)))
    .map((each) => each.origin ?? collection);
  const cause = [...new Set(names)].sort().slice(0, NAMED).join(', ');
  const scopes = wholly.length === input.scopes.length ? null : wholly;
  return { whole: { collection, state: UNTRUSTED, cause, scopes }, single };
}

/** The collections that need a contract and have none. */
async function withoutContract(
  tx: Transaction,
  { map, input }: { readonly map: ClassMap; readonly input: InputRules },
): Promise<ReadonlySet<string>> {
  const risks = new Map(map.classes.map((each) => [each.name, each.profile?.riskClass ?? null]));
  const rows = await tx.run(readCollections, {});
  return new Set(
    rows
      .filter((row) => input.lacksContract(row.collection_name, risks.get(row.object_class) ?? null))
      .map((row) => row.collection_name),
  );
}

/**
 * Whether the current sources change the result for any collection that is not accepted as a whole and has
 * one of these inventory groups. Only such collections are counted.
 */
export async function areSourcesOther(
  tx: Transaction,
  inventoryKeys: readonly string[],
  { map, input }: { readonly map: ClassMap; readonly input: InputRules },
): Promise<boolean> {
  const untrusted = (collection: string) =>
    input.scopes.filter((scope) => input.wholeIn(collection, scope) === UNTRUSTED);
  const touched = (await tx.run(collectionsOf, { inventoryKeys })).map((row) => row.collection_name);
  const collections = touched.filter((collection) => untrusted(collection).length > 0);
  if (collections.length === 0) return false;
  const sources = (await tx.run(countSources, { collections, ...ALL_IDS })).map(sourceOf);
  const judged = judgeSources(sources, { map, input });
  return collections.some((collection) => {
    const { whole } = judgeCollection(collection, judged.get(collection) ?? [], input);
    const now = whole === null ? [] : (whole.scopes ?? input.scopes);
    return JSON.stringify(now) !== JSON.stringify(untrusted(collection));
  });
}

export interface ReconciledSources {
  /** Collections whose acceptance as a whole has changed. */
  readonly changed: readonly string[];
  /** Untrusted objects of containers whose other members are trusted. */
  readonly single: readonly ObjectKey[];
}

export interface PreviewedSources {
  /** Collections that would not be accepted as a whole. */
  readonly whole: readonly WholeInput[];
  readonly single: ReconciledSources['single'];
}

/** The result of judging the sources; writes nothing. */
export async function previewSources(
  tx: Transaction,
  sources: readonly SourceCount[],
  options: SourceOptions & { readonly map: ClassMap; readonly input: InputRules },
): Promise<PreviewedSources> {
  const { input } = options;
  const byCollection = judgeSources(sources, options);
  const bare = await withoutContract(tx, options);
  const judged = [...byCollection]
    .filter(([collection]) => !bare.has(collection))
    .map(([collection, list]) => judgeCollection(collection, list, input));
  const lacking = [...bare].map(
    (collection): WholeInput => ({ collection, state: INCOMPLETE, cause: 'contract_missing', scopes: null }),
  );
  const untrusted = judged.flatMap(({ whole }) => (whole === null ? [] : [whole]));
  const whole = [...lacking, ...untrusted];
  const single = judged.flatMap((each) => each.single);
  if (single.length === 0) return { whole, single: [] };
  const params = {
    collections: single.map((each) => each.collection),
    origins: single.map((each) => each.origin),
  };
  const keys = new Map<string, ObjectKey>();
  await walkBirths(tx, options, async (page) => {
    const rows = await tx.run(findFrom, { ...params, ...page });
    return () => {
      for (const { collection_name: collection, entity_code: code } of rows)
        keys.set(JSON.stringify([collection, code]), { collection, code });
    };
  });
  return { whole, single: [...keys.values()] };
}

/**
 * Stores which collections are not accepted as a whole. Rules that were read before do not include the
 * change.
 */
export async function reconcileSources(
  tx: Transaction,
  sources: readonly SourceCount[],
  options: { readonly map: ClassMap; readonly input: InputRules; readonly at: string },
): Promise<ReconciledSources> {
  const { whole, single } = await previewSources(tx, sources, options);
  return { changed: await replaceWholeInputs(tx, whole, options.at), single };
}
