// Owns the ten input states and their order: an object with several problems gets the first one.

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

/** The input state of an object or of a whole group; null means accepted. */
export type InputState = (typeof INPUT_STATES)[number];

/** The first of `states` in the order of INPUT_STATES; null when none applies. */
export function foremost(...states: readonly (InputState | null)[]): InputState | null {
  return INPUT_STATES.find((state) => state !== ACCEPTED && states.includes(state)) ?? null;
}
