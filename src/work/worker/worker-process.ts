// Owns the worker process: its duties, log and endpoint, from start to graceful stop.
import { type Database, readServerTime } from '../../db/index.js';
import type { Installation } from '../../host/index.js';
import { hasCode } from '../../kernel/index.js';
import { readHeartbeats, readPause, readSilence } from '../../record/cursor/index.js';
import type { Events } from '../../record/event/index.js';
import type { Sources } from '../../source/object/index.js';
import { announceFindings } from '../announcement.js';
import { readKeptHistory } from '../history.js';
import type { Scans } from '../scan/index.js';
import type { SyncFindings } from '../supervision.js';
import { readWatched } from '../watched.js';
import {
  auditDuty,
  DUTIES,
  type Duty,
  type DutyName,
  intakeDuty,
  promoterDuty,
  scannerDuty,
  sealDuty,
  supervisorDuty,
  syncDuty,
} from './duty.js';
import { Endpoint, LOOPBACK } from './endpoint.js';
import { workerErrors } from './errors.js';
import { feedDuty } from './feed-duty.js';
import { type Gauges, readGauges } from './gauges.js';
import type { Log } from './log.js';
import { relayDuty } from './relay-duty.js';
import { type DutyState, type OnceOutcome, RunningDuties, runOnce } from './run.js';
import { dutyStatus, type WorkerStatus } from './status.js';

/** How long a stop waits for the rounds that are running. */
const STOP_MS = 8_000;

/** The default port of `/healthz` and `/metrics`. */
export const DEFAULT_PORT = 9_464;

export interface WorkerRunOptions {
  /** Default all. */
  readonly duties?: readonly DutyName[];
  /** Aborting it ends every round, releases the leases, and returns. */
  readonly signal: AbortSignal;
  readonly log: Log;
  /** `off`: no endpoint. Undefined: the default port, and no endpoint if that port is taken. */
  readonly port?: number | 'off';
  /** The address of the endpoint; loopback by default. */
  readonly host?: string;
  readonly ttlMs?: number;
  readonly renewEveryMs?: number;
  /** Called once the endpoint is open, with its port, or null without an endpoint. */
  readonly onStarted?: (port: number | null) => void;
}

export class WorkerProcess {
  readonly #db: Database;
  readonly #installation: Installation;
  readonly #events: Events;
  readonly #scans: Scans;
  readonly #sources: Sources;
  readonly #findingSyncs: readonly SyncFindings[];

  /** @internal */
  constructor(
    db: Database,
    installation: Installation,
    events: Events,
    scans: Scans,
    sources: Sources,
    findingSyncs: readonly SyncFindings[] = [],
  ) {
    this.#findingSyncs = findingSyncs;
    this.#scans = scans;
    this.#sources = sources;
    this.#db = db;
    this.#installation = installation;
    this.#events = events;
  }

  /** Works until `signal` is aborted. */
  async run(options: WorkerRunOptions): Promise<readonly DutyState[]> {
    // Fails at once if GCOS is not installed or has another version, instead of failing in every round.
    await this.#installation.requireInstalled();
    const { signal, log, ttlMs, renewEveryMs } = options;
    const duties = this.#duties(options.duties ?? (await this.#ownDuties()));
    const limits = {
      ...(ttlMs === undefined ? {} : { ttlMs }),
      ...(renewEveryMs === undefined ? {} : { renewEveryMs }),
    };
    let running: RunningDuties | undefined;
    const endpoint = await this.#open(options, () => running?.states() ?? []);
    try {
      const db = this.#db;
      running = new RunningDuties({
        db,
        duties,
        signal,
        log,
        announce: announceFindings,
        ...limits,
      });
      const names = duties.map((each) => each.name);
      log('info', 'worker_started', {
        message: `the worker has started: ${names.join(', ')}`,
        duties: names.join(','),
        host: endpoint?.host ?? null,
        port: endpoint?.port ?? null,
        pid: process.pid,
      });
      options.onStarted?.(endpoint?.port ?? null);
      const states = await this.#untilStopped(running, options);
      log('info', 'worker_stopped', { message: 'the worker has stopped', pid: process.pid });
      return states;
    } finally {
      await endpoint?.close();
    }
  }

