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
    readonly pages: bigint;
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
    readonly limit: bigint;
  },
  {
    readonly lines: bigint;
  }
>;

export declare const readChangelogLines: Statement<
  {
    readonly nextXid: bigint;
    readonly first: bigint;
    readonly last: bigint;
    readonly horizon: string;
    readonly upper: string;
    readonly source: string;
    readonly countUpTo: bigint;
    readonly limit: bigint;
  },
  {
    readonly ref: string;
    readonly xid: bigint;
    readonly action: string;
    readonly kind_of: string | null;
    readonly code: string | null;
    readonly own: boolean;
    readonly found: bigint;
  }
>;

export declare const readOutboxLines: Statement<
  {
    readonly nextXid: bigint;
    readonly first: bigint;
    readonly last: bigint;
    readonly horizon: string;
    readonly upper: string;
    readonly source: string;
    readonly countUpTo: bigint;
    readonly limit: bigint;
  },
  {
    readonly ref: string;
    readonly xid: bigint;
    readonly action: string;
    readonly kind_of: string;
    readonly code: string | null;
    readonly own: boolean;
    readonly found: bigint;
  }
>;

export declare const rememberChangelog: Statement<
  {
    readonly source: string;
    readonly nextXid: bigint;
    readonly first: bigint;
    readonly last: bigint;
    readonly horizon: string;
    readonly upper: string;
    readonly limit: bigint;
  },
  {
    readonly lines: bigint;
  }
>;

export declare const rememberOutbox: Statement<
  {
    readonly source: string;
    readonly nextXid: bigint;
    readonly first: bigint;
    readonly last: bigint;
    readonly horizon: string;
    readonly upper: string;
    readonly limit: bigint;
  },
  {
    readonly lines: bigint;
  }
>;

export declare const lockLogs: Statement<
  Record<never, never>,
  Record<never, never>
>;
