// Owns the public operations on scans: run one, and report the backlog.
import { randomUUID } from 'node:crypto';
import { type Database, type Prober, readServerTime } from '../../db/index.js';
import type { Installation } from '../../host/index.js';
import type { Announce } from '../../inventory/snapshot/index.js';
import { acquireLease, holderName, type Lease, readHolder } from '../../record/cursor/index.js';
import { type Run, readLastRun, readRuns, type ScanMode } from '../../verdict/candidate/index.js';
import type { Ledger } from '../../verdict/ledger/index.js';
import {
  endInterruptedScans,
  MAIN_ROUND,
  type Proof,
  stopIfRequested,
  takeLeases,
  WALK_ROUND,
} from '../closing/index.js';
import { SCAN } from '../follow/index.js';
import { INTAKE_LEASE } from '../intake/index.js';
import type { SyncFindings } from '../supervision.js';
import { type Backlog, readBacklog } from './backlog.js';
import { scanErrors } from './errors.js';
import { NOTHING_SCANNED, type ScanCounts } from './evaluate.js';
import { readUnneeded } from './exceptions.js';
import { scanAll } from './full.js';
import { pageRuns, type RunListFilter, type RunPage } from './runs.js';
import { noteFailure, scanWaiting, type WaitingMode } from './scan.js';
import { recordUngroupedChecks } from './ungrouped.js';

export interface ScanProgress {
  readonly step: 'groups' | 'detectors' | 'search' | 'reconcile' | 'pause';
  readonly done: number;
  readonly total: number;
  readonly note?: string;
}

export interface ScanOptions {
  readonly mode: ScanMode;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ScanProgress) => void;
  readonly leaseTtlMs?: number;
}

export interface ScanReport {
  readonly runId: string;
  readonly mode: ScanMode;
  /** Why the whole backlog was evaluated in one pass; null: it was not. */
  readonly widened: string | null;
  /** Why groups were left to later scans; null: none were. */
  readonly throttled: string | null;
  readonly rulesetVersion: string;
  readonly snapshotId: bigint;
  readonly lookedAt: number;
  readonly cutOff: number;
  readonly evaluated: number;
  /** Rows whose verdict or outcome is another than before. */
  readonly changed: number;
  /** Those of a full scan that were valid before, and that no change of the host explains. */
  readonly contradicted: number;
  /** Inventory groups that could not be evaluated: the gate blocks them, and they are retried. */
  readonly failed: number;
  /** Exceptions in force that no row needs any more. */
  readonly exceptionsNotNeeded: readonly string[];
  readonly findings: { readonly raised: number; readonly resolved: number; readonly reopened: number };
  /** Full scans only. */
  readonly detectors: {
    readonly passed: number;
    readonly violated: number;
    readonly notEvaluated: number;
  } | null;
  readonly proof: Proof | null;
  readonly ledger: Ledger | null;
  readonly elapsedMs: number;
}

export interface ScanStatus extends Backlog {
  readonly holder: string | null;
  readonly runs: readonly Run[];
}

const READ_ONLY = { isolation: 'repeatable read', readOnly: true } as const;

function reportOf(
  base: Pick<
    ScanReport,
    'runId' | 'mode' | 'widened' | 'throttled' | 'rulesetVersion' | 'snapshotId' | 'exceptionsNotNeeded'
  >,
  counts: ScanCounts,
  started: number,
  full?: Pick<ScanReport, 'contradicted' | 'detectors' | 'proof' | 'ledger'>,
): ScanReport {
  const { raised, resolved, reopened } = counts;
  return {
    ...base,
    lookedAt: counts.lookedAt,
    cutOff: counts.cutOff,
    evaluated: counts.evaluated,
    changed: counts.changed,
    contradicted: full?.contradicted ?? 0,
    failed: counts.failed,
    findings: { raised, resolved, reopened },
    detectors: full?.detectors ?? null,
    proof: full?.proof ?? null,
    ledger: full?.ledger ?? null,
    elapsedMs: Math.round(performance.now() - started),
  };
}

export class Scans {
  readonly #db: Database;
  readonly #installation: Installation;
  readonly #announce: Announce;
  readonly #prober: () => Promise<Prober | undefined>;
  readonly #findingSyncs: readonly SyncFindings[];

  /** @internal */
  constructor(
    db: Database,
    installation: Installation,
    announce: Announce,
    prober: () => Promise<Prober | undefined>,
    findingSyncs: readonly SyncFindings[] = [],
  ) {
    this.#findingSyncs = findingSyncs;
    this.#db = db;
    this.#installation = installation;
    this.#announce = announce;
    this.#prober = prober;
  }

  /** Scans the backlog, or everything. */
  async run(options: ScanOptions): Promise<ScanReport> {
    const { mode } = options;
    if (mode === 'full') return this.#full(options);
    const lease = await this.#acquire(options);
    lease.startRenewing();
    try {
      return await this.under(lease, { ...options, mode });
    } finally {
      await lease.release();
    }
  }

