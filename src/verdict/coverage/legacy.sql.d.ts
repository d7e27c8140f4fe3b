// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readLegacyGroups: Statement<
  {
    readonly at: string;
    readonly days: number;
    readonly inventoryKeys: readonly string[] | null;
  },
  {
    readonly inventory_key: string;
    readonly until: string;
    readonly overdue: boolean;
  }
>;
