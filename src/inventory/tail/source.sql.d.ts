// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement, Template } from '../../db/index.js';

export declare const sweepPage: Statement<
  {
    readonly after: bigint | null;
    readonly upTo: bigint | null;
    readonly limit: bigint;
  },
  {
    readonly isolation: string;
    readonly upper: string;
    readonly first_id: bigint | null;
    readonly last_id: bigint | null;
    readonly scanned: bigint;
  }
>;

export declare const readTwins: Statement<
  {
    readonly collections: readonly string[];
    readonly codes: readonly string[];
  },
  {
    readonly collection_name: string;
    readonly code: string;
    readonly first_id: bigint;
    readonly births: bigint;
  }
>;

export declare const wideRows: Statement<
  {
    readonly horizon: string;
    readonly upper: string;
    readonly source: string;
    readonly nextXid: bigint;
    readonly countUpTo: bigint;
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
    readonly gap_first: bigint | null;
    readonly gap_last: bigint | null;
    readonly found: bigint;
  }
>;

export declare const wideRowsIn: Statement<
  {
    readonly horizon: string;
    readonly upper: string;
    readonly source: string;
    readonly nextXid: bigint;
    readonly first: bigint;
    readonly last: bigint;
    readonly countUpTo: bigint;
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
    readonly gap_first: bigint | null;
    readonly gap_last: bigint | null;
    readonly found: bigint;
  }
>;

export declare const countRows: Statement<
  Record<never, never>,
  {
    readonly births: bigint;
  }
>;

export declare const countRowsIn: Statement<
  {
    readonly first: bigint;
    readonly last: bigint;
  },
  {
    readonly births: bigint;
  }
>;

export declare const countSinceIn: Statement<
  {
    readonly horizon: string;
    readonly upper: string;
    readonly first: bigint;
    readonly last: bigint;
  },
  {
    readonly births: bigint;
    readonly since: bigint;
  }
>;

export declare const countKeylessIn: Statement<
  {
    readonly first: bigint;
    readonly last: bigint;
  },
  {
    readonly births: bigint;
  }
>;

export declare const olderSums: Statement<
  {
    readonly after: bigint | null;
    readonly last: bigint;
    readonly horizon: string;
    readonly upper: string;
    readonly collections: readonly string[];
    readonly except: readonly bigint[];
  },
  {
    readonly collection_name: string;
    readonly species_code: string | null;
    readonly status: string | null;
    readonly births: bigint;
    readonly max_id: bigint;
    readonly max_born_at: string;
    readonly h1: string;
    readonly h2: string;
  }
>;

export declare const olderRows: Statement<
  {
    readonly after: bigint | null;
    readonly last: bigint;
    readonly horizon: string;
    readonly upper: string;
    readonly collections: readonly string[];
    readonly except: readonly bigint[];
  },
  {
    readonly id: bigint;
    readonly collection_name: string;
    readonly code: string;
    readonly species_code: string | null;
    readonly status: string | null;
    readonly born_at: string;
    readonly h1: string;
    readonly h2: string;
  }
>;

export declare const memberStatuses: Template<
  'members',
  {
    readonly collections: readonly string[];
    readonly codes: readonly string[];
  },
  {
    readonly collection_name: string;
    readonly code: string;
    readonly status: string | null;
  }
>;

export declare const memberDigest: Template<
  'members',
  Record<never, never>,
  {
    readonly digest: string;
  }
>;
