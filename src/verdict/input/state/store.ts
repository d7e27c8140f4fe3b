// Owns the stored input state: which objects and collections are not accepted, since when and why, and the
// pending decisions of people. It returns the affected keys; the caller marks the verdicts dirty.
import type { Transaction } from '../../../db/index.js';
import type { ObjectKey } from '../birth/pick.js';
import type { InputRules } from '../policy.js';
import type { InputState } from '../states.js';
import { record, replaceWholeRows, takeObjects, takeSources } from './store.sql.js';

/** The result for one object; a null state: evaluated, no problem found. */
export interface FoundInput extends ObjectKey {
  readonly birthId: bigint | null;
  readonly state: InputState | null;
  readonly cause: string | null;
  /** Null: in every scope. */
  readonly scopes: readonly string[] | null;
}

/** Stores the results; returns how many are new or different, and how many objects are accepted again. */
export async function recordInput(
  tx: Transaction,
  found: readonly FoundInput[],
  options: {
    readonly input: Pick<InputRules, 'quarantineAfter'>;
    readonly at: string;
    readonly sawAllBirths: boolean;
  },
): Promise<{ readonly written: number; readonly cured: number }> {
  if (found.length === 0) return { written: 0, cured: 0 };
  const { written, cured } = await tx.one(record, {
    collections: found.map((each) => each.collection),
    codes: found.map((each) => each.code),
    states: found.map((each) => each.state),
    causes: found.map((each) => each.cause),
    scopes: found.map((each) => (each.scopes === null ? null : JSON.stringify(each.scopes))),
    birthIds: found.map((each) => each.birthId),
    at: options.at,
    sawAllBirths: options.sawAllBirths,
    quarantineAfter: options.input.quarantineAfter,
  });
  return { written: Number(written), cured: Number(cured) };
}

/** Clears the input problems of deleted objects. Quarantined objects stay in quarantine. */
export async function forgetInput(tx: Transaction, keys: readonly ObjectKey[], at: string): Promise<void> {
  const nothing = { birthId: null, state: null, cause: null, scopes: null };
  await recordInput(
    tx,
    keys.map(({ collection, code }) => ({ collection, code, ...nothing })),
    // No relapse is possible here, so the limit has no effect.
    { input: { quarantineAfter: 1 }, at, sawAllBirths: true },
  );
}

/** A collection that is not accepted as a whole. */
export interface WholeInput {
  readonly collection: string;
  readonly state: InputState;
  readonly cause: string;
  readonly scopes: readonly string[] | null;
}

/**
 * Stores which collections are not accepted as a whole, exactly these; returns the collections that changed.
 */
export async function replaceWholeInputs(
  tx: Transaction,
  whole: readonly WholeInput[],
  at: string,
): Promise<readonly string[]> {
  const rows = await tx.run(replaceWholeRows, {
    collections: whole.map((each) => each.collection),
    states: whole.map((each) => each.state),
    causes: whole.map((each) => each.cause),
    scopes: whole.map((each) => (each.scopes === null ? null : JSON.stringify(each.scopes))),
    at,
  });
  return rows.map((row) => row.collection_name);
}

/** Decisions of people, with the objects and sources they concern. */
export interface InputChanges {
  /** Objects that were quarantined or released. */
  readonly objects: readonly ObjectKey[];
  /** Sources whose trust level changed. */
  readonly origins: readonly string[];
  readonly collections: readonly string[];
}

/**
 * Takes the pending decisions. To mark verdicts dirty, each decision is returned once. A caller that
 * evaluates everything they concern in this transaction passes `evaluated` and also gets those already
 * marked.
 */
export async function takeInputChanges(
  tx: Transaction,
  options: { readonly evaluated: boolean },
): Promise<InputChanges> {
  const objects = await tx.run(takeObjects, options);
  const sources = await tx.run(takeSources, options);
  const of = (kind: string) => sources.filter((row) => row.source_kind === kind).map((row) => row.source);
  return {
    objects: objects.flatMap(({ collection_name: collection, entity_code: code }) =>
      code === null ? [] : [{ collection, code }],
    ),
    origins: of('origin'),
    collections: of('collection'),
  };
}
