// Owns the supervision at the end of a wide round: rule drift, an invalidation storm, and a periodic
// heartbeat signal. Each finding is written only when its state changes.
import { z } from 'zod';
import { defineSetting, readSetting, type Transaction } from '../../db/index.js';
import { INTAKE } from '../../inventory/tail/index.js';
import { advance, readCursor, readCursors } from '../../record/cursor/index.js';
import { emitSignals } from '../../record/event/index.js';
import { type FindingContext, type Transitions, writeFindings } from '../../record/finding/index.js';
import { checkDrift, DRIFT_TYPE, type Drift } from '../../rule/ruleset/index.js';
import { announceFindings } from '../announcement.js';
import { windowOf } from './change.js';
import type { IntakeContext } from './context.js';
import { readStorm, STORM_TYPE, syncStormFinding } from './storm.js';

export const OVERSIGHT_ROUND = 'oversight';

const stateSchema = z.object({
  /** The version of the drifted rules in the tables; null: no drift. */
  drift: z.string().nullable(),
  storm: z.boolean(),
  /** The interval of the last heartbeat signal. */
  beat: z.string().nullable(),
});
const beatSetting = z.strictObject({ seconds: z.number().positive().max(86_400) });
export const intakeHeartbeat = defineSetting({
  key: 'intake.heartbeat',
  form: beatSetting,
  default: { seconds: 300 },
  about: 'how often the intake emits a heartbeat signal',
});

interface Seen {
  readonly at: string;
  readonly rulesetVersion: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly maxId: bigint | null;
}

/** What the last wide round found wrong that does not stop its work: codes of open findings. */
export async function readConcerns(tx: Transaction): Promise<readonly string[]> {
  const { worker, source } = INTAKE;
  const [cursor] = await readCursors(tx, { worker, source, round: OVERSIGHT_ROUND });
  const kept = stateSchema.safeParse(cursor?.metadata);
  if (!kept.success) return [];
  return [...(kept.data.drift === null ? [] : [DRIFT_TYPE]), ...(kept.data.storm ? [STORM_TYPE] : [])];
}

/** Emits the heartbeat signal once per interval; returns the interval. */
async function beat(
  tx: Transaction,
  { lease, runId }: IntakeContext,
  { at, counts, maxId }: Seen,
  last: string | null,
): Promise<string> {
  const { seconds } = await readSetting(tx, intakeHeartbeat);
  const interval = String(await windowOf(tx, at, seconds));
  if (interval === last) return interval;
  const signal = {
    type: 'handoff.heartbeat',
    subjectTable: 'gov_worker_cursor',
    subjectRef: `${lease.worker}:${lease.source}`,
    occurredAt: at,
    dedupeKey: `handoff:heartbeat:${seconds}:${interval}`,
    payload: {
      worker: lease.worker,
      source: lease.source,
      run_id: runId,
      counts,
      ...(maxId === null ? {} : { watermark: String(maxId) }),
    },
  };
  await emitSignals(tx, [signal]);
  return interval;
}

/** Raises or resolves the finding about rules in the tables that differ from the active ruleset. */
function syncDriftFinding(
  tx: Transaction,
  drift: Drift,
  context: Omit<FindingContext, 'evaluated'>,
): Promise<Transitions> {
  return writeFindings(tx, drift.observations, {
    ...context,
    evaluated: { types: [DRIFT_TYPE], subjects: [drift.family] },
  });
}

/** Runs in the transaction of a wide round, after its marks. */
export async function oversee(tx: Transaction, context: IntakeContext, seen: Seen): Promise<void> {
  const { lease, runId } = context;
  const { at, rulesetVersion } = seen;
  const { metadata } = await readCursor(tx, lease, OVERSIGHT_ROUND);
  const kept = stateSchema.safeParse(metadata);
  const before = kept.success ? kept.data : undefined;
  const findings = { runId, at, ruleset: rulesetVersion, activeRuleset: rulesetVersion };
  const drift = await checkDrift(tx);
  const drifted = drift.drifted ? drift.current : null;
  if (before === undefined || before.drift !== drifted)
    await announceFindings(tx, await syncDriftFinding(tx, drift, findings), findings);
  const storm = await readStorm(tx, at);
  if (before === undefined || before.storm !== storm.raging)
    await announceFindings(tx, await syncStormFinding(tx, storm, findings), findings);
  const reported = await beat(tx, context, seen, before?.beat ?? null);
  await advance(tx, lease, OVERSIGHT_ROUND, {
    metadata: { drift: drifted, storm: storm.raging, beat: reported },
    summary: { drifted: drift.drifted, dirtied_in_window: Number(storm.dirtied), storm: storm.raging },
  });
}
