// Owns bringing GCOS up to date with the host before a question: wait for a complete wide round that begins
// after the question, and for the evaluation of what it marked. Runs both itself where no worker does and the
// login may; otherwise it waits for the worker.
import { setTimeout as timer } from 'node:timers/promises';
import { type Database, readServerTime } from '../db/index.js';
import { hasCode } from '../kernel/index.js';
import type { Intakes } from './intake/index.js';
import { requestRound } from './pulse.sql.js';
import type { Scans } from './scan/index.js';
import { isWatchedSince } from './watched.js';

const READ_ONLY = { isolation: 'read committed', readOnly: true } as const;
const POLL_MS = 200;

export interface FreshenContext {
  readonly db: Database;
  readonly intakes: Intakes;
  readonly scans: Scans;
}

/** Whether the work was done; false: another process does it, or this login may not. */
async function tryTo(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (
      ['intake_busy', 'scan_busy', 'privilege_missing', 'workers_paused'].some((code) => hasCode(error, code))
    )
      return false;
    throw error;
  }
}

/** Returns once everything that the host committed before this call is taken in and evaluated. */
export async function freshen({ db, intakes, scans }: FreshenContext, signal: AbortSignal): Promise<void> {
  const since = await db.transaction(READ_ONLY, readServerTime);
  const isWatched = () => db.transaction(READ_ONLY, (tx) => isWatchedSince(tx, since));
  const rest = () => timer(POLL_MS, undefined, { signal });
  let isRequested = false;
  while (!(await isWatched())) {
    const { holder } = await intakes.status();
    // Without the right to request a round, the next one comes when it is due.
    if (holder !== null && !isRequested) {
      await tryTo(() => db.transaction({ isolation: 'read committed' }, (tx) => tx.one(requestRound, {})));
      isRequested = true;
    }
    const done = holder === null && (await tryTo(() => intakes.once({ signal })));
    if (!done) await rest();
  }
  const isIdle = async () => {
    const { dirtyGroups, dirtyObjects } = await intakes.status();
    return dirtyGroups + dirtyObjects === 0n;
  };
  // What still waits at the deadline is dirty, and the gate says so.
  while (!(await isIdle()) && !signal.aborted) {
    if (await tryTo(() => scans.run({ mode: 'incremental', signal }))) return;
    await rest().catch(() => undefined);
  }
}
