// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readFactsRow: Statement<
  Record<never, never>,
  {
    readonly isolation: string;
    readonly horizon: string;
    readonly upper: string;
    readonly next_xid: bigint;
    readonly system_identifier: string;
    readonly timeline: string;
    readonly files_seen: string;
    readonly files: string;
    readonly pages: bigint;
    readonly at: string;
    readonly unreadable: readonly string[];
  }
>;

export declare const lockBirths: Statement<
  Record<never, never>,
  Record<never, never>
>;
