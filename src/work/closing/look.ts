// Owns what can only be said of all births together: keys born more than once, and where births come from. The intake takes births in without a
// look at all others of their key, so a closing run looks, unless every sum is what it was when the last one looked.
import type { Transaction } from '../../db/index.js';
import { readRunning, readSnapshot } from '../../inventory/index.js';
import { readClosed, readDuplicateBirths, readSources } from '../../verdict/index.js';
import { readRulesInForce } from '../follow/index.js';
import type { LookedBeside } from './reconcile.js';

export async function lookAtAll(tx: Transaction): Promise<LookedBeside> {
  const { input } = await readRulesInForce(tx);
  return { duplicates: await readDuplicateBirths(tx), sources: await readSources(tx, input) };
}

/** Whether the running sums are those of the last closing snapshot: then nothing was born, moved or changed since. */
async function isAsLastClosed(tx: Transaction): Promise<boolean> {
  const ref = (await readClosed(tx))?.closingSnapshotRef ?? null;
  if (ref === null) return false;
  const { groups } = (await readSnapshot(tx, ref)).document;
  const running = (await readRunning(tx)).filter((group) => group.count > 0n || group.marked);
  return (
    running.length === Object.keys(groups).length &&
    running.every(({ key, count, h1, h2, marked }) => {
      const then = groups[key];
      const now = [String(count), String(h1), String(h2)];
      return !marked && then !== undefined && now.join() === [then.count, then.h1, then.h2].join();
    })
  );
}

/** What a run finds that did not sweep itself. What is born behind this look, its rounds see. */
export async function lookIfMoved(tx: Transaction): Promise<LookedBeside> {
  return (await isAsLastClosed(tx)) ? {} : lookAtAll(tx);
}
