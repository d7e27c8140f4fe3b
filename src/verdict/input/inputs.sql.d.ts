// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const listRows: Statement<
  {
    readonly after: string | null;
    readonly state: string | null;
    readonly collection: string | null;
    readonly code: string | null;
    readonly limit: bigint;
  },
  {
    readonly subject_key: string;
    readonly collection_name: string;
    readonly entity_code: string | null;
    readonly input_state: string;
    readonly cause: string;
    readonly scopes: readonly string[] | null;
    readonly since: string;
    readonly relapses: number;
    readonly quarantined_at: string | null;
    readonly quarantined_by: string | null;
    readonly quarantine_reason: string | null;
    readonly pending: boolean;
  }
>;

export declare const findSubject: Statement<
  {
    readonly key: string;
  },
  {
    readonly subject_key: string;
  }
>;

export declare const listCollections: Statement<
  Record<never, never>,
  {
    readonly collection: string;
  }
>;

export declare const codeExists: Statement<
  {
    readonly code: string;
    readonly collection: string | null;
  },
  {
    readonly known: boolean;
  }
>;

export declare const listOrigins: Statement<
  Record<never, never>,
  {
    readonly source: string;
  }
>;

export declare const countStates: Statement<
  Record<never, never>,
  {
    readonly input_state: string;
    readonly subjects: bigint;
  }
>;

export declare const listTrust: Statement<
  {
    readonly source: string | null;
    readonly limit: bigint;
  },
  {
    readonly source_kind: string;
    readonly source: string;
    readonly scope: string;
    readonly level: string;
    readonly reason: string | null;
    readonly set_by: string;
    readonly login: string | null;
    readonly verified: boolean | null;
    readonly set_at: string;
    readonly pending: boolean;
  }
>;
