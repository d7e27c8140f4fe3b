// Owns acting once per key. Every transaction of the act that writes marks the key first, so that key and act
// are committed together; the answer is stored afterwards. INVARIANT: a repeat never acts. If the answer was
// lost in between, the repeat says so instead of guessing.
import { randomUUID } from 'node:crypto';
import type { Database } from '../../db/index.js';
import { onceErrors } from './errors.js';
import { beginAct, finishAct, lookAct } from './once.sql.js';

export interface ActKey {
  /** Chosen by the client, for one act. */
  readonly key: string;
  /** SHA-256 of the whole request, in hex: a repeat is the same request. */
  readonly request: string;
}

/** An answer, as it was or is to be given. */
export interface KeptAnswer {
  readonly status: number;
  readonly answer: string;
}

interface Known {
  readonly outcome: string;
  readonly status: number | null;
  readonly answer: string | null;
}

/** Ends the transactions of an attempt that was not the first. */
class ActedBefore extends Error {
  readonly kept: KeptAnswer;

  constructor(kept: KeptAnswer) {
    super('another attempt acted before');
    this.kept = kept;
  }
}

/** Throws unless the first attempt was the same request and has its answer. */
function keptBy({ outcome, status, answer }: Known): KeptAnswer {
  if (outcome === 'other') throw onceErrors.act_key_reused('the key was used for another request');
  if (status === null || answer === null)
    throw onceErrors.act_unanswered('the first request with this key has no answer');
  return { status, answer };
}

const READ = { isolation: 'read committed', readOnly: true } as const;
const WRITE = { isolation: 'read committed' } as const;

/** The longest answer that is stored. */
const LONGEST = 1_000_000;

/**
 * Runs `work` on `db` once per key, and returns its answer, or the answer of the attempt that was first.
 * `db` presents the credential whose key it is.
 */
export async function actOnce(
  db: Database,
  { key, request }: ActKey,
  work: (db: Database) => Promise<KeptAnswer>,
): Promise<KeptAnswer & { readonly repeated: boolean }> {
  const [known] = await db.transaction(READ, (tx) => tx.run(lookAct, { key, request }));
  if (known !== undefined) return { ...keptBy(known), repeated: true };
  const attempt = randomUUID();
  const marked = db.withOpening(async (tx, { readOnly }) => {
    if (readOnly) return;
    const found = await tx.one(beginAct, { key, request, attempt });
    if (found.outcome !== 'begun') throw new ActedBefore(keptBy(found));
  });
  try {
    const done = await work(marked);
    if (done.answer.length <= LONGEST)
      // The act is committed: that its answer cannot be stored is told to the one who repeats it.
      await db
        .transaction(WRITE, (tx) => tx.one(finishAct, { key, attempt, ...done }))
        .catch(() => undefined);
    return { ...done, repeated: false };
  } catch (error) {
    if (error instanceof ActedBefore) return { ...error.kept, repeated: true };
    throw error;
  }
}
