// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../../db/index.js';

export declare const countSources: Statement<
  {
    readonly first: bigint;
    readonly last: bigint;
    readonly collections: readonly string[] | null;
  },
  {
    readonly collection_name: string;
    readonly species_code: string | null;
    readonly dot_origin: string | null;
    readonly births: bigint;
  }
>;

export declare const findFrom: Statement<
  {
    readonly collections: readonly string[];
    readonly origins: readonly (string | null)[];
    readonly first: bigint;
    readonly last: bigint;
  },
  {
    readonly collection_name: string;
    readonly entity_code: string;
  }
>;

export declare const findUnvouched: Statement<
  {
    readonly first: bigint;
    readonly last: bigint;
    readonly origins: readonly string[];
    readonly sources: readonly string[];
  },
  {
    readonly collection_name: string;
  }
>;

export declare const readCollections: Statement<
  Record<never, never>,
  {
    readonly collection_name: string;
    readonly object_class: string;
  }
>;

export declare const collectionsOf: Statement<
  {
    readonly inventoryKeys: readonly string[];
  },
  {
    readonly collection_name: string;
  }
>;
