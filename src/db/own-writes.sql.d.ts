// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from './statement.js';

export declare const readWrites: Statement<
  Record<never, never>,
  {
    readonly tables: readonly string[] | null;
  }
>;
