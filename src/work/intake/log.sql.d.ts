// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readFactRows: Statement<
  {
    readonly sources: readonly string[];
  },
  {
    readonly source: string;
    readonly horizon: string;
    readonly upper: string;
    readonly next_xid: bigint;
    readonly system_identifier: string;
    readonly timeline: string;
    readonly files_seen: string;
    readonly files: string;
  }
>;

export declare const insertSeen: Statement<
  {
    readonly source: string;
    readonly refs: readonly string[];
    readonly xids: readonly bigint[];
  },
  Record<never, never>
>;

export declare const pruneSeen: Statement<
  {
    readonly source: string;
    readonly horizon: bigint | null;
  },
  Record<never, never>
>;

export declare const readChangelogLines: Statement<
  {
    readonly nextXid: bigint;
    readonly horizon: string;
    readonly upper: string;
    readonly source: string;
    readonly limit: bigint;
  },
  {
    readonly ref: string;
    readonly xid: bigint;
    readonly action: string;
    readonly kind_of: string | null;
    readonly code: string | null;
    readonly own: boolean;
  }
>;

export declare const readOutboxLines: Statement<
  {
    readonly nextXid: bigint;
    readonly horizon: string;
    readonly upper: string;
    readonly source: string;
    readonly limit: bigint;
  },
  {
    readonly ref: string;
    readonly xid: bigint;
    readonly action: string;
    readonly kind_of: string;
    readonly code: string | null;
    readonly own: boolean;
  }
>;

export declare const insertChangelogSeenSince: Statement<
  {
    readonly source: string;
    readonly nextXid: bigint;
    readonly horizon: string;
    readonly upper: string;
  },
  Record<never, never>
>;

export declare const insertOutboxSeenSince: Statement<
  {
    readonly source: string;
    readonly nextXid: bigint;
    readonly horizon: string;
    readonly upper: string;
  },
  Record<never, never>
>;

export declare const lockLogs: Statement<
  Record<never, never>,
  Record<never, never>
>;
