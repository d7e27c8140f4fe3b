// Owns the leases of a closing run: its own, that of the tail, and others that it needs. It waits for a lease
// whose holder crashed until the lease expires, and gives up if the holder renews it. While the run works,
// its heartbeat ticks with every renewal, so that a run that was killed is noticed.
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
  type Tick,
  tick,
} from '../../record/cursor/index.js';
import { CLOSING_RUN } from '../follow/index.js';
import { closingErrors } from './errors.js';

const POLL_MS = 250;

export interface LeaseOptions {
  /** The cursors of the run. */
  readonly rounds: readonly Round[];
  /** The cursors of the intake; default: those of the tail. */
  readonly intakeRounds?: readonly Round[];
  /** Further leases that the run needs; their holders give way to a closing run. */
  readonly others?: readonly { readonly worker: string; readonly source: string }[];
  readonly ttlMs?: number | undefined;
  readonly signal: AbortSignal;
  readonly onWait: (worker: string) => void;
}

async function acquire(
  db: Database,
  name: { readonly worker: string; readonly source: string; readonly rounds?: readonly Round[] },
  options: LeaseOptions,
  onRenewed?: (lease: Lease) => Promise<void>,
): Promise<Lease> {
  const ttlMs = options.ttlMs ?? LEASE_TTL_MS;
  const request = { ...name, holder: holderName(), ttlMs };
  // A lease that is not renewed expires after its TTL; one more poll detects that.
  const deadline = performance.now() + ttlMs + 4 * POLL_MS;
  for (;;) {
    const lease = await acquireLease(db, request);
    if (lease !== undefined) {
      // Renew at once: the run may have to wait for the second lease.
      lease.startRenewing(onRenewed === undefined ? {} : { onRenewed: () => onRenewed(lease) });
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
  /** Those of `others`, in the same order. */
  readonly others: readonly Lease[];
  /** Reports the position of the run; the next heartbeat carries it. */
  noteProgress(value: string): void;
  /** Sends the heartbeat `stopped` and releases all leases. */
  release(): Promise<void>;
}

/** Takes all leases and renews each of them until `release`. */
export async function takeLeases(db: Database, options: LeaseOptions): Promise<Leases> {
  let progress: string | undefined;
  const beat = (lease: Lease, state: NonNullable<Tick['state']>): Promise<void> =>
    db.transaction({ isolation: 'read committed', retries: 3, isBackground: true }, (tx) =>
      tick(tx, {
        ...{ ...CLOSING_RUN, status: 'ok', state, leaseOwner: lease.holder },
        ...(progress === undefined ? {} : { progress: { value: progress } }),
      }),
    );
  const closingRun = { ...CLOSING_RUN, rounds: await roundsOf(db, options.rounds) };
  const lease = await acquire(db, closingRun, options, (held) => beat(held, 'running'));
  const held = [lease];
  const release = async () => {
    // A heartbeat that cannot be written must not keep the leases; then the supervisor ends it.
    if (lease.held) await beat(lease, 'stopped').catch(() => undefined);
    await Promise.all(held.map((each) => each.release()));
  };
  try {
    await beat(lease, 'running');
    const intake = await acquire(db, { ...INTAKE, rounds: options.intakeRounds ?? INTAKE.rounds }, options);
    held.push(intake);
    const others: Lease[] = [];
    for (const name of options.others ?? []) {
      const other = await acquire(db, name, options);
      held.push(other);
      others.push(other);
    }
    return {
      lease,
      intake,
      others,
      noteProgress: (value) => {
        progress = value;
        for (const each of held) each.noteProgress();
      },
      release,
    };
  } catch (error) {
    await release();
    throw error;
  }
}
