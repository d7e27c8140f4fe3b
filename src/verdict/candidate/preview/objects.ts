// Owns the preview of object rows: which objects would have rows, and from which inputs. It judges births in
// the same two steps as a full run: first all births that may need a row, then, by key, the objects that
// require all their births.
import type { Transaction } from '../../../db/index.js';
import { walkBirths } from '../../../inventory/tail/index.js';
import {
  type BirthPart,
  findAllSuspects,
  type JudgedBirth,
  type JudgeOptions,
  judgeBirths,
  type ObjectKey,
  readDuplicateBirths,
  readHeldObjects,
} from '../../input/index.js';
import { draftOf, findUnbornDrafts, isRepresentedByGroup } from '../objects/draft.js';
import type { ObjectDraft } from '../objects/write.js';
import type { Rules } from '../rules.js';

export interface PreviewedObjects {
  readonly births: readonly JudgedBirth[];
  readonly drafts: readonly ObjectDraft[];
  /** Objects with a row that are no longer in the inventory. */
  readonly gone: readonly ObjectKey[];
}

export const objectName = ({ collection, code }: ObjectKey): string => JSON.stringify([collection, code]);

/** How many births one statement judges by their ids or keys. */
const AT_ONCE = 50_000;

/** Judges births by their ids or keys, some at a time. */
async function judgeEach<T>(
  tx: Transaction,
  all: readonly T[],
  partOf: (some: readonly T[]) => BirthPart,
  options: JudgeOptions,
): Promise<readonly JudgedBirth[]> {
  const judged: JudgedBirth[] = [];
  for (let from = 0; from < all.length; from += AT_ONCE)
    for (const birth of await judgeBirths(tx, partOf(all.slice(from, from + AT_ONCE)), options))
      judged.push(birth);
  return judged;
}

/** All births that count one by one or may have an input problem, in ascending parts, as in a backfill. */
async function judgeSuspects(tx: Transaction, options: JudgeOptions): Promise<readonly JudgedBirth[]> {
  const suspects = await findAllSuspects(tx, options);
  if (suspects !== undefined) return judgeEach(tx, suspects, (ids) => ({ ids }), options);
  const judged: JudgedBirth[] = [];
  await walkBirths(tx, {}, async (page) => {
    const births = await judgeBirths(tx, page, options);
    return () => {
      for (const birth of births) judged.push(birth);
    };
  });
  return judged;
}

/** The objects that would have rows, in the caller's snapshot. */
export async function previewObjects(
  tx: Transaction,
  /** The objects with a row. */
  kept: readonly ObjectKey[],
  options: {
    readonly rules: Rules;
    readonly at: string;
    /** Untrusted objects of containers whose other members are trusted. */
    readonly single: readonly ObjectKey[];
    /** Births that could not be processed. */
    readonly setAside: ReadonlySet<bigint>;
    /** Whether the births are unchanged since the last full evaluation: then no new duplicates exist. */
    readonly isAsThen: boolean;
  },
): Promise<PreviewedObjects> {
  const { rules, at, setAside } = options;
  const found = new Map<string, JudgedBirth>();
  for (const birth of await judgeSuspects(tx, { ...rules, at })) {
    // The first birth of a key counts, whichever part it was in.
    if (!found.has(objectName(birth))) found.set(objectName(birth), birth);
  }
  const stored = new Map(kept.map((object) => [objectName(object), object]));
  const whole = new Map<string, ObjectKey>();
  const rest = [...stored].filter(([name]) => !found.has(name)).map(([, key]) => key);
  const twice = options.isAsThen ? await readHeldObjects(tx) : await readDuplicateBirths(tx);
  for (const key of [
    ...twice,
    ...options.single,
    ...rules.shared.objects,
    ...rules.requested.objects,
    ...rest,
  ])
    whole.set(objectName(key), key);
  for (const birth of await judgeEach(tx, [...whole.values()], (keys) => ({ keys }), { ...rules, at }))
    found.set(objectName(birth), birth);
  const births = [...found.values()].filter(
    (birth) => !setAside.has(birth.id) || stored.has(objectName(birth)),
  );
  const unborn = await findUnbornDrafts(tx, rules);
  const there = new Set([...found.keys(), ...unborn.map(objectName)]);
  return {
    births,
    drafts: [
      ...births.map((birth) => draftOf(birth, rules)).filter((draft) => !isRepresentedByGroup(draft, rules)),
      ...unborn,
    ],
    gone: [...stored.values()].filter((key) => !there.has(objectName(key))),
  };
}
