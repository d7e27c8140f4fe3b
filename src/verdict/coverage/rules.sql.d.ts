// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readShape: Statement<
  {
    readonly tables: readonly string[];
  },
  {
    readonly relation: string;
    readonly column_name: string;
  }
>;
