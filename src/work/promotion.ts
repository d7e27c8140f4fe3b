// Owns a run of the promoter: it sends the held signals and raises a finding for each type that still holds
// signals. The emitter only holds a signal; raising the finding there costs four times as much and can
// deadlock.
import type { Database } from '../db/index.js';
import type { Events, HeldGap, Promotion } from '../record/event/index.js';
import { type Observation, type Transitions, writeFindings } from '../record/finding/index.js';
import { announceFindings } from './announcement.js';
import { readReportedTypes } from './promotion.sql.js';

const GAP_TYPES = ['issue_event_gap', 'handoff_unregistered_type'];

function gapOf(held: HeldGap): Observation {
  return {
    type: held.type.startsWith('handoff.') ? 'handoff_unregistered_type' : 'issue_event_gap',
    subject: held.type,
    rootCause: held.registered ? 'inactive' : 'unregistered',
    entityType: 'event_type',
    entityCode: held.type,
    evidence: { held: held.count, registered: held.registered, active: held.active },
  };
}

export interface PromotionRun {
  readonly db: Database;
  readonly events: Events;
  readonly runId: string;
  readonly at: string;
}

/** Raises or resolves the findings about event types that hold signals. */
export async function syncHeldTypeFindings(
  run: Omit<PromotionRun, 'events'>,
  heldTypes: readonly HeldGap[],
): Promise<Transitions> {
  const gaps = heldTypes.filter((held) => !held.registered || !held.active).map(gapOf);
  const { runId, at } = run;
  return run.db.transaction({ isolation: 'read committed', retries: 5 }, async (tx) => {
    // Coverage also raises findings of these types, about objects that name such an event type; those have a
    // scope.
    const reported = await tx.run(readReportedTypes, { types: GAP_TYPES });
    const transitions = await writeFindings(tx, gaps, {
      runId,
      at,
      ruleset: null,
      activeRuleset: null,
      evaluated: { types: GAP_TYPES, subjects: reported.map((row) => row.subject) },
    });
    await announceFindings(tx, transitions, { runId, at });
    return transitions;
  });
}

/** Promotes the signals whose type allows it, and raises or resolves the findings about the other types. */
export async function runPromotion(
  run: PromotionRun,
): Promise<Promotion & { readonly findings: Transitions }> {
  const promotion = await run.events.promote();
  return { ...promotion, findings: await syncHeldTypeFindings(run, promotion.heldTypes) };
}
