// Owns which objects have a row of their own: those that count one by one, malformed and duplicated births, members that were never
// born, and what other rooms ask for. Everything else is spoken for by its group. A row whose reason has gone is retired, an
// object that is gone leaves a tombstone; nothing is deleted.
import type { Transaction } from '../../../db/index.js';
import { type ClassMap, hasMembers, statusRegistries } from '../../../inventory/index.js';
import { readGroupInputs, type Triple } from '../group/evaluate.js';
import { BIRTH_MISSING, DUPLICATE, INVALID } from '../precedence.js';
import type { ObjectKey } from '../read/read.js';
import { basisHash, factsOf, type Rules, readRules } from '../rules.js';
import {
  buryObjects,
  countDue,
  endReason,
  findBad,
  findDuplicateKeys,
  findFormerDuplicates,
  findFormerUnborn,
  findLapsedSingle,
  findMissing,
  findUnborn,
  pickCollections,
  pickIds,
  pickKeys,
  pickRange,
} from './statements.js';
import { addUp, NOTHING_WRITTEN, type ObjectDraft, type Reason, type Written, writeDrafts } from './write.js';

export interface ObjectOptions extends Triple {
  readonly map?: ClassMap;
  /** What readRules returned; give it when calling often, it costs a handful of statements. */
  readonly rules?: Rules;
  /** What the history says about why it was looked at; `evaluation` unless said otherwise. */
  readonly cause?: string;
}

export interface MaterializeOptions extends ObjectOptions {
  /** Births with ids from `first` to `last`, births with these ids, or births of these collections. */
  readonly of:
    | { readonly first: bigint; readonly last: bigint }
    | { readonly ids: readonly bigint[] }
    | { readonly collections: readonly string[] };
}

interface Picked {
  readonly id: bigint;
  readonly collection_name: string;
  readonly entity_code: string;
  readonly species_code: string | null;
  readonly status: string | null;
  readonly malformed: boolean;
  readonly member_status: string | null;
  readonly listed: boolean;
  readonly births: bigint;
}

const rulesOf = async (tx: Transaction, options: ObjectOptions): Promise<Rules> =>
  options.rules ?? readRules(tx, options.map);

const keysOf = (rows: readonly { readonly collection_name: string; readonly entity_code: string }[]) => ({
  collections: rows.map((row) => row.collection_name),
  codes: rows.map((row) => row.entity_code),
});

const asKeys = (
  rows: readonly { readonly collection_name: string; readonly entity_code: string }[],
): ObjectKey[] => rows.map((row) => ({ collection: row.collection_name, code: row.entity_code }));

function pickParams(rules: Rules, at: string) {
  const { code_length: codeLength, born_after: bornAfter, future_seconds: futureSeconds } = rules.limits;
  return { individual: rules.map.individual, codeLength, bornAfter, futureSeconds, at };
}

function draftOf(row: Picked, rules: Rules, duplicate: boolean): ObjectDraft {
  const found = rules.map.classOf(row.collection_name, row.species_code);
  const hasRegistry = found.registry !== null && !found.inherits && hasMembers(found.registry);
  return {
    collection: row.collection_name,
    code: row.entity_code,
    birthId: row.id,
    place: row,
    inputState: row.malformed ? INVALID : duplicate ? DUPLICATE : null,
    unlisted: hasRegistry && !row.listed,
    shared: rules.shared.isShared(row.collection_name, found.name, row.entity_code),
  };
}

const isSpokenFor = (draft: ObjectDraft, rules: Rules): boolean =>
  draft.inputState === null &&
  !draft.shared &&
  rules.map.classOf(draft.collection, draft.place.species_code).inherits;

/** Gives the objects in a part of the inventory their rows: those that count one by one, and malformed births. */
export async function materializeObjects(tx: Transaction, options: MaterializeOptions): Promise<Written> {
  const rules = await rulesOf(tx, options);
  const registries = statusRegistries(rules.map);
  const params = pickParams(rules, options.at);
  const rows =
    'collections' in options.of
      ? await tx.run(pickCollections(registries), { ...params, collections: options.of.collections })
      : 'ids' in options.of
        ? await tx.run(pickIds(registries), { ...params, ids: options.of.ids })
        : await tx.run(pickRange(registries), { ...params, ...options.of });
  const drafts = rows
    .map((row) => draftOf(row, rules, false))
    // A collection may hold classes of both sorts.
    .filter((draft) => !isSpokenFor(draft, rules));
  return writeDrafts(tx, drafts, { cause: 'evaluation', ...options, rules, sawAllBirths: false });
}

