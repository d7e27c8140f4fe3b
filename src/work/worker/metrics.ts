// Owns the metrics of a worker process: their declarations, and their samples, read off the gauges of the
// database and the states of the duties.
import type { MetricDeclarations, MetricSample, MetricSamples } from '../../kernel/index.js';
import type { Heartbeat } from '../../record/cursor/index.js';
import { DUTIES } from './duty.js';
import type { Gauges } from './gauges.js';
import type { DutyState } from './run.js';

/** The workers that send heartbeats and set items aside, and what they read. */
const WORKERS = [
  ...['intake', 'scan', 'audit', 'promoter', 'seal', 'feed', 'relay'],
  ...['supervisor', 'sync', 'closing_run'],
] as const;
const SOURCES = [
  ...['birth_registry', 'candidates', 'candidate_scan_run', 'event_pending', 'governance_gate_answer'],
  ...['queue_heartbeat', 'gcos_source', 'gov_webhook', 'gov_feed_entry'],
] as const;
const RISKS = ['write_high', 'write_low', 'read', 'descriptive'] as const;
const BEAT = {
  worker: WORKERS,
  source: SOURCES,
  state: ['running', 'paused', 'stopped', 'unknown'],
} as const;
const DUTY = { duty: DUTIES } as const;
export const WORKER_STATES = ['healthy', 'degraded', 'failing'] as const;

export const WORKER_METRICS = {
  gcos_tail_horizon_age_transactions: {
    type: 'gauge',
    help: 'transactions started since the horizon of the tail; it grows while a session leaves a transaction open',
  },
  gcos_tail_horizon_age_seconds: {
    type: 'gauge',
    help: 'seconds since the horizon of the tail last moved',
  },
  gcos_tail_seen_rows: {
    type: 'gauge',
    help: 'rows that the tail keeps because they are above its horizon',
  },
  gcos_tail_gaps: { type: 'gauge', help: 'gaps between ids that the tail keeps' },
  gcos_recompute_groups: { type: 'gauge', help: 'inventory groups that wait for recomputation' },
  gcos_dirty_groups: { type: 'gauge', help: 'groups whose verdict must be evaluated again' },
  gcos_dirty_objects: { type: 'gauge', help: 'single objects whose verdict must be evaluated again' },
  gcos_exposure: {
    type: 'gauge',
    help: 'over all that is dirty or expired: seconds of waiting for a scan times the weight of the risk',
  },
  gcos_exposure_by_risk: {
    type: 'gauge',
    help: 'the exposure of each risk class',
    labels: { risk: RISKS },
    combine: 'sum',
  },
  gcos_held_signals: {
    type: 'gauge',
    help: 'signals held because their type is not registered and active',
  },
  gcos_dead_letters: {
    type: 'gauge',
    help: 'items that failed too many times, by the worker that set them aside; event: signals',
    labels: { from: [...WORKERS, 'event', 'any'] },
    combine: 'sum',
  },
  gcos_last_proof_age_seconds: {
    type: 'gauge',
    help: 'seconds since a closing run last proved the inventory by an independent recount; absent if none has',
  },
  gcos_watched_age_seconds: {
    type: 'gauge',
    help: 'seconds since the time as of which everything the host committed is taken in; absent if nothing was ever watched',
  },
  gcos_unwatched: { type: 'gauge', help: '1 if that is so long ago that the gate blocks' },
  gcos_heartbeat_age_seconds: {
    type: 'gauge',
    help: 'seconds since the last heartbeat of each worker',
    labels: BEAT,
  },
  gcos_heartbeat_success_age_seconds: {
    type: 'gauge',
    help: 'seconds since a round of each worker last succeeded',
    labels: BEAT,
  },
  gcos_heartbeat_failing_seconds: {
    type: 'gauge',
    help: 'seconds since every round of a worker fails; absent if its last round succeeded',
    labels: BEAT,
  },
  gcos_heartbeat_lag_seconds: { type: 'gauge', help: 'lag that each worker reports', labels: BEAT },
  gcos_heartbeat_stalled_seconds: {
    type: 'gauge',
    help: 'how long each worker has had work without making progress',
    labels: BEAT,
  },
  gcos_workers_paused: { type: 'gauge', help: '1 while all workers are paused' },
  gcos_worker_state: {
    type: 'gauge',
    help: 'the state of this process, as /healthz tells it: 1 for the current one',
    labels: { state: WORKER_STATES },
  },
  gcos_database_up: {
    type: 'gauge',
    help: '1 if the database answers this process; if not, all values that are read from it are absent',
  },
  gcos_duty_rounds_total: {
    type: 'counter',
    help: 'rounds of each duty that this process has completed',
    labels: DUTY,
  },
  gcos_duty_errors_total: {
    type: 'counter',
    help: 'errors of each duty in this process',
    labels: DUTY,
  },
  gcos_duty_failing: {
    type: 'gauge',
    help: 'errors of each duty since its last successful round; 3 and more are failing',
    labels: DUTY,
  },
  gcos_duty_working: {
    type: 'gauge',
    help: '1 if this process holds the lease of the duty',
    labels: DUTY,
  },
  gcos_duty_last_round_seconds: {
    type: 'gauge',
    help: 'how long the last round of each duty took',
    labels: DUTY,
  },
} as const satisfies MetricDeclarations;

