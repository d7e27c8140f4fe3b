// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readLapsed: Statement<
  {
    readonly at: string;
  },
  {
    readonly row_id: bigint;
  }
>;
