// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readDrifted: Statement<
  {
    readonly scopes: readonly string[];
    readonly after: bigint | null;
  },
  {
    readonly last_id: bigint | null;
    readonly keys: readonly string[];
  }
>;

export declare const noteWatched: Statement<
  {
    readonly worker: string;
    readonly source: string;
    readonly fence: bigint;
  },
  {
    readonly watched_at: string;
  }
>;
