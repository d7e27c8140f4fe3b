// Owns the canaries: units that are known to be bad, one per rule, fed into every evaluation beside the real ones. They exist in the
// input of the statement and nowhere else. A rule that no longer flags its canary no longer works.

export interface Canary {
  readonly name: string;
  /** The one link it needs. */
  readonly link: string;
  /** What it refers to, which is nothing; null: it refers to nothing at all. Of an owner: two say that it is theirs. */
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
/** Nothing is called so: it contains what no code of a host's registry begins with. */
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
  /** By name: those that were not flagged as what they are. */
  readonly missed: readonly string[];
}
