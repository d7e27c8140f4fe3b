// Owns the books of runs: one row per backfill or scan, from its beginning to its end, with what it looked at and what it proved.
import type { Transaction } from '../../../db/index.js';
import { storableText } from '../../../kernel/index.js';
import { candidateErrors } from '../errors.js';
import { begin, last, update } from './run.sql.js';

type RunKind = 'backfill' | 'scan';
export type ScanMode = 'event' | 'incremental' | 'full';
type RunStatus = 'running' | 'completed' | 'failed' | 'throttled';
type Json = Readonly<Record<string, unknown>>;

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
  readonly counts: Json;
  readonly proof: Json | null;
  readonly ledger: Json | null;
  readonly error: string | null;
}

export interface RunBeginning {
  readonly runId: string;
  readonly kind: RunKind;
  /** Of scans only. */
  readonly mode?: ScanMode;
  readonly at: string;
  readonly snapshotRef?: bigint;
  readonly rulesetVersion?: string;
  readonly phase?: string;
  readonly counts?: Json;
}

/** Anything left out stays as it is. */
export interface RunProgress {
  readonly at: string;
  readonly snapshotRef?: bigint;
  readonly closingSnapshotRef?: bigint;
  readonly rulesetVersion?: string;
  readonly phase?: string;
  readonly counts?: Json;
  readonly proof?: Json;
  readonly ledger?: Json;
}

/** Big integers as text: JSON cannot hold them. */
const asJson = (value: Json): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each));

/** Opens the books of a run. A run that has begun before goes on. */
export async function beginRun(tx: Transaction, run: RunBeginning): Promise<void> {
  const { runId, kind, mode = null, at, snapshotRef = null, rulesetVersion = null, phase = null } = run;
  const counts = asJson(run.counts ?? {});
  await tx.run(begin, { runId, kind, mode, at, snapshotRef, rulesetVersion, phase, counts });
}

async function write(
  tx: Transaction,
  runId: string,
  status: RunStatus,
  progress: RunProgress,
  error: string | null = null,
): Promise<void> {
  const { at, snapshotRef = null, closingSnapshotRef = null, rulesetVersion = null, phase = null } = progress;
  const optional = (value: Json | undefined) => (value === undefined ? null : asJson(value));
  const [row] = await tx.run(update, {
    runId,
    status,
    at,
    snapshotRef,
    closingSnapshotRef,
    rulesetVersion,
    phase,
    counts: optional(progress.counts),
    proof: optional(progress.proof),
    ledger: optional(progress.ledger),
    error,
  });
  if (row === undefined)
    throw candidateErrors.run_not_running(`there is no run \`${runId}\` that is running`);
}

export function finishRun(tx: Transaction, runId: string, progress: RunProgress): Promise<void> {
  return write(tx, runId, 'completed', progress);
}

/** Ends a run that could not do what it began: it failed, or was made to stop. */
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
}

/** Runs, the latest first. */
export async function readRuns(
  tx: Transaction,
  filter: RunFilter & { readonly limit?: number } = {},
): Promise<readonly Run[]> {
  const { runId = null, kind = null, status = null, limit = 50 } = filter;
  const parse = (text: string | null) => (text === null ? null : (JSON.parse(text) as Json));
  const rows = await tx.run(last, { runId, kind, status, limit: BigInt(limit) });
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

/** The latest run that fits. */
export async function readLastRun(tx: Transaction, filter: RunFilter = {}): Promise<Run | undefined> {
  return (await readRuns(tx, { ...filter, limit: 1 }))[0];
}
