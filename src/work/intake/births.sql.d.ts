// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const findBadInput: Statement<
  {
    readonly collections: readonly string[];
    readonly codes: readonly string[];
  },
  {
    readonly collection_name: string;
    readonly entity_code: string;
  }
>;

export declare const readTouched: Statement<
  {
    readonly at: string;
  },
  {
    readonly inventory_key: string;
  }
>;
