// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const markFailed: Statement<
  {
    readonly at: string;
    readonly inventoryKeys: readonly string[];
  },
  {
    readonly marked: bigint;
  }
>;

export declare const readPlaces: Statement<
  {
    readonly inventoryKeys: readonly string[];
  },
  {
    readonly inventory_key: string;
    readonly source_registry: string;
    readonly object_class: string;
  }
>;
