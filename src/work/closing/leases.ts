// Owns acquiring the two leases of a closing run: its own and that of the tail. It waits for a lease whose
// holder crashed until the lease expires, and gives up if the holder renews it.
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
  /** The cursors of the intake; default: those of the tail. */
  readonly intakeRounds?: readonly Round[];
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
  // A lease that is not renewed expires after its TTL; one more poll detects that.
  const deadline = performance.now() + ttlMs + 4 * POLL_MS;
  for (;;) {
    const lease = await acquireLease(db, request);
    if (lease !== undefined) {
      // Renew at once: the run may have to wait for the second lease.
      lease.startRenewing({ everyMs: ttlMs / 3 });
      return lease;
    }
    if (performance.now() > deadline)
      throw closingErrors.closing_run_busy(
        `another process holds the lease of \`${name.worker}\` and renews it`,
      );
    options.onWait(name.worker);
    await timer(POLL_MS, undefined, { signal: options.signal }).catch((error: unknown) => {
      throw options.signal.aborted ? cancelledBy(options.signal) : error;
    });
  }
}

/** Adds the rounds of an earlier run with more parts: this run resumes at their cursors. */
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

/** Takes both leases and renews each of them until `release`. */
export async function takeLeases(db: Database, options: LeaseOptions): Promise<Leases> {
  const lease = await acquire(db, { ...CLOSING_RUN, rounds: await roundsOf(db, options.rounds) }, options);
  try {
    const intake = await acquire(db, { ...INTAKE, rounds: options.intakeRounds ?? INTAKE.rounds }, options);
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
