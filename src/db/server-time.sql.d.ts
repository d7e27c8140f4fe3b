// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from './statement.js';

export declare const readTime: Statement<
  Record<never, never>,
  {
    readonly at: string;
  }
>;
