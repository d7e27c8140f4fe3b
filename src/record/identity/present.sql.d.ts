// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const present: Statement<
  {
    readonly names: readonly string[];
    readonly values: readonly string[];
    readonly credential: string;
    readonly permission: string;
    readonly scope: string | null;
    readonly owner: string | null;
  },
  {
    readonly settings: bigint;
    readonly token_id: string;
  }
>;
