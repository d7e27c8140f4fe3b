// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readDangling: Statement<
  Record<never, never>,
  {
    readonly snapshot_ref: bigint;
    readonly rows: bigint;
    readonly high_risk: boolean;
  }
>;

export declare const markDangling: Statement<
  {
    readonly at: string;
  },
  {
    readonly marked: bigint;
  }
>;

export declare const findRetired: Statement<
  Record<never, never>,
  {
    readonly inventory_key: string;
  }
>;

export declare const citeRetired: Statement<
  {
    readonly at: string;
    readonly inventoryKeys: readonly string[];
  },
  {
    readonly cited: bigint;
  }
>;
