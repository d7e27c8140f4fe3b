// Owns the pace of the intake: frequent near rounds, occasional wide rounds (less often the longer one
// takes), and retries between them. It reports lag and progress for the heartbeat.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Database, defineSetting, readServerTime, readSetting } from '../../db/index.js';
import { ROUND_TRANSACTION } from '../../inventory/tail/index.js';
import { advance, didAnything, type Lease, type Round, type RoundResult } from '../../record/cursor/index.js';
import { CLOSING_RUN, readEvaluationBasis, tryAgain } from '../follow/index.js';
import type { Rest } from '../pulse.js';
import { applyAgain } from './apply.js';
import type { IntakeContext } from './context.js';
import { retryForClosingRuns } from './retries.js';
import { INTAKE_LEASE, type IntakeRound, intakeRound } from './round.js';
import { readStorm } from './storm.js';

const paceSetting = z.strictObject({
  near_ms: z.int().min(10).max(60_000),
  wide_ms: z.int().min(100).max(600_000),
  wide_most_ms: z.int().min(100).max(3_600_000),
  quiet_most_ms: z.int().min(100).max(3_600_000).default(60_000),
  share: z.number().min(0.001).max(1).default(0.05),
  quiet_share: z.number().min(0.001).max(1).default(0.003),
});
type IntakePace = z.infer<typeof paceSetting>;
export const DEFAULT_PACE: IntakePace = {
  ...{ near_ms: 250, wide_ms: 5_000, wide_most_ms: 30_000, quiet_most_ms: 300_000 },
  ...{ share: 0.05, quiet_share: 0.003 },
};
export const intakePace = defineSetting({
  key: 'intake.pace',
  form: paceSetting,
  default: DEFAULT_PACE,
  about:
    'the pause between near rounds and between wide rounds; the pause between wide rounds grows so that they take at most `share` of the time, up to wide_most_ms; while nothing is written it is at least that long, and grows so that they take at most quiet_share of the time, up to quiet_most_ms',
});

/** Without a birth to wait for, a near round runs this often. */
const NEAR_MOST_MS = 60_000;
const AT_ONCE = 1_000;

/** `wanted`, but at least `least` and, unless that is more, at most `most`. */
const stretched = (least: number, wanted: number, most: number): number =>
  Math.max(least, Math.min(wanted, most));
/** The pauses after a wide round that took `ms`: if the host was written since, and if it was not. */
export const pausesAfter = (
  ms: number,
  pace: IntakePace,
): { readonly busy: number; readonly quiet: number } => ({
  busy: stretched(pace.wide_ms, ms / pace.share, pace.wide_most_ms),
  quiet: stretched(pace.wide_most_ms, ms / pace.quiet_share, pace.quiet_most_ms),
});
const READ_ONLY = { isolation: 'read committed', readOnly: true } as const;

export interface IntakeOptions {
  readonly db: Database;
  /** Called after each round, for logs and metrics. */
  readonly onRound?: (round: IntakeRound, elapsedMs: number) => void;
}

/** The parameters that a worker needs to run the intake under a lease. */
export interface Intake {
  readonly worker: string;
  readonly source: string;
  readonly rounds: readonly Round[];
  readonly giveWayTo: readonly { readonly worker: string; readonly source: string }[];
  readonly restMs: number;
  readonly idle: Rest;
  /** Why the intake cannot start yet; undefined: it can. */
  notYet(): Promise<string | undefined>;
  /** One round: wide if one is due, else near. */
  work(lease: Lease, signal: AbortSignal): Promise<RoundResult>;
}

