// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const nearRuns: Statement<
  {
    readonly maxId: bigint | null;
    readonly limit: bigint;
    readonly source: string;
  },
  {
    readonly first_id: bigint;
    readonly last_id: bigint;
    readonly gap_first: bigint | null;
    readonly gap_last: bigint | null;
  }
>;

export declare const nearSums: Statement<
  {
    readonly first: bigint | null;
    readonly last: bigint | null;
    readonly gapFirst: readonly bigint[];
    readonly gapLast: readonly bigint[];
    readonly most: bigint;
    readonly collections: readonly string[];
  },
  {
    readonly collection_name: string;
    readonly species_code: string | null;
    readonly status: string | null;
    readonly births: bigint;
    readonly own: bigint;
    readonly max_id: bigint;
    readonly max_born_at: string;
    readonly h1: string;
    readonly h2: string;
  }
>;

export declare const nearRows: Statement<
  {
    readonly first: bigint | null;
    readonly last: bigint | null;
    readonly gapFirst: readonly bigint[];
    readonly gapLast: readonly bigint[];
    readonly most: bigint;
    readonly collections: readonly string[];
    readonly nextXid: bigint;
    readonly limit: bigint;
  },
  {
    readonly id: bigint;
    readonly collection_name: string;
    readonly code: string;
    readonly species_code: string | null;
    readonly status: string | null;
    readonly born_at: string;
    readonly xid: bigint;
    readonly h1: string;
    readonly h2: string;
  }
>;

export declare const insertSeenNear: Statement<
  {
    readonly source: string;
    readonly nextXid: bigint;
    readonly first: bigint | null;
    readonly last: bigint | null;
    readonly gapFirst: readonly bigint[];
    readonly gapLast: readonly bigint[];
    readonly most: bigint;
  },
  Record<never, never>
>;
