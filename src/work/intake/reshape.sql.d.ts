// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const cleanKeys: Statement<
  Record<never, never>,
  {
    readonly inventory_key: string;
  }
>;

export declare const coveredKeys: Statement<
  Record<never, never>,
  {
    readonly inventory_key: string;
  }
>;

export declare const rowlessKeys: Statement<
  {
    readonly scopes: readonly string[];
  },
  {
    readonly inventory_key: string;
  }
>;
