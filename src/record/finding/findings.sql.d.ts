// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const list: Statement<
  {
    readonly type: string | null;
    readonly scope: string | null;
    readonly severity: string | null;
    readonly owner: string | null;
    readonly all: boolean;
    readonly after: string | null;
    readonly limit: bigint;
  },
  {
    readonly code: string;
    readonly type: string;
    readonly subject: string;
    readonly entity_type: string | null;
    readonly entity_code: string | null;
    readonly scope: string | null;
    readonly severity: string;
    readonly routes: readonly string[];
    readonly status: string | null;
    readonly occurrences: bigint;
    readonly first_seen_at: string | null;
    readonly last_seen_at: string | null;
  }
>;

export declare const countOpen: Statement<
  Record<never, never>,
  {
    readonly type: string;
    readonly severity: string;
    readonly findings: bigint;
  }
>;

export declare const listTypes: Statement<
  Record<never, never>,
  {
    readonly type: string;
  }
>;

export declare const occurringScopes: Statement<
  Record<never, never>,
  {
    readonly scope: string;
  }
>;

export declare const occurringRoutes: Statement<
  Record<never, never>,
  {
    readonly route: string;
  }
>;

export declare const show: Statement<
  {
    readonly code: string;
  },
  {
    readonly code: string;
    readonly issue_id: bigint;
    readonly key: string;
    readonly type: string;
    readonly family: string;
    readonly bucket: string;
    readonly event_type: string;
    readonly raised_when: string;
    readonly closed_when: string;
    readonly subject: string;
    readonly scope: string | null;
    readonly severity: string;
    readonly routes: readonly string[];
    readonly ruleset: string | null;
    readonly announced: boolean;
    readonly notified_at: string | null;
    readonly status: string | null;
    readonly host_severity: string | null;
    readonly entity_type: string | null;
    readonly entity_code: string | null;
    readonly occurrences: bigint;
    readonly reopens: bigint;
    readonly run_id: string | null;
    readonly first_seen_at: string | null;
    readonly last_seen_at: string | null;
    readonly evidence: string | null;
    readonly parent: string | null;
    readonly children: readonly string[];
  }
>;
