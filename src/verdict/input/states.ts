// Owns the ten states of input and their order: of several that hold for an object, the first is the one it has.

export const BIRTH_MISSING = 'birth_or_registry_missing';
export const INVALID = 'invalid_schema';
export const INCOMPLETE = 'incomplete_input';
export const UNTRUSTED = 'untrusted_source';
export const DUPLICATE = 'duplicate';
export const CONFLICT = 'conflict';
export const STALE = 'stale';
export const NEEDS_BACKFILL = 'needs_backfill';
export const QUARANTINED = 'quarantined';
export const ACCEPTED = 'accepted_for_candidate_scan';

export const INPUT_STATES = [
  BIRTH_MISSING,
  INVALID,
  INCOMPLETE,
  UNTRUSTED,
  DUPLICATE,
  CONFLICT,
  STALE,
  NEEDS_BACKFILL,
  QUARANTINED,
  ACCEPTED,
] as const;

/** What the input gate says of an object or of all of a group; null is the same as accepted. */
export type InputState = (typeof INPUT_STATES)[number];

/** The first of these in the order of states; null where none holds. */
export function foremost(...states: readonly (InputState | null)[]): InputState | null {
  return INPUT_STATES.find((state) => state !== ACCEPTED && states.includes(state)) ?? null;
}
