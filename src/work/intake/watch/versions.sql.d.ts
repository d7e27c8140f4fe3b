// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../../db/index.js';

export declare const plainTables: Statement<
  {
    readonly names: readonly string[];
  },
  {
    readonly name: string;
    readonly structure: string;
  }
>;
