// Owns which objects would have rows of their own, and from what: the same births, looked at in the same two ways as by a run over
// everything. Whatever is in a part of the inventory is picked first; then, by their keys, those of which all births must be seen.
import type { Transaction } from '../../../db/index.js';
import { boundsOf } from '../../../inventory/snapshot/index.js';
import {
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
import type { BelievedUnit } from './unit.js';

export interface PreviewedObjects {
  readonly births: readonly JudgedBirth[];
  readonly drafts: readonly ObjectDraft[];
  /** Objects with a row that are in no inventory any more. */
  readonly gone: readonly ObjectKey[];
}

export const objectName = ({ collection, code }: ObjectKey): string => JSON.stringify([collection, code]);

/** All births that count one by one or that something may be held against: found in one parallel pass, as a backfill does. */
async function judgeSuspects(tx: Transaction, options: JudgeOptions): Promise<readonly JudgedBirth[]> {
  const ids = await findAllSuspects(tx, options);
  if (ids !== undefined) return judgeBirths(tx, { ids }, options);
  const bounds = await boundsOf(tx);
  return bounds === undefined ? [] : judgeBirths(tx, bounds, options);
}

/** The objects that would have rows, by what is there in the caller's snapshot. */
export async function previewObjects(
  tx: Transaction,
  believed: readonly BelievedUnit[],
  options: {
    readonly rules: Rules;
    readonly at: string;
    /** Objects of containers that are untrusted while others of the container are not. */
    readonly single: readonly ObjectKey[];
    /** Births that could not be taken in. */
    readonly setAside: ReadonlySet<bigint>;
    /** Whether the births are those of the last look at all of them: then no other key was born more than once since. */
    readonly isAsThen: boolean;
  },
): Promise<PreviewedObjects> {
  const { rules, at, setAside } = options;
  const picked = await judgeSuspects(tx, { ...rules, at });
  const found = new Map(picked.map((birth) => [objectName(birth), birth]));
  const stored = new Map<string, ObjectKey>();
  for (const { sourceRegistry: collection, code } of believed)
    if (code !== null) stored.set(objectName({ collection, code }), { collection, code });
  const whole = new Map<string, ObjectKey>();
  const rest = [...stored].filter(([name]) => !found.has(name)).map(([, key]) => key);
  const twice = options.isAsThen ? await readHeldObjects(tx) : await readDuplicateBirths(tx);
  for (const key of [...twice, ...options.single, ...rules.shared.objects, ...rest])
    whole.set(objectName(key), key);
  for (const birth of whole.size === 0
    ? []
    : await judgeBirths(tx, { keys: [...whole.values()] }, { ...rules, at }))
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