/** Looks at single objects again, by their keys and with all their births; those without a reason for a row lose it. */
async function reviseKeys(
  tx: Transaction,
  keys: readonly ObjectKey[],
  options: ObjectOptions & { readonly rules: Rules },
  asked?: Reason,
): Promise<Written> {
  if (keys.length === 0) return NOTHING_WRITTEN;
  const { rules } = options;
  const rows = await tx.run(pickKeys(statusRegistries(rules.map)), {
    ...pickParams(rules, options.at),
    collections: keys.map((key) => key.collection),
    codes: keys.map((key) => key.code),
  });
  const drafts = rows.map((row) => draftOf(row, rules, row.births > 1n));
  const spokenFor = asked === undefined ? drafts.filter((draft) => isSpokenFor(draft, rules)) : [];
  await endRows(tx, 'input', spokenFor, { ...options, areThere: true });
  const needed = drafts
    .filter((draft) => asked !== undefined || !isSpokenFor(draft, rules))
    .map((draft) => (asked === undefined ? draft : { ...draft, asked }));
  return writeDrafts(tx, needed, { cause: 'evaluation', ...options, rules, sawAllBirths: true });
}

/** Looks at these objects again, for a row of theirs or none; keys without a birth are for `settleObjects`. */
export async function reviseObjects(
  tx: Transaction,
  keys: readonly ObjectKey[],
  options: ObjectOptions,
): Promise<Written> {
  return reviseKeys(tx, keys, { ...options, rules: await rulesOf(tx, options) });
}

/** Gives these objects a row for `reason`, on top of whatever else gives them one. Keys that were never born get none. */
export async function materialize(
  tx: Transaction,
  keys: readonly ObjectKey[],
  reason: Exclude<Reason, 'input' | 'independent'>,
  options: ObjectOptions,
): Promise<Written> {
  return reviseKeys(tx, keys, { ...options, rules: await rulesOf(tx, options) }, reason);
}

/** Ends `reason` for these objects; a row that nothing else needs is retired, and the group speaks for the object again. */
export async function dematerialize(
  tx: Transaction,
  reason: Reason,
  keys: readonly ObjectKey[],
  options: Pick<Triple, 'runId' | 'at'>,
): Promise<{ readonly objects: number; readonly retired: number }> {
  return endRows(tx, reason, keys, { ...options, areThere: false });
}

async function endRows(
  tx: Transaction,
  reason: Reason,
  keys: readonly ObjectKey[],
  options: Pick<Triple, 'runId' | 'at'> & {
    /** Whether the caller has seen births of all of them: then none can have a tombstone. */
    readonly areThere: boolean;
  },
): Promise<{ readonly objects: number; readonly retired: number }> {
  if (keys.length === 0) return { objects: 0, retired: 0 };
  const { objects, retired } = await tx.one(endReason, {
    collections: keys.map((key) => key.collection),
    codes: keys.map((key) => key.code),
    reason,
    runId: options.runId,
    at: options.at,
    areThere: options.areThere,
  });
  return { objects: Number(objects), retired: Number(retired) };
}

/** Gives members that were never born a row that says so; takes it from those that have been born since, or are gone. */
export async function materializeUnborn(
  tx: Transaction,
  options: ObjectOptions,
): Promise<Written & { readonly unborn: number; readonly gone: number }> {
  const rules = await rulesOf(tx, options);
  const found = await tx.run(findUnborn(statusRegistries(rules.map)), {});
  const unborn = found.filter((row) => !rules.map.classOf(row.collection_name, null).inherits);
  const former = await tx.run(findFormerUnborn, keysOf(unborn));
  const drafts = unborn.map((row) => ({
    collection: row.collection_name,
    code: row.entity_code,
    birthId: null,
    place: { ...row, species_code: null, status: null },
    inputState: BIRTH_MISSING,
    unlisted: false,
    shared: false,
  }));
  const written = await writeDrafts(tx, drafts, {
    cause: 'evaluation',
    ...options,
    rules,
    sawAllBirths: true,
  });
  const born = asKeys(former.filter((row) => row.born));
  const revised = await reviseKeys(tx, born, { ...options, rules });
  const gone = await tombstone(tx, asKeys(former.filter((row) => !row.born)), options);
  return { ...addUp([written, revised]), unborn: unborn.length, gone };
}

