// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../db/index.js';

export declare const readTables: Statement<
  {
    readonly schema: string;
    readonly relations: readonly string[];
  },
  {
    readonly relation: string;
    readonly kind: string;
    readonly estimated_rows: bigint;
    readonly row_security_applies: boolean;
    readonly may_select: boolean;
    readonly may_insert: boolean;
    readonly may_update: boolean;
    readonly owner: string;
  }
>;

export declare const readColumns: Statement<
  {
    readonly schema: string;
    readonly relations: readonly string[];
  },
  {
    readonly relation: string;
    readonly column_name: string;
    readonly type_name: string;
    readonly family: string;
  }
>;

export declare const readServer: Statement<
  {
    readonly schema: string;
  },
  {
    readonly version_num: number;
    readonly version: string;
    readonly database: string;
    readonly login: string;
    readonly superuser: boolean;
    readonly encoding: string;
    readonly standby: boolean;
    readonly autovacuum: boolean;
    readonly old_snapshot_threshold: string;
    readonly max_connections: number;
    readonly schema_present: boolean;
    readonly may_create_tables: boolean;
    readonly may_create_roles: boolean;
  }
>;

export declare const readMemberRegistries: Statement<
  {
    readonly schema: string;
  },
  {
    readonly relation: string;
    readonly present: boolean;
  }
>;
