// Owns the list of runs: backfills and scans, in pages.
import type { Transaction } from '../../db/index.js';
import { pageCursor, readCursor, requireKnown, requireLimit } from '../../kernel/index.js';
import {
  type Run,
  type RunKind,
  type RunStatus,
  readRuns,
  type ScanMode,
} from '../../verdict/candidate/index.js';

const RUN_KINDS = ['backfill', 'scan'] as const;
const RUN_STATUSES = ['running', 'completed', 'failed', 'throttled'] as const;
const SCAN_MODES = ['event', 'incremental', 'full'] as const;
const SERVER_TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/;

export interface RunListFilter {
  readonly kind?: RunKind;
  readonly status?: RunStatus;
  readonly mode?: ScanMode;
  /** Only the runs that can close a ledger: backfills and full scans. */
  readonly closings?: boolean;
  readonly limit?: number;
  /** `next` of the previous page. */
  readonly after?: string;
}

export interface RunPage {
  readonly runs: readonly Run[];
  readonly next: string | null;
}

/** Runs of all kinds, latest first. */
export async function pageRuns(tx: Transaction, filter: RunListFilter): Promise<RunPage> {
  const { after, limit: given = 50, ...of } = filter;
  if (of.kind !== undefined) requireKnown(of.kind, { what: 'kind', known: RUN_KINDS });
  if (of.status !== undefined) requireKnown(of.status, { what: 'status', known: RUN_STATUSES });
  if (of.mode !== undefined) requireKnown(of.mode, { what: 'mode', known: SCAN_MODES });
  const limit = requireLimit(given);
  const [at, id] = readCursor(after, [SERVER_TIME, /^/]) ?? [];
  const begin = at === undefined || id === undefined ? {} : { after: [at, id] as const };
  const found = await readRuns(tx, { ...of, ...begin, limit: limit + 1 });
  const runs = found.slice(0, limit);
  const last = runs.at(-1);
  const next = found.length > limit && last !== undefined ? pageCursor([last.startedAt, last.runId]) : null;
  return { runs, next };
}
