// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const countDirtied: Statement<
  {
    readonly at: string;
    readonly seconds: number;
  },
  {
    readonly dirtied: bigint;
  }
>;

export declare const countLive: Statement<
  Record<never, never>,
  {
    readonly total: bigint;
  }
>;
