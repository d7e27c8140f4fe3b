// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../db/index.js';

export declare const readWatchedRow: Statement<
  {
    readonly since: string | null;
  },
  {
    readonly watched_at: string | null;
    readonly fresh: boolean;
    readonly unwatched: boolean;
    readonly seconds: number;
  }
>;
