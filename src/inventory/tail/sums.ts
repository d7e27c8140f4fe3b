// Owns what rows of birth_registry add up to, per inventory group: how the readers of rows tell the running
// fingerprints.
import type { InventoryGroup } from '../group/index.js';

/** What some rows of one group add up to; several parts may be of one group. */
export interface GroupPart {
  readonly group: InventoryGroup;
  readonly members: bigint;
  /** Keys whose first birth is among these rows; not read for a group that inherits. */
  readonly grain: bigint;
  readonly maxBornAt: string;
  readonly maxId: bigint;
  /** Sums of the hashes, as exact text. */
  readonly h1: string;
  readonly h2: string;
}

export interface RowSums {
  readonly parts: readonly GroupPart[];
  /**
   * A birth of theirs takes the place of one that may have been counted as the first of its key: all groups
   * must be marked.
   */
  readonly uncertain: boolean;
}
