// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const linkInput: Statement<
  {
    readonly states: readonly string[];
    readonly types: readonly string[];
    readonly closedStatuses: readonly string[];
    readonly collections: readonly string[] | null;
    readonly at: string;
  },
  {
    readonly linked: bigint;
  }
>;