type WorkerSamples = MetricSamples<typeof WORKER_METRICS>;

const one = (value: number | bigint | null | undefined): readonly MetricSample[] =>
  value === null || value === undefined ? [] : [{ value: Number(value) }];

function beatSamples(beats: readonly Heartbeat[]): WorkerSamples {
  const of = (value: (beat: Heartbeat) => number | null): MetricSample[] =>
    beats.flatMap((beat) => {
      const found = value(beat);
      const labels = { worker: beat.worker, source: beat.source ?? '', state: beat.state ?? 'unknown' };
      return found === null ? [] : [{ labels, value: found }];
    });
  return {
    gcos_heartbeat_age_seconds: of((beat) => beat.silentSeconds),
    gcos_heartbeat_success_age_seconds: of((beat) => beat.successSeconds),
    gcos_heartbeat_failing_seconds: of((beat) => beat.failingSeconds),
    gcos_heartbeat_lag_seconds: of((beat) => beat.lagSeconds),
    gcos_heartbeat_stalled_seconds: of((beat) => beat.stalledSeconds),
  };
}

/** What the database knows; an unknown value has no sample. */
export function gaugeSamples(gauges: Gauges): WorkerSamples {
  const { dirty, tail, watched, deadLetters } = gauges;
  const rowsOf = (kind: string) =>
    Number(dirty.filter((each) => each.kind === kind).reduce((sum, each) => sum + each.rows, 0n));
  return {
    gcos_tail_horizon_age_transactions: one(tail?.horizonAge),
    gcos_tail_horizon_age_seconds: one(tail?.horizonSeconds),
    gcos_tail_seen_rows: one(tail?.seenSize),
    gcos_tail_gaps: one(tail?.gaps),
    gcos_recompute_groups: one(gauges.recompute),
    gcos_dirty_groups: one(rowsOf('group')),
    gcos_dirty_objects: one(rowsOf('object')),
    gcos_exposure: one(dirty.reduce((sum, each) => sum + each.exposure, 0)),
    // One row per kind and risk; a class that the host named itself is `other`.
    gcos_exposure_by_risk: dirty.map(({ riskClass, exposure }) => ({
      labels: { risk: riskClass },
      value: exposure,
    })),
    gcos_held_signals: one(gauges.held),
    gcos_dead_letters: [
      ...(deadLetters.size === 0 ? [{ labels: { from: 'any' }, value: 0 }] : []),
      ...[...deadLetters].map(([from, letters]) => ({ labels: { from }, value: Number(letters) })),
    ],
    gcos_last_proof_age_seconds: one(gauges.proofSeconds),
    gcos_watched_age_seconds: one(watched.seconds),
    gcos_unwatched: one(watched.unwatched ? 1 : 0),
    ...beatSamples(gauges.heartbeats),
    gcos_workers_paused: one(gauges.paused ? 1 : 0),
  };
}

/** What this process knows without the database. */
export function processSamples(
  states: readonly DutyState[],
  current: (typeof WORKER_STATES)[number],
): WorkerSamples {
  const per = (value: (state: DutyState) => number | null): readonly MetricSample[] =>
    states.flatMap((state) => {
      const found = value(state);
      return found === null ? [] : [{ labels: { duty: state.duty }, value: found }];
    });
  return {
    gcos_worker_state: WORKER_STATES.map((state) => ({
      labels: { state },
      value: state === current ? 1 : 0,
    })),
    gcos_duty_rounds_total: per((state) => state.rounds),
    gcos_duty_errors_total: per((state) => state.errors),
    gcos_duty_failing: per((state) => state.failing),
    gcos_duty_working: per((state) => (state.state === 'working' ? 1 : 0)),
    gcos_duty_last_round_seconds: per((state) =>
      state.lastRoundMs === null ? null : state.lastRoundMs / 1_000,
    ),
  };
}
