// Owns the preview of object rows: which objects would have rows, and from which inputs. It judges births in
// the same two steps as a full run: first all births that may need a row, then, by key, the objects that
// require all their births.
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
  /** Objects with a row that are no longer in the inventory. */
  readonly gone: readonly ObjectKey[];
}

export const objectName = ({ collection, code }: ObjectKey): string => JSON.stringify([collection, code]);

/**
 * All births that count one by one or may have an input problem, found in one parallel pass, as in a
 * backfill.
 */
async function judgeSuspects(tx: Transaction, options: JudgeOptions): Promise<readonly JudgedBirth[]> {
  const ids = await findAllSuspects(tx, options);
  if (ids !== undefined) return judgeBirths(tx, { ids }, options);
  const bounds = await boundsOf(tx);
  return bounds === undefined ? [] : judgeBirths(tx, bounds, options);
}

/** The objects that would have rows, in the caller's snapshot. */
export async function previewObjects(
  tx: Transaction,
  believed: readonly BelievedUnit[],
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
  const picked = await judgeSuspects(tx, { ...rules, at });
  const found = new Map(picked.map((birth) => [objectName(birth), birth]));
  const stored = new Map<string, ObjectKey>();
  for (const { sourceRegistry: collection, code } of believed)
    if (code !== null) stored.set(objectName({ collection, code }), { collection, code });
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
