// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const advanceCursor: Statement<
  {
    readonly worker: string;
    readonly source: string;
    readonly round: string;
    readonly fence: bigint;
    readonly moves: boolean;
    readonly watermarkId: string | null;
    readonly horizon: string | null;
    readonly eventsSeen: bigint;
    readonly attemptsWritten: bigint;
    readonly phase: string | null;
    readonly summary: string | null;
    readonly metadata: string | null;
  },
  {
    readonly advanced: boolean;
  }
>;

export declare const noteRegressionRow: Statement<
  {
    readonly worker: string;
    readonly source: string;
    readonly round: string;
    readonly fence: bigint;
  },
  {
    readonly noted: boolean;
  }
>;

export declare const resetCursorRow: Statement<
  {
    readonly worker: string;
    readonly source: string;
    readonly round: string;
    readonly fence: bigint | null;
    readonly watermarkId: string | null;
    readonly horizon: string | null;
    readonly reason: string;
  },
  {
    readonly reset: boolean;
  }
>;

export declare const readCursorRows: Statement<
  {
    readonly worker: string | null;
    readonly source: string | null;
    readonly round: string | null;
  },
  {
    readonly worker: string;
    readonly source: string;
    readonly round: string;
    readonly watermark_id: string | null;
    readonly id_type: string;
    readonly horizon: string | null;
    readonly fence: bigint;
    readonly events_seen: bigint;
    readonly attempts_written: bigint;
    readonly dead_lettered: bigint;
    readonly phase: string | null;
    readonly last_run_at: string | null;
    readonly last_run_summary: string;
    readonly metadata: string;
    readonly regressed_at: string | null;
  }
>;
