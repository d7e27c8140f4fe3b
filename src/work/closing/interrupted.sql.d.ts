// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const endInterrupted: Statement<
  {
    readonly closing: boolean;
    readonly runId: string;
    readonly error: string;
  },
  {
    readonly run_id: string;
  }
>;

export declare const endDead: Statement<
  {
    readonly closing: boolean;
    readonly worker: string;
    readonly source: string;
    readonly error: string;
  },
  {
    readonly run_id: string;
  }
>;
