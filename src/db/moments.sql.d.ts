// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from './statement.js';

export declare const exportMoment: Statement<
  Record<never, never>,
  {
    readonly snapshot: string;
    readonly content: string;
    readonly at: string;
  }
>;

export declare const readImported: Statement<
  {
    readonly at: string;
  },
  {
    readonly content: string;
    readonly age_seconds: number;
  }
>;