  /** @internal Scans the backlog under a lease that the caller holds. */
  async under(lease: Lease, options: ScanOptions & { readonly mode: WaitingMode }): Promise<ScanReport> {
    const { mode, signal = new AbortController().signal } = options;
    const started = performance.now();
    const runId = `scan-${randomUUID()}`;
    const { counts, basis, widened, throttled, unneeded } = await scanWaiting(
      {
        db: this.#db,
        announce: this.#announce,
        runId,
        lease,
        findingSyncs: this.#findingSyncs,
        onProgress: (done) => options.onProgress?.({ step: 'groups', done, total: done }),
        stopIfRequested: () => stopIfRequested(signal, [lease]),
      },
      mode,
    );
    const base = { runId, mode, widened, throttled };
    return reportOf(
      {
        ...base,
        rulesetVersion: basis.rulesetVersion,
        snapshotId: basis.snapshotRef,
        exceptionsNotNeeded: unneeded,
      },
      counts,
      started,
    );
  }

  /** Runs of all kinds, latest first. */
  async runs(filter: RunListFilter = {}): Promise<RunPage> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ_ONLY, (tx) => pageRuns(tx, filter));
  }

  /** One run, of any kind. */
  async show(runId: string): Promise<Run> {
    await this.#installation.requireInstalled();
    const found = await this.#db.transaction(READ_ONLY, (tx) => readLastRun(tx, { runId }));
    if (found === undefined) throw scanErrors.run_unknown(`there is no run \`${runId}\``);
    return found;
  }

  async status(): Promise<ScanStatus> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ_ONLY, async (tx) => ({
      ...(await readBacklog(tx, await readServerTime(tx))),
      holder: await readHolder(tx, SCAN),
      runs: await readRuns(tx, { kind: 'scan', limit: 5 }),
    }));
  }

  #unneeded(): Promise<readonly string[]> {
    return this.#db.transaction(READ_ONLY, async (tx) => readUnneeded(tx, await readServerTime(tx)));
  }

  async #acquire(options: ScanOptions): Promise<Lease> {
    const { leaseTtlMs } = options;
    const request = {
      ...SCAN,
      holder: holderName(),
      ...(leaseTtlMs === undefined ? {} : { ttlMs: leaseTtlMs }),
    };
    const lease = await acquireLease(this.#db, request);
    if (lease === undefined) throw scanErrors.scan_busy('another process holds the lease of `scan`');
    return lease;
  }

  /** Takes the lease of closing runs first: then the intake and the scanner of a worker give way. */
  async #full(options: ScanOptions): Promise<ScanReport> {
    const started = performance.now();
    const runId = `scan-${randomUUID()}`;
    const { onProgress, leaseTtlMs, signal = new AbortController().signal } = options;
    const leases = await takeLeases(this.#db, {
      rounds: [MAIN_ROUND, WALK_ROUND].map((round) => ({ round, idType: 'integer' as const })),
      intakeRounds: INTAKE_LEASE.rounds,
      others: [SCAN],
      ttlMs: leaseTtlMs,
      signal,
      onWait: (worker) =>
        onProgress?.({ step: 'pause', done: 0, total: 1, note: `waiting for the lease of ${worker}` }),
    });
    const report = (step: ScanProgress['step'], done: number, total: number): void => {
      leases.noteProgress(`${runId} ${step} ${done}`);
      onProgress?.({ step, done, total });
    };
    try {
      const [scanLease] = leases.others;
      if (scanLease === undefined) throw scanErrors.scan_busy('the lease of `scan` was not taken');
      await scanLease.work({ isolation: 'read committed', retries: 5 }, (tx) =>
        endInterruptedScans(tx, runId),
      );
      const full = await scanAll(
        {
          db: this.#db,
          announce: this.#announce,
          runId,
          lease: leases.lease,
          intake: leases.intake,
          holdMs: undefined,
          onReconcile: (done, total) => report('reconcile', done, total),
          stopIfRequested: () => stopIfRequested(signal, [leases.lease, leases.intake, ...leases.others]),
        },
        {
          lease: scanLease,
          prober: await this.#prober(),
          signal,
          findingSyncs: this.#findingSyncs,
          onDetectors: (done, total) => report('detectors', done, total),
          onSearch: (done, total) => report('search', done, total),
        },
      ).catch(async (error: unknown) => {
        await noteFailure({ db: this.#db, runId }, NOTHING_SCANNED, error);
        throw error;
      });
      // The intake has waited until here, so the checks cover everything it has taken in.
      await scanLease.work({ isolation: 'repeatable read', retries: 5 }, (tx) =>
        recordUngroupedChecks(tx, scanLease),
      );
      const { passed, violated, notEvaluated } = full.detection;
      return reportOf(
        {
          runId: runId,
          mode: 'full',
          widened: null,
          throttled: null,
          rulesetVersion: full.basis.rulesetVersion,
          snapshotId: full.closingSnapshotId ?? full.basis.snapshotRef,
          exceptionsNotNeeded: await this.#unneeded(),
        },
        full.counts,
        started,
        {
          contradicted: full.contradicted,
          detectors: { passed, violated, notEvaluated: notEvaluated },
          proof: full.proof,
          ledger: full.ledger,
        },
      );
    } finally {
      await leases.release();
    }
  }
}
