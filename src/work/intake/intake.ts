// Owns the pace of the intake: near rounds often, wide rounds now and then, the more seldom the longer one takes, and retries between
// them. It says how far it is behind, and how far it is, for the heartbeat.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Database, readServerTime, readSetting } from '../../db/index.js';
import type { HostMapping } from '../../host/index.js';
import { ROUND_TRANSACTION } from '../../inventory/tail/index.js';
import { advance, type Lease, type Round, type RoundResult } from '../../record/cursor/index.js';
import { checkDrift } from '../../rule/ruleset/index.js';
import { CLOSING_RUN, readEvaluationBasis, tryAgain } from '../follow/index.js';
import { applyAgain } from './apply.js';
import type { IntakeContext } from './context.js';
import { INTAKE_LEASE, type IntakeRound, intakeRound } from './round.js';
import { readStorm } from './storm.js';

const paceSetting = z.strictObject({
  near_ms: z.int().min(10).max(60_000),
  wide_ms: z.int().min(100).max(600_000),
  wide_most_ms: z.int().min(100).max(3_600_000),
});
type IntakePace = z.infer<typeof paceSetting>;

const DEFAULT_PACE: IntakePace = { near_ms: 250, wide_ms: 5_000, wide_most_ms: 30_000 };
/** A wide round may take this share of the time: a table that is ten times as large is looked at more seldom. */
const WIDE_SHARE = 0.05;
const AT_ONCE = 1_000;
const LOOK = { isolation: 'repeatable read', readOnly: true } as const;

export interface IntakeOptions {
  readonly db: Database;
  readonly hostVocabulary: () => Promise<HostMapping>;
  /** After each round, for logs and metrics. */
  readonly onRound?: (round: IntakeRound, elapsedMs: number) => void;
}

/** Everything a worker needs to run the intake under a lease. */
export interface Intake {
  readonly worker: string;
  readonly source: string;
  readonly rounds: readonly Round[];
  readonly giveWayTo: readonly { readonly worker: string; readonly source: string }[];
  readonly restMs: number;
  /** Why it cannot begin yet; undefined: it can. */
  notYet(): Promise<string | undefined>;
  /** One round: wide when it is time for one, else near. */
  work(lease: Lease, signal: AbortSignal): Promise<RoundResult>;
}

/** Tries again, when its time has come, what could not be taken in: births, and changes of groups. */
export async function retryIntake(context: IntakeContext, stop: () => void): Promise<void> {
  const { db, lease, mapping, runId } = context;
  const retryTarget = { lease, round: 'wide' };
  const { basis, mayDecide } = await db.transaction(LOOK, async (tx) => ({
    basis: await readEvaluationBasis(tx),
    mayDecide: !(await checkDrift(tx)).drifted && !(await readStorm(tx, await readServerTime(tx))).raging,
  }));
  if (basis === undefined) return;
  // Births are decided on: under rules that nobody approved, and in a storm, they wait, and that is no attempt.
  if (mayDecide) await tryAgain({ ...retryTarget, stopIfRequested: stop }, { ...basis, runId });
  await lease.work(ROUND_TRANSACTION, async (tx) => {
    const at = await readServerTime(tx);
    const tried = await applyAgain(tx, retryTarget, { mapping, at, limit: AT_ONCE });
    if (tried > 0) await advance(tx, lease, 'wide', { summary: { tried_again: tried } });
  });
}

/** The intake as a worker runs it. Each one has a rhythm of its own, from its first round on. */
export function makeIntake({ db, hostVocabulary, onRound }: IntakeOptions): Intake {
  const runId = `intake-${randomUUID()}`;
  let wideAt: number | undefined;
  let caughtUp = false;
  let ended = false;
  let lookedAtAll = false;
  let pace = DEFAULT_PACE;
  let behindSince: number | undefined;
  let seen = 0n;
  const afterWide = async (context: IntakeContext, signal: AbortSignal): Promise<void> => {
    await retryIntake(context, () => signal.throwIfAborted());
    pace = await db.transaction({ isolation: 'read committed', readOnly: true }, (tx) =>
      readSetting(tx, 'intake.pace', paceSetting, DEFAULT_PACE),
    );
  };
  return {
    worker: INTAKE_LEASE.worker,
    source: INTAKE_LEASE.source,
    rounds: INTAKE_LEASE.rounds,
    giveWayTo: [CLOSING_RUN],
    restMs: DEFAULT_PACE.near_ms,
    notYet: async () => {
      const basis = await db.transaction(
        { isolation: 'repeatable read', readOnly: true },
        readEvaluationBasis,
      );
      return basis === undefined ? 'no backfill has been completed' : undefined;
    },
    async work(lease, signal) {
      const context = { db, lease, mapping: await hostVocabulary(), runId };
      const started = performance.now();
      wideAt ??= started;
      // A backlog is taken in by near rounds, which only add it up; for so long, at most, a wide round waits for that.
      const wide = started >= wideAt && (caughtUp || started >= wideAt + pace.wide_most_ms);
      const round = await intakeRound(context, wide ? 'wide' : 'near');
      const elapsed = performance.now() - started;
      onRound?.(round, elapsed);
      if (wide && !round.more) {
        const stretched = Math.max(pace.wide_ms, elapsed / WIDE_SHARE);
        wideAt = performance.now() + Math.min(stretched, Math.max(pace.wide_ms, pace.wide_most_ms));
        ended = true;
        lookedAtAll = true;
      }
      if (!wide) {
        caughtUp = !round.more;
        // Births that came during the wide round have waited for it: what failed, and people's settings, come after them.
        if (ended) await afterWide(context, signal);
        ended = false;
      }
      seen += BigInt(round.births + round.lines + round.registryRows);
      behindSince = round.more ? (behindSince ?? started) : undefined;
      return {
        // After a wide round, a near one at once; and before the first wide round it has not looked at everything there is.
        more: round.more || ended || !lookedAtAll,
        progress: { value: `${round.maxId ?? 0n}:${seen}` },
        lagSeconds: behindSince === undefined ? 0 : (performance.now() - behindSince) / 1_000,
      };
    },
  };
}
