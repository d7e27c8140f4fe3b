// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const endInterrupted: Statement<
  {
    readonly at: string;
    readonly runId: string;
  },
  {
    readonly run_id: string;
  }
>;
