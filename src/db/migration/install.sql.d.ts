// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../statement.js';

export declare const readFacts: Statement<
  {
    readonly trustSchema: string;
    readonly roles: readonly string[];
    readonly schema: string;
    readonly sourceRole: string;
  },
  {
    readonly login: string;
    readonly may_create_roles: boolean;
    readonly may_create_schema: boolean;
    readonly missing_roles: readonly string[];
    readonly tables: readonly string[];
    readonly is_home: boolean;
  }
>;
