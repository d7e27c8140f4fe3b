// Owns what is known of an object that may get a row of its own, before anything is decided: from its birth, or from the registry that lists it.
import { fillParts, type Transaction } from '../../../db/index.js';
import { hasMembers, memberTable } from '../../../inventory/group/index.js';
import { statusRegistries } from '../../../inventory/snapshot/index.js';
import { BIRTH_MISSING, type JudgedBirth } from '../../input/index.js';
import type { Rules } from '../rules.js';
import { findUnborn } from './objects.sql.js';
import type { ObjectDraft } from './write.js';

/** What is known of a birth about to get a row. */
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
  };
}

/** Whether its container answers for it. */
export const isRepresentedByGroup = (draft: ObjectDraft, rules: Rules): boolean =>
  draft.inputState === null &&
  !draft.shared &&
  draft.deniedIn.length === 0 &&
  rules.map.classOf(draft.collection, draft.place.species_code).inherits;

/** Members that their registry lists and birth does not know, about to get a row; where a class inherits, its container answers. */
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
    }));
}
