// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readPlaces: Statement<
  {
    readonly id: bigint | null;
    readonly at: string | null;
    readonly single: readonly string[];
    readonly last: bigint;
  },
  {
    readonly collection_name: string;
    readonly species_code: string | null;
    readonly status: string | null;
  }
>;

export declare const readKeys: Statement<
  {
    readonly id: bigint | null;
    readonly at: string | null;
    readonly single: readonly string[];
    readonly last: bigint;
  },
  {
    readonly collection_name: string;
    readonly entity_code: string;
  }
>;

export declare const readLines: Statement<
  {
    readonly at: string;
  },
  {
    readonly source: string;
    readonly ref: string;
    readonly action: string;
    readonly kind_of: string | null;
    readonly code: string | null;
  }
>;
