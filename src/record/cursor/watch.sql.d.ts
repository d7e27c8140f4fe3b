// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readTroubles: Statement<
  {
    readonly at: string;
    readonly quietSeconds: number;
  },
  {
    readonly worker: string;
    readonly source: string;
    readonly round: string;
    readonly regressed_at: string | null;
    readonly quiet: boolean;
  }
>;
