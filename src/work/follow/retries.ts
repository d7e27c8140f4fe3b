// Owns the retries of births that were set aside: first together, then one by one where that fails.

import { markAllGroups } from '../../inventory/tail/index.js';
import { advance, completeRetries, type DueRetry, dueRetries } from '../../record/cursor/index.js';
import { materializeObjects, readRules, type VerdictStamp } from '../../verdict/candidate/index.js';
import { tryAll } from './bisect.js';
import { BIRTHS, type RetryTarget, setAside } from './set-aside.js';

const BATCH = { isolation: 'repeatable read', retries: 5 } as const;
const AT_ONCE = 1_000;

/** Retries what is due. A birth that succeeds counts from the next recomputation on. */
export async function tryAgain(
  retryTarget: RetryTarget & { stopIfRequested(): void },
  stamp: Omit<VerdictStamp, 'at'>,
): Promise<void> {
  const { lease, round } = retryTarget;
  for (;;) {
    retryTarget.stopIfRequested();
    const tried = await lease.work(BATCH, async (tx, at) => {
      const due = (await dueRetries(tx, lease, at, AT_ONCE)).filter((each) => each.table === BIRTHS);
      if (due.length === 0) return 0;
      const all = { ...stamp, at, rules: await readRules(tx) };
      const idOf = (each: DueRetry) => BigInt(each.ref);
      const failed = await tryAll(tx, due, (items) =>
        materializeObjects(tx, { of: { ids: items.map(idOf) }, ...all }),
      );
      await setAside(
        tx,
        retryTarget,
        failed.map(({ item, error }) => ({ item: idOf(item), error })),
      );
      const lost = new Set(failed.map(({ item }) => item.id));
      const done = due.filter((each) => !lost.has(each.id)).map((each) => each.id);
      await completeRetries(tx, lease, round, done);
      // Only a recomputation may add these births to a fingerprint now.
      if (done.length > 0) await markAllGroups(tx);
      await advance(tx, lease, round, { summary: { tried_again: due.length, failed: failed.length } });
      return done.length === 0 ? 0 : due.length;
    });
    if (tried < AT_ONCE) return;
  }
}
