// Owns the canaries: units known to be bad, at least one per rule, that every evaluation includes beside the
// real units. They exist only in the input of the statement. A rule that no longer flags its canary no longer
// works.

export interface Canary {
  readonly name: string;
  /** The one link it requires. */
  readonly link: string;
  /** A reference that resolves to nothing; null: no reference. For an owner: two owners claim the unit. */
  readonly reference: string | null;
  readonly state: 'missing' | 'conflict';
}

const LINKS = [
  'owner',
  'approval',
  'audit',
  'rollback',
  'issue_event',
  'law_ref',
  'design_ref',
  'dot_authority',
  'heartbeat',
] as const;
/** No host object has this name: it contains a prefix that no code in a registry of the host starts with. */
const NOTHING = 'gcos:canary/nothing';

export const CANARIES: readonly Canary[] = LINKS.flatMap((link): Canary[] => [
  { name: `${link} missing`, link, reference: null, state: 'missing' },
  link === 'owner'
    ? { name: 'owner in conflict', link, reference: NOTHING, state: 'conflict' }
    : { name: `${link} dangling`, link, reference: NOTHING, state: 'missing' },
]);

/** The class of a canary, which no object of a host has. */
export const canaryClass = (canary: Canary): string => `gcos:canary:${canary.name}`;

export interface CanaryReport {
  readonly fed: number;
  /** The names of the canaries that were not flagged as expected. */
  readonly missed: readonly string[];
}
