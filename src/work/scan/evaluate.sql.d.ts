// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readDueObjects: Statement<
  {
    readonly inventoryKeys: readonly string[];
    readonly at: string;
    readonly rulesetVersion: string;
  },
  {
    readonly birth_id: bigint | null;
    readonly collection_name: string;
    readonly entity_code: string;
  }
>;

export declare const readNamed: Statement<
  {
    readonly collections: readonly string[];
    readonly codes: readonly string[];
    readonly inventoryKeys: readonly string[];
  },
  {
    readonly collection_name: string;
    readonly entity_code: string;
    readonly birth_id: bigint;
  }
>;

export declare const readUnevaluated: Statement<
  {
    readonly inventoryKeys: readonly string[];
  },
  {
    readonly inventory_key: string;
  }
>;
