// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../../db/index.js';

export declare const readOwn: Statement<
  Record<never, never>,
  {
    readonly types: boolean;
  }
>;

export declare const readMarks: Statement<
  Record<never, never>,
  {
    readonly types: readonly string[];
    readonly subscriptions: readonly string[];
  }
>;
