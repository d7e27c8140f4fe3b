// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const linkGroups: Statement<
  {
    readonly parents: readonly string[];
    readonly inventoryKeys: readonly string[] | null;
    readonly at: string;
  },
  {
    readonly linked: bigint;
  }
>;

export declare const linkObjects: Statement<
  {
    readonly inventoryKeys: readonly string[] | null;
    readonly first: bigint;
    readonly last: bigint;
    readonly codes: readonly string[];
    readonly parents: readonly string[];
    readonly at: string;
  },
  {
    readonly linked: bigint;
  }
>;
