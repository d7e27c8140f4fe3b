// Owns the run record: one row per backfill or scan, from start to end, with its counts and its proof.
import type { Transaction } from '../../../db/index.js';
import { storableText, toWire } from '../../../kernel/index.js';
import { candidateErrors } from '../errors.js';
import { begin, last, update } from './run.sql.js';

export type RunKind = 'backfill' | 'scan';
export type ScanMode = 'event' | 'incremental' | 'full';
export type RunStatus = 'running' | 'completed' | 'failed' | 'throttled';
/** JSON of a run record. */
export type RunJson = Readonly<Record<string, unknown>>;

export interface Run {
  readonly runId: string;
  readonly kind: RunKind;
  readonly mode: ScanMode | null;
  readonly status: RunStatus;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly snapshotRef: bigint | null;
  readonly closingSnapshotRef: bigint | null;
  readonly rulesetVersion: string | null;
  readonly phase: string | null;
  readonly counts: RunJson;
  readonly proof: RunJson | null;
  readonly ledger: RunJson | null;
  readonly error: string | null;
}

export interface RunBeginning {
  readonly runId: string;
  readonly kind: RunKind;
  /** Only for scans. */
  readonly mode?: ScanMode;
  readonly snapshotRef?: bigint;
  readonly rulesetVersion?: string;
  readonly phase?: string;
  readonly counts?: RunJson;
}

/** An omitted value stays unchanged. */
export interface RunProgress {
  readonly snapshotRef?: bigint;
  readonly closingSnapshotRef?: bigint;
  readonly rulesetVersion?: string;
  readonly phase?: string;
  readonly counts?: RunJson;
  readonly proof?: RunJson;
  readonly ledger?: RunJson;
}

const asJson = (value: RunJson): string => JSON.stringify(toWire(value));

/** Creates the run record. A run that already exists continues. */
export async function beginRun(tx: Transaction, run: RunBeginning): Promise<void> {
  const { runId, kind, mode = null, snapshotRef = null, rulesetVersion = null, phase = null } = run;
  const counts = asJson(run.counts ?? {});
  await tx.one(begin, { runId, kind, mode, snapshotRef, rulesetVersion, phase, counts });
}

async function write(
  tx: Transaction,
  runId: string,
  status: RunStatus,
  progress: RunProgress,
  error: string | null = null,
): Promise<void> {
  const { snapshotRef = null, closingSnapshotRef = null, rulesetVersion = null, phase = null } = progress;
  const optional = (value: RunJson | undefined) => (value === undefined ? null : asJson(value));
  const { written } = await tx.one(update, {
    runId,
    status,
    snapshotRef,
    closingSnapshotRef,
    rulesetVersion,
    phase,
    counts: optional(progress.counts),
    proof: optional(progress.proof),
    ledger: optional(progress.ledger),
    error,
  });
  if (!written) throw candidateErrors.run_not_running(`run \`${runId}\` is not running`);
}

export function finishRun(tx: Transaction, runId: string, progress: RunProgress): Promise<void> {
  return write(tx, runId, 'completed', progress);
}

/** Ends a run that did not complete: it failed or was throttled. */
export function failRun(
  tx: Transaction,
  runId: string,
  progress: RunProgress & { readonly error: string; readonly status?: 'failed' | 'throttled' },
): Promise<void> {
  return write(tx, runId, progress.status ?? 'failed', progress, storableText(progress.error));
}

export interface RunFilter {
  readonly runId?: string;
  readonly kind?: RunKind;
  readonly status?: RunStatus;
  readonly mode?: ScanMode;
  /** Only the runs that can close a ledger: backfills and full scans. */
  readonly closings?: boolean;
  /** The start and the id of the last run of the previous page. */
  readonly after?: readonly [startedAt: string, runId: string];
}

/** Runs, latest first. */
export async function readRuns(
  tx: Transaction,
  filter: RunFilter & { readonly limit?: number } = {},
): Promise<readonly Run[]> {
  const { runId = null, kind = null, status = null, mode = null, closings = false, limit = 50 } = filter;
  const [afterAt = null, afterId = null] = filter.after ?? [];
  const parse = (text: string | null) => (text === null ? null : (JSON.parse(text) as RunJson));
  const rows = await tx.run(last, {
    ...{ runId, kind, status, mode, closings, afterAt, afterId },
    limit: BigInt(limit),
  });
  return rows.map((row) => ({
    runId: row.run_id,
    kind: row.kind as RunKind,
    mode: row.mode as ScanMode | null,
    status: row.status as RunStatus,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    snapshotRef: row.source_snapshot_ref,
    closingSnapshotRef: row.closing_snapshot_ref,
    rulesetVersion: row.ruleset_version,
    phase: row.phase,
    counts: parse(row.counts) ?? {},
    proof: parse(row.proof),
    ledger: parse(row.ledger),
    error: row.error,
  }));
}

/** The latest run that matches. */
export async function readLastRun(tx: Transaction, filter: RunFilter = {}): Promise<Run | undefined> {
  return (await readRuns(tx, { ...filter, limit: 1 }))[0];
}
