// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const insertSeenRows: Statement<
  {
    readonly source: string;
    readonly ids: readonly bigint[];
    readonly xids: readonly bigint[];
  },
  Record<never, never>
>;

export declare const pruneSeenRows: Statement<
  {
    readonly source: string;
    readonly horizon: bigint | null;
  },
  Record<never, never>
>;

export declare const insertGapRows: Statement<
  {
    readonly source: string;
    readonly noted: bigint;
    readonly first: readonly bigint[];
    readonly last: readonly bigint[];
  },
  Record<never, never>
>;

export declare const deleteGapRows: Statement<
  {
    readonly source: string;
    readonly first: readonly bigint[] | null;
  },
  Record<never, never>
>;

export declare const capGapRows: Statement<
  {
    readonly source: string;
    readonly keep: bigint;
  },
  Record<never, never>
>;

export declare const readSizeRow: Statement<
  {
    readonly source: string;
  },
  {
    readonly seen: bigint;
    readonly gaps: bigint;
  }
>;

export declare const insertSeenSince: Statement<
  {
    readonly source: string;
    readonly nextXid: bigint;
    readonly horizon: string;
    readonly upper: string;
    readonly limit: bigint;
  },
  Record<never, never>
>;

export declare const insertSeenSinceIn: Statement<
  {
    readonly source: string;
    readonly nextXid: bigint;
    readonly horizon: string;
    readonly upper: string;
    readonly first: bigint;
    readonly last: bigint;
    readonly limit: bigint;
  },
  Record<never, never>
>;
