// Owns the consequences of changes from any source: the affected groups, and only those, are marked dirty
// with a reason, and each group is signalled once per kind and time window. All of it happens in the
// transaction that saw the changes.
import { z } from 'zod';
import { defineSetting, readSetting, type Transaction } from '../../db/index.js';
import { type Emission, emitSignals, type Signal } from '../../record/event/index.js';
import { type DirtyGroup, markDirty } from '../../verdict/candidate/index.js';
import type { ObjectKey } from '../../verdict/input/index.js';
import { addressAt, shorten } from '../subject.js';
import { readInventoryRows, readWindow } from './change.sql.js';
import { type Facts, whereOf } from './facts.js';
import { type HandoffMap, type Meaning, readHandoffMap } from './map.js';

const windowSetting = z.strictObject({ seconds: z.number().positive().max(86_400) });
export const intakeWindow = defineSetting({
  key: 'intake.window',
  form: windowSetting,
  default: { seconds: 60 },
  about: 'within a window of this length a group is signalled once for each kind of change',
});

export interface Change {
  /** As in governance_handoff_map. */
  readonly source: string;
  readonly action: string;
  /** The table in which the change was seen, for the signal. */
  readonly table: string;
  /** The key of the change in that table. */
  readonly ref: string;
  /** What the change affects, before and after: both are re-evaluated. Empty: it affects no known group. */
  readonly facts: readonly Facts[];
  /** Groups that another step has marked already: they are only announced. */
  readonly marked?: readonly DirtyGroup[];
  /** How many rows of the source it stands for; 1 by default. */
  readonly count?: number;
  /** The objects it is about, if they are known; at most NAMED of them. */
  readonly objects?: readonly ObjectKey[];
  /**
   * All objects whose verdicts it can affect, beside the rows of their groups: a birth affects no other
   * object of its group. Omitted: it may affect every object of the groups.
   */
  readonly only?: readonly ObjectKey[];
}

/** How many objects a change and its signal name; the count is exact. */
export const NAMED = 20;

export interface Applied {
  /** Changes that affect a group. */
  readonly changes: number;
  /** Changes that affect no group or have no meaning. */
  readonly without: number;
  /** Groups that were not dirty before. */
  readonly dirtied: number;
  readonly objects: number;
  readonly byKind: Readonly<Record<string, number>>;
  readonly signals: Emission;
}

const NOTHING_APPLIED: Applied = {
  changes: 0,
  without: 0,
  dirtied: 0,
  objects: 0,
  byKind: {},
  signals: { emitted: 0, held: 0, repeated: 0 },
};

export interface ApplyOptions {
  readonly at: string;
  /** `false` if the changes were announced before. */
  readonly announce?: boolean;
}

interface Notice {
  readonly kind: string;
  readonly table: string;
  readonly group: DirtyGroup;
  readonly byScope: boolean;
  /** The changes that concern the group. */
  readonly changes: readonly Change[];
}

/** Maximum length of a word in a payload. */
const WORD = 100;

/** The number of the time window of `seconds` seconds that contains `at`. */
export async function windowOf(tx: Transaction, at: string, seconds: number): Promise<bigint> {
  return (await tx.one(readWindow, { at, seconds })).window_no;
}

async function inventoryOf(tx: Transaction, groups: readonly DirtyGroup[]) {
  const keys = [...new Set(groups.map((each) => each.inventoryKey))];
  return new Map((await tx.run(readInventoryRows, { keys })).map((row) => [row.inventory_key, row]));
}

const objectsOf = (changes: readonly Change[]): readonly ObjectKey[] =>
  changes.flatMap((each) => each.objects ?? []);

