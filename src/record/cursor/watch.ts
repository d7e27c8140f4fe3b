// Owns the watcher of all workers. It raises findings for silent and stalled workers, lag, dead letters and
// watermark regressions, and resolves findings whose cause has ended. The time is a parameter.
import { z } from 'zod';
import { defineSetting, readSetting, type Transaction } from '../../db/index.js';
import {
  type FindingContext,
  type Observation,
  severityBeyond,
  type Transitions,
  writeFindings,
} from '../finding/index.js';
import { countDeadLetters } from './dead-letter.js';
import { workerSubject } from './fault.js';
import { type Heartbeat, isSilent, readHeartbeats } from './heartbeat.js';
import { readTroubles } from './watch.sql.js';

/** At most a year: a longer threshold is useless, and a much longer one would overflow an interval. */
const seconds = z.number().positive().max(31_536_000);
const watchSetting = z.strictObject({
  silence_seconds: seconds,
  stall_seconds: seconds,
  lag_seconds: seconds,
  quiet_seconds: seconds,
  dead_letter_overflow: z.int().positive(),
});
type WatchThresholds = z.infer<typeof watchSetting>;

export const workerWatch = defineSetting({
  key: 'worker.watch',
  form: watchSetting,
  default: {
    silence_seconds: 120,
    stall_seconds: 900,
    lag_seconds: 300,
    quiet_seconds: 600,
    dead_letter_overflow: 100,
  },
  about:
    'after how many seconds a worker counts as silent, stalled or behind; for how long a lease must have no takeover until its conflict is resolved; how many dead letters of the backfill are too many',
  changedBy: 'dba',
});

function readWatchThresholds(tx: Transaction): Promise<WatchThresholds> {
  return readSetting(tx, workerWatch);
}

/** After how many seconds without a tick, or of failures only, a worker counts as silent. */
export const readSilence = async (tx: Transaction): Promise<number> =>
  (await readWatchThresholds(tx)).silence_seconds;

/** The findings about the intake worker have their own names in the catalogue. */
const nameFor = (worker: string, trouble: 'silent_gap' | 'lag' | 'dlq'): string =>
  `${worker === 'intake' ? 'handoff' : 'cursor'}_${trouble}`;

function beatFindings(beat: Heartbeat, limits: WatchThresholds): Observation[] {
  const about = (trouble: 'silent_gap' | 'lag', rootCause: string, seconds: number, limit: number) => ({
    type: nameFor(beat.worker, trouble),
    subject: workerSubject(beat.worker, beat.source),
    rootCause,
    entityType: 'worker',
    entityCode: beat.executor,
    ...severityBeyond(seconds, limit),
    evidence: {
      reason: rootCause,
      seconds: Math.round(seconds),
      threshold_seconds: limit,
      last_tick_at: beat.lastTickAt,
      last_progress_at: beat.progressAt,
    },
  });
  const found: Observation[] = [];
  const { silentSeconds, stalledSeconds, failingSeconds, lagSeconds } = beat;
  if (beat.state === 'stopped') return found;
  if (isSilent(beat, limits.silence_seconds))
    found.push(about('silent_gap', 'stopped_ticking', silentSeconds ?? 0, limits.silence_seconds));
  else if (failingSeconds !== null && failingSeconds > limits.silence_seconds)
    found.push(about('silent_gap', 'every_round_fails', failingSeconds, limits.silence_seconds));
  else if (stalledSeconds !== null && stalledSeconds > limits.stall_seconds && beat.state !== 'paused')
    found.push(about('silent_gap', 'no_progress', stalledSeconds, limits.stall_seconds));
  if (lagSeconds !== null && lagSeconds > limits.lag_seconds)
    found.push(about('lag', 'behind', lagSeconds, limits.lag_seconds));
  return found;
}

const GRAVE = { severity: 'critical' } as const;

/** The worker whose failures the findings of the backfill family report: a backfill or a full scan. */
const CLOSING_RUN = 'closing_run';

