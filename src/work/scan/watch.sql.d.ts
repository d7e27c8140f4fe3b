// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readTrouble: Statement<
  {
    readonly at: string;
    readonly seconds: number;
  },
  {
    readonly what: string;
    readonly inventory_key: string;
    readonly object_class: string;
    readonly source_registry: string;
    readonly rows: bigint;
    readonly risk_class: string;
  }
>;
