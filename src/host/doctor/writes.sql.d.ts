// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readTriggers: Statement<
  {
    readonly schema: string;
    readonly relations: readonly string[];
  },
  {
    readonly relation: string;
    readonly trigger_name: string;
    readonly timing: string;
    readonly function_name: string;
  }
>;
