// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const appendRows: Statement<
  {
    readonly entityTypes: readonly string[];
    readonly entityCodes: readonly string[];
    readonly actions: readonly string[];
    readonly details: readonly string[];
  },
  {
    readonly written: bigint;
  }
>;
