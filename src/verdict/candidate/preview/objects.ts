// Owns the preview of object rows: which objects would have rows, and from which inputs. It judges births in
// the same two steps as a full run: first all births that may need a row, then, by key, the objects that
// require all their births.
import type { Transaction } from '../../../db/index.js';
import { walkBirths } from '../../../inventory/tail/index.js';
import {
  type BirthPart,
  findAllSuspects,
  findIdsIn,
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
import { ObjectMap, objectMapOf } from './object-map.js';

export interface PreviewedObjects {
  /** The births with an input problem, now or recorded. */
  readonly births: readonly JudgedBirth[];
  readonly drafts: readonly ObjectDraft[];
  /** Objects with a row that are no longer in the inventory. */
  readonly gone: readonly ObjectKey[];
}

/** How many births one statement judges by their ids or keys. */
const AT_ONCE = 10_000;

/** Judges births by their ids or keys, some at a time. */
async function judgeEach<T>(
  tx: Transaction,
  all: readonly T[],
  partOf: (some: readonly T[]) => BirthPart,
  options: JudgeOptions,
  onBirth: (birth: JudgedBirth) => void,
): Promise<void> {
  for (let from = 0; from < all.length; from += AT_ONCE)
    for (const birth of await judgeBirths(tx, partOf(all.slice(from, from + AT_ONCE)), options))
      onBirth(birth);
}

/** All births that count one by one or may have an input problem, in ascending parts, as in a backfill. */
async function judgeSuspects(
  tx: Transaction,
  options: JudgeOptions,
  onBirth: (birth: JudgedBirth) => void,
): Promise<void> {
  const suspects = await findAllSuspects(tx, options);
  if (suspects !== undefined) return judgeEach(tx, suspects, (ids) => ({ ids }), options, onBirth);
  await walkBirths(tx, { pageSize: AT_ONCE }, async (page) => {
    const births = await judgeBirths(tx, { ids: await findIdsIn(tx, page, options) }, options);
    return () => births.forEach(onBirth);
  });
}

/** What is kept of a birth: its draft if it needs a row, and all of it only if its input is a problem. */
interface Seen extends ObjectKey {
  readonly id: bigint;
  readonly draft: ObjectDraft | null;
  readonly birth: JudgedBirth | null;
}

function see(birth: JudgedBirth, rules: Rules): Seen {
  const { collection, code, id, state, deniedIn, known } = birth;
  const draft = draftOf(birth, rules);
  return {
    ...{ collection, code, id },
    draft: isRepresentedByGroup(draft, rules) ? null : draft,
    birth: state !== null || deniedIn.length > 0 || known ? birth : null,
  };
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
  const judging = { ...rules, at };
  const found = new ObjectMap<Seen>();
  await judgeSuspects(tx, judging, (birth) => {
    // The first birth of a key counts, whichever part it was in.
    if (!found.has(birth)) found.set(birth, see(birth, rules));
  });
  const twice = options.isAsThen ? await readHeldObjects(tx) : await readDuplicateBirths(tx);
  const whole = objectMapOf([
    ...twice,
    ...options.single,
    ...rules.shared.objects,
    ...rules.requested.objects,
    ...kept.filter((key) => !found.has(key)),
  ]);
  await judgeEach(
    tx,
    [...whole.values()],
    (keys) => ({ keys }),
    judging,
    (birth) => found.set(birth, see(birth, rules)),
  );
  const stored = setAside.size === 0 ? null : objectMapOf(kept);
  const seen = [...found.values()].filter(
    (each) => stored === null || !setAside.has(each.id) || stored.has(each),
  );
  const unborn = await findUnbornDrafts(tx, rules);
  const unbornKeys = objectMapOf(unborn);
  return {
    births: seen.flatMap(({ birth }) => birth ?? []),
    drafts: [...seen.flatMap(({ draft }) => draft ?? []), ...unborn],
    gone: kept.filter((key) => !found.has(key) && !unbornKeys.has(key)),
  };
}