/** The object that changed, else the row; if several did, the group. */
function addressFor(
  table: string,
  key: string,
  changes: readonly Change[],
  count: number,
): Pick<Signal, 'subjectTable' | 'subjectRef' | 'address'> {
  const [change] = changes;
  if (count !== 1 || change === undefined) return addressAt(table, key);
  const [object] = objectsOf(changes);
  if (object === undefined) return addressAt(table, change.ref);
  return { ...addressAt(table, object.code), address: shorten(`${object.collection}:${object.code}`) };
}

/** The code of the object that changed, or some codes if several did. */
function namesOf(changes: readonly Change[], count: number): Readonly<Record<string, unknown>> {
  const codes = [...new Set(objectsOf(changes).map((each) => shorten(each.code)))].slice(0, NAMED);
  if (codes.length === 0) return {};
  return count === 1 ? { entity_code: codes[0] } : { refs: codes };
}

/**
 * Finds the changes that concern a group: those that name it, or its collection. A change that names neither
 * concerns every group that it marked.
 */
function byGroup(
  changes: readonly Change[],
  collectionOf: (inventoryKey: string) => string | undefined,
): (group: DirtyGroup) => readonly Change[] {
  const named = new Map<string, Set<Change>>();
  const wide = new Set<Change>();
  const add = (name: string, change: Change) =>
    named.set(name, (named.get(name) ?? new Set<Change>()).add(change));
  for (const change of changes) {
    for (const { groupKey } of change.marked ?? []) add(`group ${groupKey}`, change);
    for (const { inventoryKey, collection } of change.facts)
      if (inventoryKey !== undefined) add(`inventory ${inventoryKey}`, change);
      else if (collection !== undefined) add(`collection ${collection}`, change);
      else wide.add(change);
  }
  return ({ groupKey, inventoryKey }) => {
    const names = [
      `group ${groupKey}`,
      `inventory ${inventoryKey}`,
      `collection ${collectionOf(inventoryKey) ?? ''}`,
    ];
    const found = new Set([...names.flatMap((name) => [...(named.get(name) ?? [])]), ...wide]);
    return found.size === 0 ? changes : [...found];
  };
}

async function announce(
  tx: Transaction,
  notices: readonly Notice[],
  options: ApplyOptions,
): Promise<Emission> {
  if (notices.length === 0) return { emitted: 0, held: 0, repeated: 0 };
  const { seconds } = await readSetting(tx, intakeWindow);
  const window = await windowOf(tx, options.at, seconds);
  const known = await inventoryOf(
    tx,
    notices.map((each) => each.group),
  );
  const signals = notices.map(({ kind, table, group, byScope, changes }): Signal => {
    const inventory = known.get(group.inventoryKey);
    const key = byScope ? group.groupKey : group.inventoryKey;
    const count = changes.reduce((sum, each) => sum + (each.count ?? 1), 0);
    return {
      type: `handoff.${kind}`,
      ...addressFor(table, key, changes, count),
      occurredAt: options.at,
      dedupeKey: `handoff:${kind}:${key}:${window}`,
      payload: {
        change_kind: kind,
        source: table,
        occurred_at: options.at,
        inventory_key: group.inventoryKey,
        ...(byScope ? { group_key: group.groupKey, scope: group.scope.slice(0, WORD) } : {}),
        ...(inventory === undefined
          ? {}
          : {
              object_type: inventory.object_class.slice(0, WORD),
              collection_name: shorten(inventory.source_registry),
            }),
        ...namesOf(changes, count),
        count,
      },
    };
  });
  return emitSignals(tx, signals);
}

/** Whether signals are per group and scope; otherwise one signal covers all scopes of a group. */
const isByScope = ({ dimensions }: Meaning): boolean =>
  dimensions.length === 0 || dimensions.includes('scope') || dimensions.includes('owner_scope');

