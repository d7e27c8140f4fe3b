// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const knownKeys: Statement<
  {
    readonly keys: readonly string[];
  },
  {
    readonly coalesce_key: string;
  }
>;

export declare const write: Statement<
  {
    readonly keys: readonly string[];
    readonly types: readonly string[];
    readonly subjects: readonly string[];
    readonly scopes: readonly string[];
    readonly parents: readonly string[];
    readonly summaries: readonly boolean[];
    readonly entityTypes: readonly string[];
    readonly entityCodes: readonly string[];
    readonly severities: readonly string[];
    readonly routes: readonly string[];
    readonly evidence: readonly string[];
    readonly counts: readonly bigint[];
    readonly runId: string;
    readonly ruleset: string | null;
    readonly cleanTypes: readonly string[] | null;
    readonly cleanSubjects: readonly string[] | null;
    readonly cleanKeys: readonly string[] | null;
  },
  {
    readonly coalesce_key: string;
    readonly issue_code: string;
    readonly issue_id: bigint;
    readonly finding_type: string;
    readonly family: string;
    readonly event_type: string;
    readonly subject: string;
    readonly scope: string | null;
    readonly severity: string;
    readonly routes: readonly string[];
    readonly change: string;
    readonly notify: boolean;
    readonly occurrence_count: bigint;
  }
>;

export declare const anyOpen: Statement<
  {
    readonly types: readonly string[];
  },
  {
    readonly open: boolean;
  }
>;

export declare const openFindings: Statement<
  {
    readonly types: readonly string[];
  },
  {
    readonly coalesce_key: string;
    readonly subject: string;
    readonly is_summary: boolean;
  }
>;
