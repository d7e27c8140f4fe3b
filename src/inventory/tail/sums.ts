// Owns the sums of birth_registry rows per inventory group: the interface between reading rows and the
// running fingerprints.
import type { InventoryGroup } from '../group/index.js';

/** The sums of some rows of one group; several parts may belong to one group. */
export interface GroupPart {
  readonly group: InventoryGroup;
  readonly members: bigint;
  /** The number of keys whose first birth is among these rows; not used for a group that inherits. */
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
   * One of the births replaces another that may have been counted as the first of its key: all groups must be
   * marked.
   */
  readonly uncertain: boolean;
}
