// Owns the consequences of decisions about input: an object that was quarantined or released is re-evaluated,
// and the groups of a source whose trust changed are marked.
import type { Transaction } from '../../db/index.js';
import { type Rules, reviseObjects, type VerdictStamp } from '../../verdict/candidate/index.js';
import {
  readInputRules,
  readSources,
  reconcileSources,
  takeInputChanges,
} from '../../verdict/input/index.js';
import type { Change } from './change.js';
import { placeObjects } from './place.js';

const SOURCE = 'governance_input_state';
const TRUST = 'governance_input_trust';

type InputChange = Change & { readonly collection: string };

/** The trust in the sources of a collection changed. */
export const trustChange = (collection: string): InputChange => ({
  source: TRUST,
  action: 'decided',
  table: TRUST,
  ref: collection,
  facts: [{ collection }],
  collection,
});

/** The rules as they are after the changes. */
interface Taken {
  readonly rules: Rules;
  readonly changes: readonly InputChange[];
}

/**
 * For a round after which trust in a whole collection may change: the round has more births to evaluate one
 * by one than untrusted objects are allowed, births from an accepted source among untrusted ones, or removed
 * births. Reads all sources before births get rows. Returns the updated rules and the changes.
 */
export async function reconcileSourcesOfRound(
  tx: Transaction,
  options: VerdictStamp & { readonly rules: Rules },
): Promise<Taken> {
  const { rules: before, at } = options;
  const reconciled = await reconcileSources(tx, await readSources(tx, before.input), { ...before, at });
  if (reconciled.changed.length === 0) return { rules: before, changes: [] };
  const rules = { ...before, input: await readInputRules(tx, before.content, before.scopes) };
  // A collection that is accepted again as a whole may still have members that are not.
  const changed = new Set(reconciled.changed);
  const single = reconciled.single.filter((key) => changed.has(key.collection));
  await reviseObjects(tx, single, { ...options, rules, cause: 'intake' });
  return { rules, changes: reconciled.changed.map(trustChange) };
}

/**
 * The pending decisions as changes. Their objects have been re-evaluated, and it is settled which collections
 * are accepted as a whole: the next scan decides their groups by that.
 */
export async function changesOfInputs(
  tx: Transaction,
  options: VerdictStamp & { readonly rules: Rules },
): Promise<Taken> {
  const { rules } = options;
  // Decisions stay pending while evaluation is withheld.
  if (rules.withheld !== undefined) return { rules, changes: [] };
  const { map } = rules;
  const { objects, origins, collections } = await takeInputChanges(tx, { evaluated: false });
  if (objects.length + origins.length + collections.length === 0) return { rules, changes: [] };
  const sources =
    origins.length + collections.length === 0
      ? { rules, changes: [] }
      : await reconcileSourcesOfRound(tx, options);
  if (objects.length > 0)
    await reviseObjects(tx, objects, { ...options, rules: sources.rules, cause: 'intake' });
  const places = await placeObjects(tx, map, objects);
  const from = new Set(origins);
  const ofOrigins =
    origins.length === 0
      ? []
      : (await readSources(tx)).filter((each) => each.origin !== null && from.has(each.origin));
  const concerned = new Set([
    ...collections,
    ...[...ofOrigins, ...sources.changes].map((each) => each.collection),
  ]);
  const changes = [
    ...objects.map((key) => {
      const inventoryKey = places(key);
      const facts = inventoryKey === undefined ? [] : [{ inventoryKey }];
      const ref = `${key.collection}:${key.code}`;
      const about = { source: SOURCE, action: 'decided', table: SOURCE, ref, facts };
      return { ...about, objects: [key], collection: key.collection };
    }),
    ...[...concerned].map(trustChange),
  ];
  return { rules: sources.rules, changes };
}
