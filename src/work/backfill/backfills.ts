// Owns the public operations on the backfill: run it, report its progress, and prove it again.
import { randomUUID } from 'node:crypto';
import { type Database, isConnectionLoss, type Transaction } from '../../db/index.js';
import type { Installation } from '../../host/index.js';
import { type Announce, boundsOf } from '../../inventory/snapshot/index.js';
import { readHolder } from '../../record/cursor/index.js';
import { failRun, type Run, readLastRun } from '../../verdict/candidate/index.js';
import { type Proof, parseProof, stopIfRequested, takeLeases } from '../closing/index.js';
import { runBackfill } from './backfill.js';
import type { BackfillContext } from './context.js';
import { readCounts } from './counts.js';
import { backfillErrors } from './errors.js';
import { type BackfillPreview, type PreviewProgress, previewBackfill } from './preview/preview.js';
import type { BackfillPhase, BackfillProgress, BackfillReport } from './report.js';
import {
  BACKFILL,
  MOST_PARTS,
  PARTS_PER_LANE,
  readBackfillState,
  roundsFor,
  WORTH_TWO_LANES,
} from './state.js';
import { verifyBackfill } from './verify.js';

export interface BackfillOptions {
  /** Maximum births per second. */
  readonly rate?: number;
  /** Sweeps at once, also outside of the window of `backfill.pace`. */
  readonly now?: boolean;
  /** How many id ranges are swept in parallel; by default two for a large table. */
  readonly parts?: number;
  /** Aborting it ends the run after the current batch; the next run resumes there. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: BackfillProgress) => void;
  readonly leaseTtlMs?: number;
  /**
   * How long the comparison with the independent recount may hold a snapshot; beyond it nothing is verified.
   * Default: one minute, and one more for every 20 million births.
   */
  readonly holdMs?: number;
}

export interface BackfillStatus {
  /** Null: no backfill has begun. */
  readonly phase: BackfillPhase | null;
  readonly holder: string | null;
  readonly swept: bigint;
  readonly births: bigint;
  readonly retrying: bigint;
  readonly deadLettered: bigint;
  readonly run:
    | (Pick<Run, 'runId' | 'status' | 'startedAt' | 'finishedAt' | 'error'> & {
        readonly proof: Proof | null;
      })
    | null;
}

/** Connections that a run needs besides those of the sweep. */
const BESIDE = 2;
const READ_ONLY = { isolation: 'repeatable read', readOnly: true } as const;

export class Backfills {
  readonly #db: Database;
  readonly #installation: Installation;
  readonly #announce: Announce;

  /** @internal */
  constructor(db: Database, installation: Installation, announce: Announce) {
    this.#db = db;
    this.#installation = installation;
    this.#announce = announce;
  }

