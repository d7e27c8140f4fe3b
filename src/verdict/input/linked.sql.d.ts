// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readOpenInput: Statement<
  {
    readonly types: readonly string[];
    readonly collections: readonly string[] | null;
  },
  {
    readonly subject: string;
    readonly finding_type: string;
    readonly cause: string;
    readonly issue_id: bigint;
  }
>;

export declare const linkInput: Statement<
  {
    readonly collections: readonly string[] | null;
    readonly subjects: readonly string[];
    readonly states: readonly string[];
    readonly causes: readonly string[];
    readonly issueIds: readonly bigint[];
    readonly at: string;
  },
  {
    readonly linked: bigint;
  }
>;
