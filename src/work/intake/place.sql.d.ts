// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const placeRows: Statement<
  {
    readonly collections: readonly string[];
    readonly codes: readonly string[];
  },
  {
    readonly n: bigint;
    readonly inventory_key: string | null;
    readonly species_code: string | null;
    readonly status: string | null;
  }
>;

export declare const collectionRows: Statement<
  Record<never, never>,
  {
    readonly object_class: string;
    readonly collection_name: string;
  }
>;
