// Owns the verb of a worker process: its duties, its log and its endpoint, from start to a clean stop.
import type { Database } from '../../db/index.js';
import type { Installation } from '../../host/index.js';
import { hasCode } from '../../kernel/index.js';
import type { Events } from '../../record/event/index.js';
import { announceFindings } from '../announcement.js';
import type { Scans } from '../scan/index.js';
import type { SyncFindings } from '../supervision.js';
import {
  DUTIES,
  type Duty,
  type DutyName,
  intakeDuty,
  promoterDuty,
  scannerDuty,
  supervisorDuty,
} from './duty.js';
import { Endpoint } from './endpoint.js';
import { workerErrors } from './errors.js';
import { type Gauges, readGauges } from './gauges.js';
import type { Log } from './log.js';
import { type DutyState, type OnceOutcome, RunningDuties, runOnce } from './run.js';

/** Where `/healthz` and `/metrics` are if nobody says otherwise. */
export const DEFAULT_PORT = 9_464;

export interface WorkerRunOptions {
  /** Default all. */
  readonly duties?: readonly DutyName[];
  /** Aborting it lets every round end, releases the leases, and returns. */
  readonly signal: AbortSignal;
  readonly log: Log;
  /** `off`: no endpoint. Left out: the default port, and no endpoint where somebody else has it. */
  readonly port?: number | 'off';
  readonly ttlMs?: number;
  readonly renewEveryMs?: number;
  /** Once the endpoint is open; the port that was chosen, or null. */
  readonly onStarted?: (port: number | null) => void;
}

export class WorkerProcess {
  readonly #db: Database;
  readonly #installation: Installation;
  readonly #events: Events;
  readonly #scans: Scans;
  readonly #findingSyncs: readonly SyncFindings[];

  constructor(
    db: Database,
    installation: Installation,
    events: Events,
    scans: Scans,
    findingSyncs: readonly SyncFindings[] = [],
  ) {
    this.#findingSyncs = findingSyncs;
    this.#scans = scans;
    this.#db = db;
    this.#installation = installation;
    this.#events = events;
  }

  /** Works until `signal` is aborted. */
  async run(options: WorkerRunOptions): Promise<readonly DutyState[]> {
    // Not installed, or another version: said at once, instead of failing round after round.
    await this.#installation.requireInstalled();
    const { signal, log, ttlMs, renewEveryMs } = options;
    const duties = this.#duties(options.duties);
    const limits = {
      ...(ttlMs === undefined ? {} : { ttlMs }),
      ...(renewEveryMs === undefined ? {} : { renewEveryMs }),
    };
    let running: RunningDuties | undefined;
    const endpoint = await this.#open(options, () => running?.states() ?? []);
    try {
      const db = this.#db;
      const hostVocabulary = () => this.#installation.hostVocabulary();
      running = new RunningDuties({
        db,
        hostVocabulary,
        duties,
        signal,
        log,
        announce: announceFindings,
        ...limits,
      });
      log('info', 'worker_started', {
        duties: duties.map((each) => each.name).join(','),
        port: endpoint?.port ?? null,
        pid: process.pid,
      });
      options.onStarted?.(endpoint?.port ?? null);
      const states = await running.done;
      log('info', 'worker_stopped', { pid: process.pid });
      return states;
    } finally {
      await endpoint?.close();
    }
  }

  /** Every duty until it has nothing left to do, then returns. */
  async once(
    options: Pick<WorkerRunOptions, 'duties' | 'signal' | 'log'>,
  ): Promise<readonly { readonly duty: DutyName; readonly outcome: OnceOutcome; readonly rounds: number }[]> {
    await this.#installation.requireInstalled();
    const { signal, log } = options;
    return runOnce({ db: this.#db, duties: this.#duties(options.duties), signal, log });
  }

  /** The numbers people watch, as they are now. */
  async gauges(at?: string): Promise<Gauges> {
    await this.#installation.requireInstalled();
    return this.#db.transaction({ isolation: 'repeatable read', readOnly: true }, (tx) => readGauges(tx, at));
  }

  #duties(names: readonly DutyName[] = DUTIES): readonly Duty[] {
    const context = {
      ...{
        db: this.#db,
        hostVocabulary: () => this.#installation.hostVocabulary(),
        events: this.#events,
        scans: this.#scans,
      },
      findingSyncs: this.#findingSyncs,
    };
    const makers = {
      intake: () => intakeDuty(context),
      scanner: () => scannerDuty(context),
      promoter: () => promoterDuty(context),
      supervisor: () => supervisorDuty(context),
    };
    return [...new Set(names)].map((name) => {
      const make = makers[name] as (() => Duty) | undefined;
      if (make === undefined) throw workerErrors.worker_duty_unknown(`\`${name}\` is not a duty of a worker`);
      return make();
    });
  }

  async #open(
    { port, log }: WorkerRunOptions,
    states: () => readonly DutyState[],
  ): Promise<Endpoint | undefined> {
    if (port === 'off') return undefined;
    try {
      return await Endpoint.open({ db: this.#db, port: port ?? DEFAULT_PORT, states, log });
    } catch (error) {
      // A second worker on one machine is welcome; only a port that was asked for must be had.
      if (port !== undefined || !hasCode(error, 'worker_port_taken')) throw error;
      log('warn', 'endpoint_off', { error: error.message });
      return undefined;
    }
  }
}