  /** Takes in all births so far, or resumes an earlier run, and proves the result. */
  async run(options: BackfillOptions = {}): Promise<BackfillReport> {
    const lanes = await this.#lanes(options.parts);
    const parts = lanes === 1 ? 1 : Math.min(MOST_PARTS, lanes * PARTS_PER_LANE);
    return this.#underLeases(options, `backfill-${randomUUID()}`, { lanes, parts }, async (context) => {
      try {
        return await runBackfill(context, parts);
      } catch (error) {
        await this.#noteFailure(context.runId, error);
        throw error;
      }
    });
  }

  /** What a run would do now, by the same functions, in one read-only snapshot. Writes nothing. */
  async preview(
    options: { readonly onProgress?: (progress: PreviewProgress) => void } = {},
  ): Promise<BackfillPreview> {
    await this.#installation.requireInstalled();
    const { onProgress = () => undefined } = options;
    return this.#db.transaction(READ_ONLY, (tx) =>
      previewBackfill(tx, {
        schema: this.#db.schema,
        limitMs: this.#db.statementTimeoutMs,
        onProgress,
      }),
    );
  }

  /** Compares the running fingerprints with the births again; repairs nothing. */
  async verify(signal?: AbortSignal): Promise<{ readonly proof: Proof; readonly elapsedMs: number }> {
    const started = performance.now();
    const state = await this.#look(readBackfillState);
    if (state?.phase !== 'tailing') throw backfillErrors.backfill_absent('no backfill has been completed');
    const proof = await this.#underLeases(
      signal === undefined ? {} : { signal },
      `verify-${randomUUID()}`,
      { lanes: 1, parts: 1 },
      verifyBackfill,
    );
    return { proof, elapsedMs: Math.round(performance.now() - started) };
  }

  async status(): Promise<BackfillStatus> {
    await this.#installation.requireInstalled();
    return this.#look(async (tx) => {
      const state = await readBackfillState(tx);
      const { retrying, deadLettered } = await readCounts(tx);
      const run = (await readLastRun(tx, { kind: 'backfill' })) ?? null;
      return {
        phase: state?.phase ?? null,
        holder: await readHolder(tx, BACKFILL),
        swept: state?.scanned ?? 0n,
        births: state?.births ?? 0n,
        retrying,
        deadLettered,
        run: run && { ...pick(run), proof: parseProof(run.proof) },
      };
    });
  }

  /**
   * The requested number, limited by the connections left besides the two that renew leases and read all
   * births.
   */
  async #lanes(requested: number | undefined): Promise<number> {
    const most = Math.max(1, Math.min(MOST_PARTS, this.#db.poolSize - BESIDE));
    if (requested !== undefined) return Math.min(requested, most);
    const { first, last } = (await this.#look(boundsOf)) ?? { first: 0n, last: 0n };
    return last - first < WORTH_TWO_LANES ? 1 : Math.min(2, most);
  }

  #look<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#db.transaction(READ_ONLY, work);
  }

  async #underLeases<T>(
    options: BackfillOptions,
    runId: string,
    { lanes, parts }: { readonly lanes: number; readonly parts: number },
    work: (context: BackfillContext) => Promise<T>,
  ): Promise<T> {
    await this.#installation.requireInstalled();
    const signal = options.signal ?? new AbortController().signal;
    const onProgress = options.onProgress ?? (() => undefined);
    const leases = await takeLeases(this.#db, {
      rounds: roundsFor(parts),
      ttlMs: options.leaseTtlMs,
      signal,
      onWait: (worker) =>
        onProgress({ step: 'pause', done: 0, total: 1, note: `waiting for the lease of ${worker}` }),
    });
    const { lease, intake } = leases;
    const report = (progress: BackfillProgress): void => {
      leases.noteProgress(`${runId} ${progress.step} ${progress.done}`);
      onProgress(progress);
    };
    try {
      return await work({
        db: this.#db,
        announce: this.#announce,
        runId,
        lease,
        intake,
        signal: AbortSignal.any([signal, lease.lost, intake.lost]),
        rate: options.rate,
        now: options.now === true,
        lanes,
        holdMs: options.holdMs,
        snapshotKind: 'backfill',
        onProgress: report,
        onReconcile: (done, total) => report({ step: 'reconcile', done, total }),
        stopIfRequested: () => stopIfRequested(signal, [lease, intake]),
      });
    } finally {
      await leases.release();
    }
  }

  /** Records the failure in the row of the run, unless the connection is lost. */
  async #noteFailure(runId: string, error: unknown): Promise<void> {
    if (isConnectionLoss(error)) return;
    const message = error instanceof Error ? error.message : String(error);
    await this.#db
      .transaction({ isolation: 'read committed', retries: 5 }, (tx) =>
        failRun(tx, runId, { error: message }),
      )
      // A cancelled session cannot write, and an early failure has no row yet. The caller gets the first
      // error.
      .catch(() => undefined);
  }
}

const pick = ({ runId, status, startedAt, finishedAt, error }: Run) => ({
  runId,
  status,
  startedAt,
  finishedAt,
  error,
});
