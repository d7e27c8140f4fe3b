// Owns writing the rows of single objects: inputs shared with their group, their own inputs, and their owner.
// Decided in memory once per kind of object and scope, and written by one statement for thousands of objects.
import type { Transaction } from '../../../db/index.js';
import { resolveOwners } from '../../../host/index.js';
import { type InventoryGroup, refreshGroups } from '../../../inventory/group/index.js';
import { citeGroups, groupOf, type Place } from '../../../inventory/snapshot/index.js';
import { BIRTH_MISSING, foremost, INCOMPLETE, type InputState, stateIn } from '../../input/index.js';
import { evaluateGroups, readGroupInputs, type VerdictStamp } from '../group/evaluate.js';
import { REQUESTED_REASONS, type RequestedReason } from '../requested.js';
import {
  basisHash,
  decideBy,
  dependsOn,
  factsOf,
  type GroupInput,
  ownHash,
  type Rules,
  WITHHELD,
} from '../rules.js';
import { writeObjects } from './objects.sql.js';

/** Why an object has a row of its own, in order of precedence. */
export const REASONS = ['input', 'independent', ...REQUESTED_REASONS] as const;
export type Reason = (typeof REASONS)[number];

/** An object that is about to get a row. */
export interface ObjectDraft {
  readonly collection: string;
  readonly code: string;
  /** The lowest id among the births of the key; null when there is none. */
  readonly birthId: bigint | null;
  readonly place: Place;
  /** The input state in every scope; null: no problem. */
  readonly inputState: InputState | null;
  /** The scopes in which its source is denied. */
  readonly deniedIn: readonly string[];
  readonly unlisted: boolean;
  /** Shared data refers to it, so a class-0 container cannot represent it. */
  readonly shared: boolean;
  /** The other reasons for a row, if a container represents the object. */
  readonly requested: readonly RequestedReason[];
}

export interface WriteOptions extends VerdictStamp {
  readonly rules: Rules;
  readonly cause: string;
  /** Whether the caller has read all births of each key, so that it can find duplicates. */
  readonly sawAllBirths: boolean;
  readonly needsBackfill?: boolean;
}

export interface Written {
  readonly objects: number;
  readonly inserted: number;
  readonly changed: number;
  readonly renewed: number;
  readonly unchanged: number;
  readonly superseded: number;
}

export const NOTHING_WRITTEN: Written = {
  objects: 0,
  inserted: 0,
  changed: 0,
  renewed: 0,
  unchanged: 0,
  superseded: 0,
};

export function addUp(parts: readonly Written[]): Written {
  const sum = (pick: (part: Written) => number) => parts.reduce((total, part) => total + pick(part), 0);
  return {
    objects: sum((part) => part.objects),
    inserted: sum((part) => part.inserted),
    changed: sum((part) => part.changed),
    renewed: sum((part) => part.renewed),
    unchanged: sum((part) => part.unchanged),
    superseded: sum((part) => part.superseded),
  };
}

function reasonsOf(draft: ObjectDraft, inherits: boolean): readonly Reason[] {
  const held = new Set<Reason>(draft.requested);
  if ((draft.inputState !== null || draft.deniedIn.length > 0) && draft.birthId !== null) held.add('input');
  // A listed member without a birth has no container that could represent it.
  if (!inherits || draft.birthId === null || draft.shared) held.add('independent');
  return REASONS.filter((reason) => held.has(reason));
}

/** The groups per inventory key. Inventory groups without a row get one and are evaluated. */
async function groupsFor(
  tx: Transaction,
  inventory: ReadonlyMap<string, InventoryGroup>,
  options: WriteOptions,
): Promise<ReadonlyMap<string, readonly GroupInput[]>> {
  const keys = [...inventory.keys()];
  const read = async () => {
    const found = new Map<string, GroupInput[]>();
    const inputs = await readGroupInputs(tx, options.rules, { inventoryKeys: keys, ofObjects: true });
    for (const group of inputs) {
      const list = found.get(group.inventoryKey) ?? [];
      found.set(group.inventoryKey, list);
      list.push(group);
    }
    return found;
  };
  const found = await read();
  const unknown = [...inventory.values()].filter((group) => !found.has(group.key));
  if (unknown.length === 0) return found;
  await refreshGroups(tx, unknown, options.at);
  await evaluateGroups(tx, { ...options, inventoryKeys: unknown.map((group) => group.key) });
  return read();
}

export interface Kind {
  readonly no: number;
  readonly group: InventoryGroup;
  readonly inputState: InputState | null;
  readonly deniedIn: readonly string[];
  readonly unlisted: boolean;
  readonly shared: boolean;
  readonly unborn: boolean;
}

/** Sorts drafts into kinds: objects of one kind differ only in key and owner. */
export function kindsOf(
  drafts: readonly ObjectDraft[],
  rules: Rules,
): readonly { draft: ObjectDraft; kind: Kind }[] {
  const kinds = new Map<string, Kind>();
  return drafts.map((draft) => {
    const group = groupOf(rules.map, draft.place);
    const unborn = draft.birthId === null;
    const name = JSON.stringify([
      group.key,
      draft.inputState,
      draft.deniedIn,
      draft.unlisted,
      draft.shared,
      unborn,
    ]);
    const kind = kinds.get(name) ?? {
      no: kinds.size,
      group,
      inputState: draft.inputState,
      deniedIn: draft.deniedIn,
      unlisted: draft.unlisted,
      shared: draft.shared,
      unborn,
    };
    kinds.set(name, kind);
    return { draft, kind };
  });
}

/**
 * The input state of objects of a kind in `group`: their own state, and the state of their whole collection.
 */
