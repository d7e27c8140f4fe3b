// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const countRows: Statement<
  Record<never, never>,
  {
    readonly groups: bigint;
    readonly object_rows: bigint;
    readonly objects: bigint;
  }
>;

export declare const countFailed: Statement<
  Record<never, never>,
  {
    readonly retrying: bigint;
    readonly dead: bigint;
  }
>;

export declare const countVerdicts: Statement<
  Record<never, never>,
  {
    readonly relevant: bigint;
    readonly orphans: bigint;
    readonly exceptions: bigint;
    readonly retired: bigint;
    readonly class_0: bigint;
    readonly deferred_birth: bigint;
    readonly failed: bigint;
  }
>;
