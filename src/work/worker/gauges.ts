// Owns the monitoring gauges: tail lag, dirty rows and their exposure, backlog, dead letters, age of the last
// proof, heartbeats. All values are read in one database snapshot.
import { readServerTime, type Transaction } from '../../db/index.js';
import { type TailWatch, watchTail } from '../../inventory/tail/index.js';
import { countDeadLetters, type Heartbeat, readHeartbeats, readPause } from '../../record/cursor/index.js';
import { readRiskWeights } from '../scan/index.js';
import { readWatchedAge } from '../watched.js';
import type { Metric, Sample } from './exposition.js';
import { readBacklog, readDirty } from './gauges.sql.js';

export interface Gauges {
  readonly at: string;
  /** Undefined if the tail was never started. */
  readonly tail: TailWatch | undefined;
  readonly dirty: readonly {
    readonly kind: string;
    readonly riskClass: string;
    readonly rows: bigint;
    /** Seconds of waiting for a scan, summed over dirty and expired rows, times the risk weight. */
    readonly exposure: number;
  }[];
  readonly recompute: bigint;
  readonly held: bigint;
  readonly deadLetters: ReadonlyMap<string, bigint>;
  /** Undefined if no run was ever proved. */
  readonly proofSeconds: number | undefined;
  readonly heartbeats: readonly Heartbeat[];
  readonly paused: boolean;
  /** Seconds since the host was last watched, undefined: never; and whether the gate blocks because of it. */
  readonly watched: { readonly seconds: number | undefined; readonly unwatched: boolean };
}

/** All gauges at the time `at`, by default the server time. */
export async function readGauges(tx: Transaction, given?: string): Promise<Gauges> {
  const at = given ?? (await readServerTime(tx));
  const weigh = await readRiskWeights(tx);
  const backlog = await tx.one(readBacklog, { at });
  return {
    at,
    tail: await watchTail(tx, at),
    dirty: (await tx.run(readDirty, { at })).map((row) => ({
      kind: row.kind,
      riskClass: row.risk_class,
      rows: row.rows,
      exposure: row.seconds * weigh(row.risk_class),
    })),
    recompute: backlog.recompute,
    held: backlog.held,
    deadLetters: await countDeadLetters(tx),
    proofSeconds: backlog.proof_seconds ?? undefined,
    heartbeats: await readHeartbeats(tx, at),
    paused: (await readPause(tx)).paused,
    watched: await readWatchedAge(tx),
  };
}

function gauge(name: string, help: string, samples: readonly Sample[]): Metric {
  return { name: `gcos_${name}`, help, type: 'gauge', samples };
}
const one = (value: number | bigint | null | undefined): readonly Sample[] =>
  value === null || value === undefined ? [] : [{ value: Number(value) }];

function tailMetrics(tail: TailWatch | undefined): Metric[] {
  return [
    gauge(
      'tail_horizon_age_transactions',
      'transactions started since the horizon of the tail',
      one(tail?.horizonAge),
    ),
    gauge(
      'tail_horizon_age_seconds',
      'seconds since the horizon of the tail last moved',
      one(tail?.horizonSeconds),
    ),
    gauge(
      'tail_seen_rows',
      'rows the tail remembers because they are above its horizon',
      one(tail?.seenSize),
    ),
    gauge('tail_gaps', 'gaps between ids that the tail remembers', one(tail?.gaps)),
  ];
}

function beatMetrics(beats: readonly Heartbeat[]): Metric[] {
  const of = (value: (beat: Heartbeat) => number | null): Sample[] =>
    beats.flatMap((beat) => {
      const found = value(beat);
      const labels = { worker: beat.worker, source: beat.source ?? '', state: beat.state ?? 'unknown' };
      return found === null ? [] : [{ labels, value: found }];
    });
  return [
    gauge(
      'heartbeat_age_seconds',
      'seconds since the last heartbeat of each worker',
      of((beat) => beat.silentSeconds),
    ),
    gauge(
      'heartbeat_success_age_seconds',
      'seconds since a round of each worker last succeeded',
      of((beat) => beat.successSeconds),
    ),
    gauge(
      'heartbeat_failing_seconds',
      'seconds since every round of a worker fails; absent if its last round succeeded',
      of((beat) => beat.failingSeconds),
    ),
    gauge(
      'heartbeat_lag_seconds',
      'lag that each worker reports',
      of((beat) => beat.lagSeconds),
    ),
    gauge(
      'heartbeat_stalled_seconds',
      'how long each worker has had work without making progress',
      of((beat) => beat.stalledSeconds),
    ),
  ];
}

/** The gauges as metrics; an unknown value has no sample. */
export function gaugeMetrics(gauges: Gauges): Metric[] {
  const rowsOf = (kind: string) =>
    Number(gauges.dirty.filter((each) => each.kind === kind).reduce((sum, each) => sum + each.rows, 0n));
  const risks = [...new Set(gauges.dirty.map((each) => each.riskClass))];
  const exposureOf = (risk: string) =>
    gauges.dirty.filter((each) => each.riskClass === risk).reduce((sum, each) => sum + each.exposure, 0);
  const total = gauges.dirty.reduce((sum, each) => sum + each.exposure, 0);
  return [
    ...tailMetrics(gauges.tail),
    gauge('recompute_groups', 'inventory groups that wait for recomputation', one(gauges.recompute)),
    gauge('dirty_groups', 'groups whose verdict must be re-evaluated', one(rowsOf('group'))),
    gauge('dirty_objects', 'single objects whose verdict must be re-evaluated', one(rowsOf('object'))),
    gauge(
      'exposure',
      'seconds of waiting for a scan times the risk weight, over all dirty and expired rows',
      one(total),
    ),
    gauge(
      'exposure_by_risk',
      'exposure by risk class',
      risks.map((risk) => ({ labels: { risk }, value: exposureOf(risk) })),
    ),
    gauge('held_signals', 'signals held because their type is not registered and active', one(gauges.held)),
    gauge('dead_letters', 'items that failed too many times', [
      ...(gauges.deadLetters.size === 0 ? [{ labels: { from: 'any' }, value: 0 }] : []),
      ...[...gauges.deadLetters].map(([from, letters]) => ({ labels: { from }, value: Number(letters) })),
    ]),
    gauge(
      'last_proof_age_seconds',
      'seconds since the inventory last matched the independent recount',
      one(gauges.proofSeconds),
    ),
    gauge(
      'watched_age_seconds',
      'seconds since the time as of which everything the host committed is taken in',
      one(gauges.watched.seconds),
    ),
    gauge(
      'unwatched',
      '1 if that is so long ago that the gate blocks',
      one(gauges.watched.unwatched ? 1 : 0),
    ),
    ...beatMetrics(gauges.heartbeats),
    gauge('workers_paused', '1 while all workers are paused', one(gauges.paused ? 1 : 0)),
  ];
}
