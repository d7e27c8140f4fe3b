// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../db/index.js';

export declare const readChecks: Statement<
  {
    readonly relations: readonly string[];
    readonly columns: readonly string[];
    readonly schema: string;
  },
  {
    readonly relation: string;
    readonly column_name: string;
    readonly expressions: readonly string[];
  }
>;