  /**
   * Waits for all duties. After the stop was requested it waits for their rounds, but not for a server that
   * does not answer: then the connections are given up, and the server rolls the rounds back.
   */
  async #untilStopped(
    running: RunningDuties,
    { signal, log }: WorkerRunOptions,
  ): Promise<readonly DutyState[]> {
    let resume: (() => void) | undefined;
    let timer: NodeJS.Timeout | undefined;
    const limit = () => {
      timer = setTimeout(() => {
        log('warn', 'stop_forced', {
          message: `the server did not answer for ${STOP_MS / 1_000} s after the stop: the connections are given up`,
          after_ms: STOP_MS,
        });
        resume = this.#db.abandon();
      }, STOP_MS);
    };
    if (signal.aborted) limit();
    else signal.addEventListener('abort', limit, { once: true });
    try {
      return await running.done;
    } finally {
      signal.removeEventListener('abort', limit);
      clearTimeout(timer);
      resume?.();
    }
  }

  /** Runs every duty until it has no work left. */
  async once(
    options: Pick<WorkerRunOptions, 'duties' | 'signal' | 'log'>,
  ): Promise<readonly { readonly duty: DutyName; readonly outcome: OnceOutcome; readonly rounds: number }[]> {
    await this.#installation.requireInstalled();
    const { signal, log } = options;
    const duties = this.#duties(options.duties ?? (await this.#ownDuties()));
    return runOnce({ db: this.#db, duties, signal, log });
  }

  /** Every duty with the state of its heartbeat, and as of which time the host is watched. */
  async status(): Promise<WorkerStatus> {
    await this.#installation.requireInstalled();
    const names = await this.#ownDuties();
    return this.#db.transaction({ isolation: 'repeatable read', readOnly: true }, async (tx) => {
      const at = await readServerTime(tx);
      const beats = await readHeartbeats(tx, at);
      const silence = await readSilence(tx);
      return {
        at,
        ...(await readWatched(tx)),
        paused: (await readPause(tx)).paused,
        duties: this.#duties(names).map(({ name, worker, source }) =>
          dutyStatus(
            name,
            beats.find((each) => each.worker === worker && each.source === source),
            silence,
          ),
        ),
        history: await readKeptHistory(tx),
      };
    });
  }

  /** The current monitoring gauges. */
  async gauges(at?: string): Promise<Gauges> {
    await this.#installation.requireInstalled();
    return this.#db.transaction({ isolation: 'repeatable read', readOnly: true }, (tx) => readGauges(tx, at));
  }

  /** The duties that there are beside this host: only a home has sources to read. */
  async #ownDuties(): Promise<readonly DutyName[]> {
    const isHome = await this.#sources.inHome();
    return DUTIES.filter((name) => name !== 'sync' || isHome);
  }

  #duties(names: readonly DutyName[]): readonly Duty[] {
    const context = {
      ...{
        db: this.#db,
        events: this.#events,
        sources: this.#sources,
        scans: this.#scans,
      },
      findingSyncs: this.#findingSyncs,
    };
    const makers = {
      intake: () => intakeDuty(context),
      scanner: () => scannerDuty(context),
      audit: () => auditDuty(context),
      promoter: () => promoterDuty(context),
      seal: () => sealDuty(context),
      feed: () => feedDuty(),
      relay: () => relayDuty(context),
      supervisor: () => supervisorDuty(context),
      sync: () => syncDuty(context),
    };
    return [...new Set(names)].map((name) => {
      const make = makers[name] as (() => Duty) | undefined;
      if (make === undefined) throw workerErrors.worker_duty_unknown(`\`${name}\` is not a duty of a worker`);
      return make();
    });
  }

  async #open(
    { port, host, log, signal }: WorkerRunOptions,
    states: () => readonly DutyState[],
  ): Promise<Endpoint | undefined> {
    if (port === 'off') return undefined;
    try {
      return await Endpoint.open({
        ...{ db: this.#db, host: host ?? LOOPBACK, port: port ?? DEFAULT_PORT, states, log, signal },
        requireInstalled: () => this.#installation.requireInstalledNow(),
      });
    } catch (error) {
      // A second worker on the machine is allowed; only an explicitly requested port is required.
      if (port !== undefined || !hasCode(error, 'worker_port_taken')) throw error;
      log('warn', 'endpoint_off', {
        message: `no /healthz, /readyz and /metrics: ${error.message}`,
        error: error.message,
      });
      return undefined;
    }
  }
}
