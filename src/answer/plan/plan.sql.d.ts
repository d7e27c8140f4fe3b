// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const matchGroups: Statement<
  {
    readonly activeScopes: readonly string[];
    readonly setNos: readonly number[];
    readonly scopes: readonly string[];
    readonly axisFamilies: readonly string[];
    readonly sourceRegistries: readonly string[];
    readonly classPatterns: readonly string[];
  },
  {
    readonly set_no: number;
    readonly groups: bigint;
  }
>;
