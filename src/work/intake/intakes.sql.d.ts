// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const countWaiting: Statement<
  Record<never, never>,
  {
    readonly retrying: bigint;
    readonly dead_lettered: bigint;
    readonly dirty_groups: bigint;
    readonly dirty_objects: bigint;
  }
>;
