// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const mark: Statement<
  {
    readonly reason: string;
    readonly inventoryKeys: readonly string[] | null;
    readonly scopes: readonly string[] | null;
    readonly axisFamilies: readonly string[] | null;
    readonly collections: readonly string[] | null;
    readonly owners: readonly string[] | null;
    readonly classPatterns: readonly string[] | null;
    readonly at: string;
  },
  {
    readonly group_key: string;
    readonly inventory_key: string;
    readonly scope: string;
    readonly fresh: boolean;
  }
>;

export declare const markObjects: Statement<
  {
    readonly after: bigint;
    readonly reason: string;
    readonly inventoryKeys: readonly string[] | null;
    readonly hitKeys: readonly string[];
    readonly hitScopes: readonly string[];
    readonly scopes: readonly string[] | null;
    readonly axisFamilies: readonly string[] | null;
    readonly collections: readonly string[] | null;
    readonly owners: readonly string[] | null;
    readonly classPatterns: readonly string[] | null;
    readonly limit: bigint;
    readonly at: string;
  },
  {
    readonly objects: bigint;
    readonly last_id: bigint | null;
  }
>;

export declare const markKeys: Statement<
  {
    readonly collections: readonly string[];
    readonly codes: readonly string[];
    readonly reason: string;
    readonly at: string;
  },
  {
    readonly objects: bigint;
  }
>;

export declare const markThese: Statement<
  {
    readonly rowIds: readonly bigint[];
    readonly reasons: readonly string[];
    readonly at: string;
  },
  {
    readonly marked: bigint;
  }
>;

export declare const dependents: Statement<
  {
    readonly inventoryKeys: readonly string[] | null;
    readonly scopes: readonly string[] | null;
    readonly axisFamilies: readonly string[] | null;
    readonly collections: readonly string[] | null;
    readonly owners: readonly string[] | null;
    readonly classPatterns: readonly string[] | null;
  },
  {
    readonly group_key: string;
    readonly inventory_key: string;
    readonly scope: string;
  }
>;