/** The keys that were born more than once, over the whole table. Writes nothing: it can run beside other work. */
export async function readDuplicateBirths(tx: Transaction): Promise<readonly ObjectKey[]> {
  // Sorted, not hashed: a million narrow keys take two thirds of the time, and a third of the memory.
  await tx.script("set local work_mem = '64MB'; set local enable_hashagg = off");
  const found = asKeys(await tx.run(findDuplicateKeys, {}));
  await tx.script('set local work_mem to default; set local enable_hashagg to default');
  return found;
}

/** Gives keys that were born more than once their row, and looks again at those that are no longer among `found`. */
export async function settleDuplicates(
  tx: Transaction,
  found: readonly ObjectKey[],
  options: ObjectOptions,
): Promise<Written & { readonly duplicates: number; readonly cured: number }> {
  const former = asKeys(
    await tx.run(findFormerDuplicates, {
      collections: found.map((key) => key.collection),
      codes: found.map((key) => key.code),
    }),
  );
  // Whether they are is decided by their births as they are now, whatever was found when.
  const written = await reviseKeys(tx, [...found, ...former], {
    ...options,
    rules: await rulesOf(tx, options),
  });
  return { ...written, duplicates: found.length, cured: former.length };
}

/** Retires the rows of objects that are no longer there; they stay, and say why. Returns how many objects. */
export async function tombstone(
  tx: Transaction,
  keys: readonly ObjectKey[],
  options: Triple,
): Promise<number> {
  if (keys.length === 0) return 0;
  const { snapshotRef, rulesetVersion, runId, at } = options;
  const { objects } = await tx.one(buryObjects, {
    collections: keys.map((key) => key.collection),
    codes: keys.map((key) => key.code),
    snapshotRef,
    rulesetVersion,
    runId,
    at,
  });
  return Number(objects);
}

/** Whether rows of objects no longer hold, or follow from what their group no longer is: then all are to be looked at again. */
export async function areObjectsDue(tx: Transaction, options: ObjectOptions): Promise<boolean> {
  const rules = await rulesOf(tx, options);
  const groups = await readGroupInputs(tx, rules);
  const { groups: due } = await tx.one(countDue, {
    inventoryKeys: groups.map((group) => group.inventoryKey),
    scopes: groups.map((group) => group.scope),
    basisHashes: groups.map((group) => basisHash(group, factsOf(rules, group))),
    at: options.at,
    rulesetVersion: options.rulesetVersion,
  });
  return due > 0n;
}

export interface Settled extends Written {
  readonly tombstones: number;
}

/**
 * Gives class-0 objects that something shared refers to their row, and takes it from those whose container answers for them: nothing
 * shared refers to them any more, or their class inherits now. No birth tells of either.
 */
export async function settleIndependent(
  tx: Transaction,
  options: ObjectOptions,
): Promise<Written & { readonly lapsed: number }> {
  const rules = await rulesOf(tx, options);
  const { objects } = rules.shared;
  const written = await reviseKeys(tx, objects, { ...options, rules });
  const lapsed = await tx.run(findLapsedSingle, {
    individual: rules.map.individual,
    collections: objects.map((key) => key.collection),
    codes: objects.map((key) => key.code),
  });
  const ended = await dematerialize(tx, 'independent', asKeys(lapsed), options);
  return { ...written, lapsed: ended.objects };
}

/** Checks the objects that have rows against the inventory: gone, reborn, no longer malformed. */
export async function settleObjects(
  tx: Transaction,
  options: ObjectOptions & { readonly collections?: readonly string[] },
): Promise<Settled> {
  const rules = await rulesOf(tx, options);
  const collections = options.collections ?? null;
  const { at, rulesetVersion } = options;
  const missing = await tx.run(findMissing, { collections, at, rulesetVersion });
  const bad = await tx.run(findBad, { collections });
  const all = { ...options, rules };
  const tombstones = await tombstone(tx, asKeys(missing.filter((row) => !row.born)), options);
  const again = missing.filter((row) => row.born);
  const written = await reviseKeys(tx, asKeys([...again, ...bad]), all);
  return { ...written, tombstones };
}
