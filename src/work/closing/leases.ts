// Owns getting the two leases a closing run needs: its own, and that of the tail. Somebody who died without giving one up
// is waited for until it has expired; somebody who renews it is not.
import { setTimeout as timer } from 'node:timers/promises';
import { cancelledBy, type Database } from '../../db/index.js';
import { INTAKE } from '../../inventory/tail/index.js';
import {
  acquireLease,
  holderName,
  LEASE_TTL_MS,
  type Lease,
  type Round,
  readCursors,
} from '../../record/cursor/index.js';
import { CLOSING_RUN } from '../follow/index.js';
import { closingErrors } from './errors.js';

const POLL_MS = 250;

export interface LeaseOptions {
  /** The cursors of the run. */
  readonly rounds: readonly Round[];
  readonly ttlMs?: number | undefined;
  readonly signal: AbortSignal;
  readonly onWait: (worker: string) => void;
}

async function acquire(
  db: Database,
  name: { readonly worker: string; readonly source: string; readonly rounds: readonly Round[] },
  options: LeaseOptions,
): Promise<Lease> {
  const ttlMs = options.ttlMs ?? LEASE_TTL_MS;
  const request = { ...name, holder: holderName(), ttlMs };
  // A lease that is not renewed is over after its time; one more poll sees that.
  const deadline = performance.now() + ttlMs + 4 * POLL_MS;
  for (;;) {
    const lease = await acquireLease(db, request);
    if (lease !== undefined) {
      // At once: the other one may have to be waited for.
      lease.startRenewing({ everyMs: ttlMs / 3 });
      return lease;
    }
    if (performance.now() > deadline)
      throw closingErrors.backfill_busy(`somebody else holds the lease of \`${name.worker}\` and renews it`);
    options.onWait(name.worker);
    await timer(POLL_MS, undefined, { signal: options.signal }).catch((error: unknown) => {
      throw options.signal.aborted ? cancelledBy(options.signal) : error;
    });
  }
}

/** The rounds of an earlier run with more parts are taken along: their cursors are where it goes on. */
async function roundsOf(db: Database, rounds: readonly Round[]): Promise<readonly Round[]> {
  const known = await db.transaction({ isolation: 'read committed', readOnly: true }, (tx) =>
    readCursors(tx, CLOSING_RUN),
  );
  const names = new Map(rounds.map((each) => [each.round, each]));
  for (const { round } of known) names.set(round, { round, idType: 'integer' });
  return [...names.values()];
}

export interface Leases {
  readonly lease: Lease;
  readonly intake: Lease;
  release(): Promise<void>;
}

/** Takes both leases, each renewed from when it is taken until `release`. */
export async function takeLeases(db: Database, options: LeaseOptions): Promise<Leases> {
  const lease = await acquire(db, { ...CLOSING_RUN, rounds: await roundsOf(db, options.rounds) }, options);
  try {
    const intake = await acquire(db, INTAKE, options);
    return {
      lease,
      intake,
      release: async () => {
        await Promise.all([lease.release(), intake.release()]);
      },
    };
  } catch (error) {
    await lease.release();
    throw error;
  }
}