/** Retries births and group changes that could not be taken in and are due. */
export async function retryIntake(context: IntakeContext, stop: () => void): Promise<void> {
  const { db, lease, runId } = context;
  const retryTarget = { lease, round: 'wide' };
  const { basis, mayDecide } = await db.transaction(READ_ONLY, async (tx) => ({
    basis: await readEvaluationBasis(tx),
    mayDecide: !(await readStorm(tx, await readServerTime(tx))).raging,
  }));
  if (basis === undefined) return;
  // A birth needs an evaluation: in a storm it waits, which does not count as an attempt.
  if (mayDecide) {
    const stamp = { ...basis, runId };
    await tryAgain({ ...retryTarget, stopIfRequested: stop }, stamp);
    await retryForClosingRuns(db, stamp, stop);
  }
  await lease.work(ROUND_TRANSACTION, async (tx) => {
    const at = await readServerTime(tx);
    const tried = await applyAgain(tx, retryTarget, { at, limit: AT_ONCE });
    if (tried > 0) await advance(tx, lease, 'wide', { summary: { tried_again: tried } });
  });
}

/** The intake as a worker runs it. Each instance has its own pace, starting with its first round. */
export function makeIntake({ db, onRound }: IntakeOptions): Intake {
  const runId = `intake-${randomUUID()}`;
  // When the next wide round is due: if the host was written since the last one began, and in any case.
  let soonAt: number | undefined;
  let wideAt = 0;
  let written = true;
  let [found, handled]: [string?, string?] = [];
  const dueAt = () => (written || found !== handled ? (soonAt ?? 0) : wideAt);
  let caughtUp = false;
  let ended = false;
  let lookedAtAll = false;
  let pace: IntakePace = DEFAULT_PACE;
  let behindSince: number | undefined;
  let seen = 0n;
  return {
    worker: INTAKE_LEASE.worker,
    source: INTAKE_LEASE.source,
    rounds: INTAKE_LEASE.rounds,
    giveWayTo: [CLOSING_RUN],
    restMs: DEFAULT_PACE.near_ms,
    idle: {
      mostMs: NEAR_MOST_MS,
      wakes({ births, changes, request }) {
        found = `${changes} ${request}`;
        return births || performance.now() >= dueAt();
      },
    },
    notYet: async () => {
      const basis = await db.transaction(READ_ONLY, readEvaluationBasis);
      return basis === undefined ? 'no backfill has been completed' : undefined;
    },
    async work(lease, signal) {
      const context = { db, lease, runId };
      const started = performance.now();
      soonAt ??= started;
      // Near rounds take in a backlog cheaply; a wide round waits for them, but no longer than wide_most_ms.
      const wide = started >= dueAt() && (caughtUp || started >= dueAt() + pace.wide_most_ms);
      if (wide) pace = await db.transaction(READ_ONLY, (tx) => readSetting(tx, intakePace));
      const asOf = found;
      const round = await intakeRound(context, wide ? 'wide' : 'near');
      const elapsed = performance.now() - started;
      onRound?.(round, elapsed);
      const did = {
        births: round.births,
        lines: round.lines,
        registry_rows: round.registryRows,
        groups_marked: round.applied.dirtied,
        set_aside: round.setAside,
        rebased: round.rebased.length,
      };
      written = didAnything({ did }) || (written && !wide);
      if (wide) handled = asOf;
      if (wide && !round.more) {
        const { busy, quiet } = pausesAfter(elapsed, pace);
        soonAt = performance.now() + busy;
        wideAt = performance.now() + quiet;
        ended = true;
        lookedAtAll = true;
      }
      if (!wide) {
        caughtUp = !round.more;
        // Births that arrived during the wide round come first, then retries.
        if (ended) await retryIntake(context, () => signal.throwIfAborted());
        ended = false;
      }
      seen += BigInt(round.births + round.lines + round.registryRows);
      behindSince = round.more ? (behindSince ?? started) : undefined;
      return {
        // A near round follows a wide round at once. Before the first wide round, the intake has not read
        // everything.
        more: round.more || ended || !lookedAtAll,
        progress: { value: `${round.maxId ?? 0n}:${seen}` },
        lagSeconds: behindSince === undefined ? 0 : (performance.now() - behindSince) / 1_000,
        did,
      };
    },
  };
}
