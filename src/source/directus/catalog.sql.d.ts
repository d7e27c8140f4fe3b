// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const findProjects: Statement<
  Record<never, never>,
  {
    readonly schema: string;
    readonly may_use: boolean;
  }
>;

export declare const readTables: Statement<
  {
    readonly schema: string;
    readonly tables: readonly string[];
  },
  {
    readonly table_name: string;
    readonly column_name: string;
    readonly may_read: boolean;
    readonly login: string;
  }
>;
