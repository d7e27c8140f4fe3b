// Owns what follows from decisions about input: an object that was quarantined or released is looked at again, and whatever comes
// from a source that is trusted otherwise than before is marked.
import type { Transaction } from '../../db/index.js';
import {
  type Rules,
  readSources,
  reviseObjects,
  type Triple,
  takeInputChanges,
} from '../../verdict/index.js';
import type { Change } from './change.js';
import { placeObjects } from './place.js';

const SOURCE = 'governance_input_state';
const TRUST = 'governance_input_trust';

/** The decisions nobody has acted on, as changes; objects have been looked at again. */
export async function changesOfInputs(
  tx: Transaction,
  options: Triple & { readonly rules: Rules },
): Promise<readonly (Change & { readonly collection: string })[]> {
  // Nobody may decide now: the decisions wait.
  if (options.rules.withheld !== undefined) return [];
  const { map } = options.rules;
  const { objects, origins, collections } = await takeInputChanges(tx, { evaluated: false });
  if (objects.length + origins.length + collections.length === 0) return [];
  if (objects.length > 0) await reviseObjects(tx, objects, { ...options, cause: 'handoff' });
  const places = await placeObjects(tx, map, objects);
  const from = new Set(origins);
  const ofOrigins =
    origins.length === 0
      ? []
      : (await readSources(tx)).filter((each) => each.origin !== null && from.has(each.origin));
  const concerned = new Set([...collections, ...ofOrigins.map((each) => each.collection)]);
  return [
    ...objects.map((key) => {
      const inventoryKey = places(key);
      const facts = inventoryKey === undefined ? [] : [{ inventoryKey }];
      const ref = `${key.collection}:${key.code}`;
      return { source: SOURCE, action: 'decided', table: SOURCE, ref, facts, collection: key.collection };
    }),
    ...[...concerned].map((collection) => ({
      source: TRUST,
      action: 'decided',
      table: TRUST,
      ref: collection,
      facts: [{ collection }],
      collection,
    })),
  ];
}
