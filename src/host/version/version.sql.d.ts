// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readStructure: Statement<
  {
    readonly tables: readonly string[];
  },
  {
    readonly structure: string;
    readonly plain: readonly string[];
    readonly found: bigint;
  }
>;
