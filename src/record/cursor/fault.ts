// Owns the findings that a worker raises about itself: another worker took its lease over, or it tried to
// move its watermark backwards. They are written in a separate transaction, because the transaction with the
// fault was rolled back.
import { randomUUID } from 'node:crypto';
import { type Database, readServerTime, type Transaction } from '../../db/index.js';
import { type GcosError, hasCode } from '../../kernel/index.js';
import { type Observation, type Transitions, writeFindings } from '../finding/index.js';
import { noteRegression } from './cursor.js';
import type { Lease } from './lease.js';

export interface FaultContext {
  readonly db: Database;
  /** Announces the changes, in the transaction that made them. */
  readonly announce?: (
    tx: Transaction,
    transitions: Transitions,
    run: { readonly runId: string; readonly at: string },
  ) => Promise<unknown>;
  /** The server's clock by default. */
  readonly at?: string;
}

/** The subject of a finding about a worker. */
export function workerSubject(worker: string, source: string | null): string {
  return source === null ? worker : `${worker}/${source}`;
}

function observed(type: string, lease: Lease, evidence: Readonly<Record<string, unknown>>): Observation {
  return {
    type,
    subject: workerSubject(lease.worker, lease.source),
    entityType: 'worker',
    entityCode: `gcos_${lease.worker}:${lease.source}`,
    evidence,
  };
}

async function observe(context: FaultContext, lease: Lease, fault: GcosError): Promise<void> {
  await context.db.transaction({ isolation: 'read committed', retries: 3 }, async (tx) => {
    const write = async (observation: Observation) => {
      const at = context.at ?? (await readServerTime(tx));
      const run = { runId: randomUUID(), at, ruleset: null, activeRuleset: null };
      const transitions = await writeFindings(tx, [observation], run);
      await context.announce?.(tx, transitions, run);
    };
    if (fault.code === 'lease_lost') {
      const holder = await lease.takenByAnother(tx);
      if (holder !== undefined)
        await write(observed('cursor_lease_conflict', lease, { lost_by: lease.holder, held_by: holder }));
      return;
    }
    const round = String(fault.facts['round']);
    await noteRegression(tx, lease, round);
    await write({
      ...observed('cursor_watermark_regression', lease, { round, what: fault.message }),
      rootCause: round,
    });
  });
}

/**
 * Raises the finding for `error`, if there is one. A lease that ended because of a reset is not a conflict.
 */
export async function reportFault(context: FaultContext, lease: Lease, error: unknown): Promise<void> {
  if (hasCode(error, 'lease_lost') || hasCode(error, 'cursor_watermark_regression'))
    await observe(context, lease, error);
}
