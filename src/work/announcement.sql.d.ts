// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../db/index.js';

export declare const readSubjects: Statement<
  {
    readonly keys: readonly string[];
  },
  {
    readonly coalesce_key: string;
    readonly entity_type: string | null;
    readonly entity_code: string | null;
    readonly is_summary: boolean;
    readonly parent_issue_id: string | null;
    readonly registry: string | null;
    readonly link: string | null;
    readonly facts: string | null;
    readonly groups: bigint;
    readonly group_key: string | null;
    readonly candidate_verdict: string | null;
    readonly ruleset_version: string | null;
    readonly source_snapshot_ref: string | null;
    readonly dirty_reason: string | null;
  }
>;