/** Groups the changes by meaning and table, so that one statement per condition marks them. */
function byMeaning(
  map: HandoffMap,
  changes: readonly Change[],
): { readonly meaning: Meaning; readonly changes: readonly Change[] }[] {
  const sorted = new Map<string, { meaning: Meaning; changes: Change[] }>();
  for (const change of changes) {
    const meaning = map(change.source, change.action);
    const key = JSON.stringify([change.table, meaning.kind, meaning.reason, meaning.dimensions]);
    const found = sorted.get(key) ?? { meaning, changes: [] };
    sorted.set(key, found);
    found.changes.push(change);
  }
  return [...sorted.values()];
}

/** What to mark for changes of one meaning: groups with all their objects, and groups with some of them. */
function marksOf(
  changes: readonly Change[],
  dimensions: Meaning['dimensions'],
): readonly Pick<Parameters<typeof markDirty>[1], 'where' | 'objects'>[] {
  const facts = (some: readonly Change[]) =>
    whereOf(
      some.flatMap((each) => each.facts),
      dimensions,
    );
  const narrow = changes.filter((each) => each.only !== undefined);
  const named = narrow.flatMap((each) => each.only ?? []);
  return [
    ...facts(changes.filter((each) => each.only === undefined)).map((where) => ({ where })),
    ...facts(narrow).map((where, index) => ({ where, objects: index === 0 ? named : [] })),
  ];
}

/**
 * Marks and announces the affected groups. INVARIANT: idempotent; a repeat marks nothing new and announces
 * nothing again within a window.
 */
export async function applyChanges(
  tx: Transaction,
  changes: readonly Change[],
  options: ApplyOptions,
): Promise<Applied> {
  if (changes.length === 0) return NOTHING_APPLIED;
  const map = await readHandoffMap(tx);
  const notices = new Map<string, Notice>();
  const byKind: Record<string, number> = {};
  let [dirtied, objects, without] = [0, 0, 0];
  for (const { meaning, changes: some } of byMeaning(map, changes)) {
    const { kind, dimensions, reason } = meaning;
    const table = some[0]?.table ?? '';
    const concerned = some.filter((each) => each.facts.length > 0 || (each.marked?.length ?? 0) > 0);
    if (kind === null || concerned.length === 0) {
      without += some.length;
      continue;
    }
    without += some.length - concerned.length;
    byKind[kind] = (byKind[kind] ?? 0) + concerned.length;
    const hits: DirtyGroup[] = concerned.flatMap((each) => each.marked ?? []);
    for (const each of reason === null ? [] : marksOf(concerned, dimensions)) {
      const marked = await markDirty(tx, { reason: reason ?? '', at: options.at, ...each });
      hits.push(...marked.hits);
      dirtied += marked.groups.length;
      objects += marked.objects;
    }
    if (options.announce === false || hits.length === 0) continue;
    const byScope = isByScope(meaning);
    const inventory = await inventoryOf(tx, hits);
    const concerning = byGroup(concerned, (key) => inventory.get(key)?.source_registry);
    for (const group of hits) {
      const key = JSON.stringify([kind, byScope ? group.groupKey : group.inventoryKey]);
      if (!notices.has(key)) notices.set(key, { kind, table, group, byScope, changes: concerning(group) });
    }
  }
  const signals = await announce(tx, [...notices.values()], options);
  return { changes: changes.length - without, without, dirtied, objects, byKind, signals };
}

/** Sums several results. */
export function addApplied(parts: readonly Applied[]): Applied {
  const sum = (pick: (part: Applied) => number) => parts.reduce((total, part) => total + pick(part), 0);
  const byKind: Record<string, number> = {};
  for (const part of parts)
    for (const [kind, count] of Object.entries(part.byKind)) byKind[kind] = (byKind[kind] ?? 0) + count;
  return {
    changes: sum((part) => part.changes),
    without: sum((part) => part.without),
    dirtied: sum((part) => part.dirtied),
    objects: sum((part) => part.objects),
    byKind,
    signals: {
      emitted: sum((part) => part.signals.emitted),
      held: sum((part) => part.signals.held),
      repeated: sum((part) => part.signals.repeated),
    },
  };
}
