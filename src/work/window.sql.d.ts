// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../db/index.js';

export declare const readWindowRow: Statement<
  {
    readonly from: string;
    readonly to: string;
  },
  {
    readonly opens_at: string | null;
    readonly closes_at: string | null;
    readonly next_at: string;
  }
>;
