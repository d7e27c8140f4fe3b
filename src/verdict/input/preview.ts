// Owns the preview of input findings: the causes that would remain if these births were judged now, without a
// write. INVARIANT: it applies the same rules as the statement `record` of state/store.sql.
import type { Transaction } from '../../db/index.js';
import type { JudgedBirth, ObjectKey } from './birth/pick.js';
import type { InputCause } from './findings.js';
import type { InputRules } from './policy.js';
import { readKept } from './preview.sql.js';
import type { WholeInput } from './state/store.js';
import { CONFLICT, DUPLICATE, foremost, QUARANTINED, UNTRUSTED } from './states.js';

/**
 * Objects with an open input problem. They include all keys that had more than one birth at the last full
 * evaluation.
 */
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
  /** Who quarantined it; null: not in quarantine. */
  readonly asideBy: string | null;
}

const nameOf = ({ collection, code }: ObjectKey): string => JSON.stringify([collection, code]);

/** The row of an object after an evaluation that finds `state`. */
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

export interface PreviewScope {
  readonly births: readonly JudgedBirth[];
  /** Objects that no longer exist. */
  readonly gone: readonly ObjectKey[];
  readonly whole: readonly WholeInput[];
  readonly input: InputRules;
}

/** The causes that remain after such an evaluation. */
export async function previewInputCauses(
  tx: Transaction,
  scope: PreviewScope,
): Promise<readonly InputCause[]> {
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
  for (const { collection, code, origin, ...birth } of scope.births) {
    const key = { collection, code };
    const state = foremost(birth.state, birth.deniedIn.length > 0 ? UNTRUSTED : null);
    if (state === null) accept(key);
    else {
      const cause = (state === UNTRUSTED ? (origin ?? collection) : birth.cause) ?? '';
      kept.set(nameOf(key), afterLook(kept.get(nameOf(key)), { ...key, state, cause }, scope.input));
    }
  }
  for (const key of scope.gone) accept(key);
  return [
    ...scope.whole.map((each) => ({
      ...each,
      scopes: each.scopes ?? [],
      whole: true,
      objects: 1n,
      sample: [],
    })),
    ...causesOf([...kept.values()].filter((each) => !each.cured)),
  ];
}

/**
 * One entry per cause. A key with more than one birth is a cause of its own; every other cause is counted per
 * collection.
 */
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
