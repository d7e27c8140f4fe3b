// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readRows: Statement<
  Record<never, never>,
  {
    readonly measurement_id: string;
    readonly law_code: string;
    readonly source_query: string;
    readonly target_query: string;
    readonly comparison: string;
    readonly severity: string | null;
  }
>;

export declare const readFormer: Statement<
  {
    readonly types: readonly string[];
    readonly enabled: readonly string[];
  },
  {
    readonly subject: string;
  }
>;
