// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readOpenFindings: Statement<
  {
    readonly keys: readonly string[];
    readonly types: readonly string[];
    readonly subjects: readonly string[] | null;
  },
  {
    readonly coalesce_key: string;
    readonly finding_type: string;
    readonly subject: string;
    readonly scope: string | null;
    readonly severity: string;
    readonly is_known: boolean;
    readonly is_open: boolean;
  }
>;
