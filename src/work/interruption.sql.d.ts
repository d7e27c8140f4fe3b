// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../db/index.js';

export declare const readCompletion: Statement<
  Record<never, never>,
  {
    readonly begun: boolean;
    readonly completed: boolean;
    readonly closed: boolean;
  }
>;
