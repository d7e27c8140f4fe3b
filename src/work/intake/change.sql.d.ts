// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readInventoryRows: Statement<
  {
    readonly keys: readonly string[];
  },
  {
    readonly inventory_key: string;
    readonly object_class: string;
    readonly source_registry: string;
  }
>;

export declare const readWindow: Statement<
  {
    readonly at: string;
    readonly seconds: number;
  },
  {
    readonly window_no: bigint;
  }
>;
