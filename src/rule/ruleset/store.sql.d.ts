// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const list: Statement<
  {
    readonly version: string | null;
    readonly activeOf: string | null;
    readonly after: string | null;
    readonly limit: bigint;
  },
  {
    readonly ruleset_version: string;
    readonly family: string;
    readonly status: string;
    readonly owner: string | null;
    readonly content_hash: string;
    readonly components: string;
    readonly created_at: string;
    readonly created_by: string;
    readonly activated_at: string | null;
    readonly activated_by: string | null;
    readonly activated_verified: boolean | null;
    readonly activated_level: string | null;
    readonly self_approved: boolean | null;
    readonly approval_ref: string | null;
    readonly plan_hash: string | null;
    readonly supersedes: string | null;
    readonly notes: string | null;
  }
>;

export declare const readBytes: Statement<
  {
    readonly versions: readonly string[];
  },
  {
    readonly ruleset_version: string;
    readonly content_hash: string;
    readonly bytes: string;
  }
>;
