// Owns taking a lease from a holder that may be frozen in the middle of a transaction. It first waits for the
// lock up to a lock time-out, then terminates the blocking backends of its own role. It never terminates a
// live holder.
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../db/index.js';
import { hasCode } from '../../kernel/index.js';
import { endBlockers, endRemains, ownBackend, takeLease } from './takeover.sql.js';

export interface TakeRequest {
  readonly worker: string;
  readonly source: string;
  readonly holder: string;
  readonly ttlSeconds: number;
  readonly rounds: readonly string[];
  readonly idTypes: readonly string[];
}

export interface Taken {
  readonly fence: bigint;
  /** The holder whose lease had expired; null if the lease was free. */
  readonly takenFrom: string | null;
}

const POLL_MS = 50;

function optionsFor(lockTimeoutMs: number) {
  return {
    isolation: 'read committed',
    lockTimeoutMs,
    statementTimeoutMs: lockTimeoutMs * 3 + 1_000,
    retries: 3,
  } as const;
}

type Row = { readonly fence: bigint; readonly taken_from: string | null };

const takenOf = (row: Row | undefined): Taken | undefined =>
  row === undefined ? undefined : { fence: row.fence, takenFrom: row.taken_from };

/** Tries again, while a second connection terminates the backends that block it. */
async function takeByForce(
  db: Database,
  request: TakeRequest,
  lockTimeoutMs: number,
): Promise<Taken | undefined> {
  let waiting: number | undefined;
  let done = false;
  const taking = db
    .transaction(optionsFor(lockTimeoutMs), async (tx) => {
      waiting = (await tx.one(ownBackend, {})).pid;
      const [row] = await tx.run(takeLease, { ...request });
      return takenOf(row);
    })
    .finally(() => {
      done = true;
    });
  const clearing = (async () => {
    while (!done) {
      if (waiting !== undefined) {
        const pid = waiting;
        await db.transaction({ isolation: 'read committed' }, (tx) =>
          tx.run(endBlockers, { pid, worker: request.worker, source: request.source }),
        );
      }
      await wait(POLL_MS);
    }
  })();
  const [taken] = await Promise.all([taking, clearing]);
  return taken;
}

/** Takes the lease if it is free or expired; undefined while another process holds it. */
export async function takeOver(
  db: Database,
  request: TakeRequest,
  lockTimeoutMs: number,
): Promise<Taken | undefined> {
  try {
    return await db.transaction(optionsFor(lockTimeoutMs), async (tx) => {
      const [row] = await tx.run(takeLease, { ...request });
      return takenOf(row);
    });
  } catch (error) {
    if (!hasCode(error, 'lock_timeout')) throw error;
    return takeByForce(db, request, lockTimeoutMs);
  }
}

/** Terminates the open transactions of former holders, so that their table locks end with their lease. */
export async function endFormerHolders(db: Database, tagPrefix: string, fence: bigint): Promise<number> {
  const ended = await db.transaction({ isolation: 'read committed' }, (tx) =>
    tx.run(endRemains, { tagPrefix, fence }),
  );
  return ended.length;
}
