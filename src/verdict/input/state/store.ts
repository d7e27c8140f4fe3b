// Owns what is kept about input: which objects and collections are not accepted, since when and why, and what people decided that
// nobody has acted on yet. It returns the keys that are affected; marking verdicts dirty is for others.
import type { Transaction } from '../../../db/index.js';
import type { ObjectKey } from '../birth/pick.js';
import type { InputRules } from '../policy.js';
import type { InputState } from '../states.js';
import { record, replaceWholeRows, takeObjects, takeSources } from './store.sql.js';

/** What was found about one object; a state of null says that it was looked at and nothing holds. */
export interface FoundInput extends ObjectKey {
  readonly birthId: bigint | null;
  readonly state: InputState | null;
  readonly cause: string | null;
  /** Null: in every scope. */
  readonly scopes: readonly string[] | null;
}

/** Keeps what was found; returns how much of it is new or different, and how many objects are accepted again. */
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

/** Objects that are gone: nothing is held against them any more, unless somebody set them aside. */
export async function forgetInput(tx: Transaction, keys: readonly ObjectKey[], at: string): Promise<void> {
  const nothing = { birthId: null, state: null, cause: null, scopes: null };
  await recordInput(
    tx,
    keys.map(({ collection, code }) => ({ collection, code, ...nothing })),
    // Nothing relapses here.
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

/** Keeps which collections are not accepted as a whole, exactly these; returns those for which that is news. */
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

/** What people decided, and what it is about. */
export interface InputChanges {
  /** Objects that were set aside or released. */
  readonly objects: readonly ObjectKey[];
  /** Sources that are trusted more or less than before. */
  readonly origins: readonly string[];
  readonly collections: readonly string[];
}

/** The decisions nobody has acted on: to mark verdicts dirty for them, each is returned once; with `evaluated`, to who decides
 * everything they concern in this transaction, those that were only marked, too. */
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
