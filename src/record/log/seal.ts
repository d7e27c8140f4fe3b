// Owns sealing the answers of the gate in ranges. A check never waits for it.
import type { Database } from '../../db/index.js';
import { readSealLag, sealNext } from './log.sql.js';

export interface Sealed {
  /** Ranges and answers that were sealed now. */
  readonly ranges: number;
  readonly answers: number;
  /** Seconds since the oldest answer that is not sealed; 0 if all are. */
  readonly lagSeconds: number;
}

/** The function sets a mark before its first write, so each call has its own transaction. */
const SEAL = { isolation: 'read committed', retries: 5, statementTimeoutMs: 120_000 } as const;
const READ_ONLY = { isolation: 'read committed', readOnly: true } as const;

/**
 * A call seals up to the mark of the call before and sets the next mark: three calls reach what was committed
 * before the first one, unless an older transaction is still open.
 */
const CALLS = 3;

/** Seals all answers whose transactions have ended. */
export async function sealGate(db: Database, signal?: AbortSignal): Promise<Sealed> {
  let ranges = 0;
  let answers = 0;
  for (let calls = 0; calls < CALLS && signal?.aborted !== true; ) {
    const [sealed] = await db.transaction(SEAL, (tx) => tx.run(sealNext, {}));
    if (sealed?.is_full !== true) calls += 1;
    if (sealed === undefined) continue;
    ranges += 1;
    answers += Number(sealed.answers);
  }
  const { seconds } = await db.transaction(READ_ONLY, (tx) => tx.one(readSealLag, {}));
  return { ranges, answers, lagSeconds: Math.max(0, seconds ?? 0) };
}