function inputOf(kind: Kind, group: GroupInput, rules: Rules): InputState | null {
  if (kind.unborn) return BIRTH_MISSING;
  const whole = rules.input.wholeIn(group.sourceRegistry, group.scope);
  // Objects that are evaluated one by one have their own sources; the contract applies to the whole
  // collection.
  const shared = group.inherits || whole === INCOMPLETE ? whole : null;
  const { inputState: state, deniedIn } = kind;
  return foremost(...stateIn(group.scope, { state, deniedIn }), shared);
}

/** The verdicts of objects of a kind in each of `groups`, all of one inventory group. */
export function decideKind(kind: Kind, groups: readonly GroupInput[], rules: Rules) {
  return groups.map((group) => {
    // The object exists, even if the rest of its group is gone.
    const own = {
      inputState: inputOf(kind, group, rules),
      unborn: kind.unborn,
      unlisted: kind.unlisted,
      sharedItself: kind.shared,
      sourceGone: false,
    };
    const facts = factsOf(rules, group, own);
    const basis = rules.withheld === undefined ? basisHash(group, facts) : WITHHELD;
    return { kind, group, facts, basis, ...decideBy(rules, facts) };
  });
}

/**
 * How many objects are written at once: one statement writes their rows of every scope, and the process holds
 * their evidence.
 */
const OBJECTS_AT_ONCE = 2_000;

/** Decides and writes the rows of `drafts` in every scope. INVARIANT: `drafts` contains each key once. */
export async function writeDrafts(
  tx: Transaction,
  drafts: readonly ObjectDraft[],
  options: WriteOptions,
): Promise<Written> {
  // Objects of a kind together: each statement then needs the groups and verdicts of few kinds, not of all.
  const objects = kindsOf(drafts, options.rules).toSorted((left, right) => left.kind.no - right.kind.no);
  let written = NOTHING_WRITTEN;
  for (let from = 0; from < objects.length; from += OBJECTS_AT_ONCE) {
    const part = await writePart(tx, objects.slice(from, from + OBJECTS_AT_ONCE), options);
    written = addUp([written, part]);
  }
  return written;
}

async function writePart(
  tx: Transaction,
  objects: ReturnType<typeof kindsOf>,
  options: WriteOptions,
): Promise<Written> {
  const { rules, rulesetVersion, runId, at, cause, sawAllBirths } = options;
  const kinds = [...new Map(objects.map(({ kind }) => [kind.no, kind])).values()];
  const groups = await groupsFor(tx, new Map(kinds.map((kind) => [kind.group.key, kind.group])), options);
  await citeGroups(tx, [...groups.keys()], { ...options, forObjects: true });
  const decided = kinds.flatMap((kind) => decideKind(kind, groups.get(kind.group.key) ?? [], rules));
  const byKind = new Map<number, typeof decided>();
  for (const each of decided) byKind.set(each.kind.no, [...(byKind.get(each.kind.no) ?? []), each]);
  // Members of a container have its owner; every other object may have an owner of its own.
  const subjects = objects.flatMap(({ draft, kind }, index) =>
    kind.group.inherits ? [] : (byKind.get(kind.no) ?? []).map((each) => ({ index, draft, kind, each })),
  );
  const { owners } = await resolveOwners(
    tx,
    subjects.map(({ draft, kind, each }) => ({
      objectType: kind.group.objectClass,
      objectRef: draft.code,
      collection: draft.collection,
      objectClass: kind.group.objectClass,
      scope: each.group.scope,
    })),
    at,
  );
  const owned = subjects.flatMap((subject, index) => {
    const owner = owners[index]?.owner ?? null;
    return owner === subject.each.group.owner ? [] : [{ ...subject, owner }];
  });
  const written = await tx.one(writeObjects, {
    kindNos: objects.map(({ kind }) => kind.no),
    collections: objects.map(({ draft }) => draft.collection),
    codes: objects.map(({ draft }) => draft.code),
    birthIds: objects.map(({ draft }) => draft.birthId),
    reasons: objects.map(({ draft, kind }) => reasonsOf(draft, kind.group.inherits).join(',')),
    kinds: decided.map((each) => each.kind.no),
    scopes: decided.map((each) => each.group.scope),
    inventoryKeys: decided.map((each) => each.group.inventoryKey),
    groupKeys: decided.map((each) => each.group.groupKey),
    owners: decided.map((each) => each.group.owner),
    verdicts: decided.map((each) => each.verdict),
    lines: decided.map((each) => each.line),
    evidence: decided.map((each) => JSON.stringify(each.evidence)),
    inputStates: decided.map((each) => each.facts.inputState),
    dependsOn: decided.map((each) => dependsOn(each.group, each.group.owner)),
    riskClasses: decided.map((each) => each.riskClass),
    coverageRequired: decided.map((each) => each.coverageRequired),
    ttlSeconds: decided.map((each) => each.ttlSeconds ?? rules.defaultTtlSeconds),
    weights: decided.map((each) => (each.group.inherits ? 0 : 1)),
    basisHashes: decided.map((each) => each.basis),
    ownHashes: decided.map((each) => ownHash(each.facts, each.group.owner)),
    ownedNos: owned.map(({ index }) => index + 1),
    ownedScopes: owned.map(({ each }) => each.group.scope),
    ownOwners: owned.map(({ owner }) => owner),
    ownedHashes: owned.map(({ each, owner }) => ownHash(each.facts, owner)),
    rulesetVersion,
    runId,
    at,
    cause,
    sawAllBirths,
  });
  const rows = objects.reduce((total, { kind }) => total + (byKind.get(kind.no)?.length ?? 0), 0);
  return {
    objects: objects.length,
    inserted: Number(written.inserted),
    changed: Number(written.changed),
    renewed: Number(written.renewed),
    unchanged: rows - Number(written.inserted + written.changed + written.renewed),
    superseded: Number(written.superseded),
  };
}
