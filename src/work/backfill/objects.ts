// Owns a walk over the objects alone, for when the tail cannot say which rows changed: it has read everything anew, or births belong
// to other groups than before without having been touched.
import { readServerTime } from '../../db/index.js';
import { readSweepBounds, STATEMENT_LIMIT_MS } from '../../inventory/index.js';
import { hasCode } from '../../kernel/index.js';
import { advance } from '../../record/index.js';
import { materializeObjects, readRules, type Triple } from '../../verdict/index.js';
import { tryRange } from './bisect.js';
import type { BackfillContext } from './context.js';
import { setAside } from './set-aside.js';
import { endWalk, roundOf } from './state.js';

const BATCH = { isolation: 'repeatable read', statementTimeoutMs: STATEMENT_LIMIT_MS, retries: 5 } as const;
const FIRST_SIZE = 200_000;

/** Gives every object that needs one its row; returns how many rows were written. */
export async function walkObjects(context: BackfillContext, triple: Omit<Triple, 'at'>): Promise<bigint> {
  const { lease, db } = context;
  const rules = await db.transaction({ isolation: 'repeatable read', readOnly: true }, (tx) => readRules(tx));
  let after: bigint | null = null;
  let changed = 0n;
  let size = FIRST_SIZE;
  for (;;) {
    context.stopIfAsked();
    const from: bigint | null = after;
    try {
      const done = await lease.work(BATCH, async (tx) => {
        const at = await readServerTime(tx);
        const { first, last } = await readSweepBounds(tx, { after: from, limit: size });
        if (first === null || last === null) {
          await endWalk(tx, lease);
          return undefined;
        }
        let written = 0;
        const failed = await tryRange(tx, { first, last }, async (of) => {
          const part = await materializeObjects(tx, { of, ...triple, at, rules });
          written += part.inserted + part.changed;
        });
        await setAside(tx, lease, failed, at);
        await advance(tx, lease, roundOf(0), { summary: { objects_up_to: String(last) } });
        return { last, written };
      });
      if (done === undefined) return changed;
      after = done.last;
      changed += BigInt(done.written);
    } catch (error) {
      if (!hasCode(error, 'statement_timeout') || size === 1) throw error;
      size = Math.ceil(size / 2);
    }
  }
}
