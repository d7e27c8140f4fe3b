// Owns what would be said about input if these births were judged as they are here: the causes that would be left, without writing down
// any of it. It follows what is written when births are looked at, line by line.
import type { Transaction } from '../../db/index.js';
import type { JudgedBirth, ObjectKey } from './birth/pick.js';
import type { InputCause } from './findings.js';
import type { InputRules } from './policy.js';
import { readKept } from './preview.sql.js';
import type { WholeInput } from './state/store.js';
import { CONFLICT, DUPLICATE, foremost, QUARANTINED, UNTRUSTED } from './states.js';

/** Objects that something is held against: among them are all that were born more than once when somebody last looked at everything. */
export async function readHeldObjects(tx: Transaction): Promise<readonly ObjectKey[]> {
  const rows = await tx.run(readKept, {});
  return rows
    .filter((row) => !row.cured)
    .map((row) => ({ collection: row.collection_name, code: row.entity_code }));
}

interface Kept extends ObjectKey {
  readonly state: string;
  readonly cause: string;
  readonly cured: boolean;
  readonly relapses: number;
  /** Who set it aside; null: nobody. */
  readonly asideBy: string | null;
}

const nameOf = ({ collection, code }: ObjectKey): string => JSON.stringify([collection, code]);

/** What would be kept about an object after a look at it that finds `state`. */
function afterLook(
  before: Kept | undefined,
  found: Omit<Kept, 'cured' | 'relapses' | 'asideBy'>,
  input: InputRules,
): Kept {
  const isRelapse = before?.cured === true;
  const relapses = (before?.relapses ?? 0) + (isRelapse ? 1 : 0);
  const gaveUp = isRelapse && relapses >= input.quarantineAfter ? 'gcos' : null;
  return {
    ...found,
    cause: found.state === QUARANTINED ? (before?.cause ?? found.cause) : found.cause,
    cured: false,
    relapses,
    asideBy: before?.asideBy ?? gaveUp,
  };
}

export interface LookedAt {
  readonly births: readonly JudgedBirth[];
  /** Objects that are no longer there. */
  readonly gone: readonly ObjectKey[];
  readonly whole: readonly WholeInput[];
  readonly input: InputRules;
}

/** The causes that are left after such a look. */
export async function previewInputCauses(tx: Transaction, looked: LookedAt): Promise<readonly InputCause[]> {
  const rows = await tx.run(readKept, {});
  const kept = new Map<string, Kept>(
    rows.map((row) => {
      const key = { collection: row.collection_name, code: row.entity_code };
      const asideBy = row.quarantined ? (row.quarantined_by ?? '') : null;
      const { cause, cured, relapses, input_state: state } = row;
      return [nameOf(key), { ...key, state, cause, cured, relapses, asideBy }];
    }),
  );
  const accept = (key: ObjectKey) => {
    const before = kept.get(nameOf(key));
    if (before !== undefined && before.asideBy === null) kept.set(nameOf(key), { ...before, cured: true });
  };
  for (const { collection, code, origin, ...birth } of looked.births) {
    const key = { collection, code };
    const state = foremost(birth.state, birth.deniedIn.length > 0 ? UNTRUSTED : null);
    if (state === null) accept(key);
    else {
      const cause = (state === UNTRUSTED ? (origin ?? collection) : birth.cause) ?? '';
      kept.set(nameOf(key), afterLook(kept.get(nameOf(key)), { ...key, state, cause }, looked.input));
    }
  }
  for (const key of looked.gone) accept(key);
  return [
    ...looked.whole.map((each) => ({
      ...each,
      scopes: each.scopes ?? [],
      whole: true,
      objects: 1n,
      sample: [],
    })),
    ...causesOf([...kept.values()].filter((each) => !each.cured)),
  ];
}

/** One line per cause: a key that was born more than once is a cause of its own, everything else one per collection. */
function causesOf(open: readonly Kept[]): readonly InputCause[] {
  const causes = new Map<string, InputCause>();
  const add = (each: Kept, state: string, cause: string) => {
    const name = JSON.stringify([each.collection, state, cause]);
    const before = causes.get(name);
    causes.set(name, {
      ...{ collection: each.collection, state, cause, whole: false, scopes: [] },
      objects: (before?.objects ?? 0n) + 1n,
      sample: [...(before?.sample ?? []), each.code].slice(0, 5),
    });
  };
  for (const each of open) {
    const isOwn = each.state === DUPLICATE || each.state === CONFLICT;
    if (each.state !== QUARANTINED) add(each, each.state, isOwn ? each.code : each.cause);
    if (each.asideBy !== null)
      add(each, QUARANTINED, each.asideBy === 'gcos' ? 'failed_repeatedly' : 'operator');
  }
  return [...causes.values()];
}