function letterFinding(origin: string, letters: bigint, limits: WatchThresholds): Observation {
  const limit = limits.dead_letter_overflow;
  const overflow = letters > BigInt(limit);
  const backfill = overflow ? 'backfill_dlq_overflow' : 'backfill_batch_failed';
  return {
    type: origin === CLOSING_RUN ? backfill : nameFor(origin, 'dlq'),
    subject: origin,
    rootCause: 'dead_letters',
    entityType: 'worker',
    entityCode: `gcos_${origin}`,
    // Any dead letter of a worker is a finding, so that one is grave as soon as they overflow.
    ...(origin === CLOSING_RUN ? severityBeyond(Number(letters), limit) : overflow ? GRAVE : {}),
    evidence: { dead_letters: String(letters), threshold: limit },
  };
}

/**
 * The findings about `letters` dead letters of the backfill, and the finding types evaluated. The watcher and
 * the backfill use it.
 */
export async function backfillLetterFindings(
  tx: Transaction,
  letters: bigint,
): Promise<{
  readonly observations: readonly Observation[];
  readonly evaluated: NonNullable<FindingContext['evaluated']>;
}> {
  const limits = await readWatchThresholds(tx);
  return {
    observations: letters === 0n ? [] : [letterFinding(CLOSING_RUN, letters, limits)],
    evaluated: { types: ['backfill_batch_failed', 'backfill_dlq_overflow'], subjects: [CLOSING_RUN] },
  };
}

const WATCHED = ['silent_gap', 'lag', 'dlq'] as const;
const ALL_TYPES = WATCHED.flatMap((trouble) => [`cursor_${trouble}`, `handoff_${trouble}`]);

export interface WatchOptions {
  readonly at: string;
  readonly runId: string;
  /** Observations of a higher layer about silence, lag or dead letters of workers. */
  readonly observations?: readonly Observation[];
}

/**
 * Evaluates all workers at the time `at`; returns the findings that were raised, repeated, reopened and
 * resolved.
 */
export async function watchWorkers(
  tx: Transaction,
  { observations = [], ...options }: WatchOptions,
): Promise<Transitions> {
  const limits = await readWatchThresholds(tx);
  const beats = await readHeartbeats(tx, options.at);
  const letters = await countDeadLetters(tx);
  const troubles = await tx.run(readTroubles, { at: options.at, quietSeconds: limits.quiet_seconds });

  const letterFindings = [...letters]
    .filter(([origin]) => origin !== CLOSING_RUN)
    .map(([origin, count]) => letterFinding(origin, count, limits));
  const ofBackfill = await backfillLetterFindings(tx, letters.get(CLOSING_RUN) ?? 0n);
  const regressions = troubles
    .filter((each) => each.regressed_at !== null)
    .map((each) => ({
      type: 'cursor_watermark_regression',
      subject: workerSubject(each.worker, each.source),
      rootCause: each.round,
      entityType: 'worker',
      entityCode: `gcos_${each.worker}:${each.source}`,
      evidence: { round: each.round, regressed_at: each.regressed_at },
    }));
  const quiet = troubles.filter((each) => each.quiet);

  const context = { ...options, ruleset: null, activeRuleset: null };
  const evaluate = (
    observations: readonly Observation[],
    evaluated: NonNullable<FindingContext['evaluated']>,
  ) => writeFindings(tx, observations, { ...context, evaluated });
  const written = [
    await evaluate(
      [...beats.flatMap((beat) => beatFindings(beat, limits)), ...letterFindings, ...observations],
      {
        types: ALL_TYPES,
        subjects: 'all',
      },
    ),
    await evaluate(ofBackfill.observations, ofBackfill.evaluated),
    await evaluate(regressions, { types: ['cursor_watermark_regression'], subjects: 'all' }),
    await evaluate([], {
      types: ['cursor_lease_conflict'],
      subjects: [...new Set(quiet.map((each) => workerSubject(each.worker, each.source)))],
    }),
  ];
  return {
    raised: written.flatMap((each) => each.raised),
    reopened: written.flatMap((each) => each.reopened),
    resolved: written.flatMap((each) => each.resolved),
    repeated: written.reduce((sum, each) => sum + each.repeated, 0),
  };
}
