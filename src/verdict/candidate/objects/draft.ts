// Owns the drafts of object rows: the inputs of an object before its verdict, from its birth or from the
// registry that lists it.
import { fillParts, type Transaction } from '../../../db/index.js';
import { hasMembers, memberTable } from '../../../inventory/group/index.js';
import { statusRegistries } from '../../../inventory/snapshot/index.js';
import { BIRTH_MISSING, type JudgedBirth } from '../../input/index.js';
import type { Rules } from '../rules.js';
import { findUnborn } from './objects.sql.js';
import type { ObjectDraft } from './write.js';

/** The draft for a birth. */
export function draftOf(birth: JudgedBirth, rules: Rules): ObjectDraft {
  const found = rules.map.classOf(birth.collection, birth.species);
  const hasRegistry = found.registry !== null && !found.inherits && hasMembers(found.registry);
  return {
    collection: birth.collection,
    code: birth.code,
    birthId: birth.id,
    place: {
      collection_name: birth.collection,
      species_code: birth.species,
      status: birth.status,
      member_status: birth.memberStatus,
    },
    inputState: birth.state,
    deniedIn: birth.deniedIn,
    unlisted: hasRegistry && !birth.listed,
    shared: rules.shared.isShared(birth.collection, found.name, birth.code),
    // An object that counts by itself has a row anyway.
    requested: found.inherits ? rules.requested.reasonsFor(birth.collection, found.name, birth.code) : [],
  };
}

/** Whether the row of its group represents the object. */
export const isRepresentedByGroup = (draft: ObjectDraft, rules: Rules): boolean =>
  draft.inputState === null &&
  !draft.shared &&
  draft.requested.length === 0 &&
  draft.deniedIn.length === 0 &&
  rules.map.classOf(draft.collection, draft.place.species_code).inherits;

/**
 * The drafts for listed members without a birth. Members of an inheriting class are represented by their
 * container and are left out.
 */
export async function findUnbornDrafts(tx: Transaction, rules: Rules): Promise<readonly ObjectDraft[]> {
  const members = memberTable(statusRegistries(rules.map));
  const found = await tx.run(fillParts(findUnborn, { members }), {});
  return found
    .filter((row) => !rules.map.classOf(row.collection_name, null).inherits)
    .map((row) => ({
      collection: row.collection_name,
      code: row.entity_code,
      birthId: null,
      place: { ...row, species_code: null, status: null },
      inputState: BIRTH_MISSING,
      deniedIn: [],
      unlisted: false,
      shared: false,
      requested: [],
    }));
}
