// Owns a walk over all objects, for when the tail does not know which rows changed: it has read everything
// again, or births have moved to other groups without being updated. Also re-evaluates objects whose rows are
// no longer valid.
import type { Transaction } from '../../db/index.js';
import { markAllGroups, readSweepBounds } from '../../inventory/tail/index.js';
import { hasCode } from '../../kernel/index.js';
import { advance } from '../../record/cursor/index.js';
import {
  materializeObjects,
  readRules,
  reviseObjects,
  type VerdictStamp,
} from '../../verdict/candidate/index.js';
import { setAside, tryAll, tryRange } from '../follow/index.js';
import { type ClosingContext, type RunStamp, retryTargetOf } from './context.js';
import { readLapsed } from './objects.sql.js';
import { endWalk, MAIN_ROUND } from './walk.js';

const BATCH = { isolation: 'repeatable read', retries: 5 } as const;
const FIRST_SIZE = 200_000;

/** Writes the row of every object that needs one; returns how many rows it wrote. */
export async function walkObjects(context: ClosingContext, stamp: RunStamp): Promise<bigint> {
  const { lease, db } = context;
  const rules = await db.transaction({ isolation: 'repeatable read', readOnly: true }, (tx) => readRules(tx));
  let after: bigint | null = null;
  let changed = 0n;
  let size = FIRST_SIZE;
  for (;;) {
    context.stopIfRequested();
    const from: bigint | null = after;
    try {
      const done = await lease.work(BATCH, async (tx, at) => {
        const { first, last } = await readSweepBounds(tx, { after: from, limit: size });
        if (first === null || last === null) {
          await endWalk(tx, lease);
          return undefined;
        }
        let written = 0;
        const failed = await tryRange(tx, { first, last }, async (of) => {
          const part = await materializeObjects(tx, { of, ...stamp, at, rules });
          written += part.inserted + part.changed;
        });
        if ((await setAside(tx, retryTargetOf(context), failed)).length > 0) await markAllGroups(tx);
        await advance(tx, lease, MAIN_ROUND, { summary: { objects_up_to: String(last) } });
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

const AT_ONCE = 5_000;

interface Reevaluated {
  readonly last: string | null;
  readonly written: number;
}

async function reevaluate(
  tx: Transaction,
  { lease }: ClosingContext,
  stamp: RunStamp & Pick<VerdictStamp, 'at'>,
  after: string | null,
): Promise<Reevaluated | undefined> {
  const { rulesetVersion, at } = stamp;
  const lapsed = await tx.run(readLapsed, { after, at, rulesetVersion, limit: BigInt(AT_ONCE) });
  if (lapsed.length === 0) return undefined;
  const all = { ...stamp, rules: await readRules(tx) };
  let written = 0;
  const failed = await tryAll(tx, lapsed, async (rows) => {
    const keys = rows.map((row) => ({ collection: row.collection_name, code: row.entity_code }));
    const part = await reviseObjects(tx, keys, all);
    written += part.inserted + part.changed + part.superseded;
  });
  const births = failed.map(({ item, error }) => ({ item: item.birth_id, error }));
  // These births were counted when they were taken in.
  if ((await setAside(tx, { lease, round: MAIN_ROUND }, births)).length > 0) await markAllGroups(tx);
  await advance(tx, lease, MAIN_ROUND, { summary: { looked_again: lapsed.length } });
  return { last: lapsed.at(-1)?.object_key ?? null, written };
}

/**
 * Re-evaluates objects whose rows are dirty, expired or stamped with other rules; returns how many rows it
 * wrote.
 */
export async function renewObjects(context: ClosingContext, stamp: RunStamp): Promise<bigint> {
  let after: string | null = null;
  let changed = 0n;
  for (;;) {
    context.stopIfRequested();
    const from: string | null = after;
    const done: Reevaluated | undefined = await context.lease.work(BATCH, (tx, at) =>
      reevaluate(tx, context, { ...stamp, at }, from),
    );
    if (done === undefined) return changed;
    after = done.last;
    changed += BigInt(done.written);
  }
}
