// Owns applying changes so that none is lost: changes are applied together. A change that fails alone is
// recorded with the data for a retry; after too many attempts it stays as a visible dead letter.
import { z } from 'zod';
import type { Transaction } from '../../db/index.js';
import { completeRetries, dueRetries, recordFailures } from '../../record/cursor/index.js';
import { BIRTHS, type RetryTarget, tryAll } from '../follow/index.js';
import { type Applied, type ApplyOptions, addApplied, applyChanges, type Change } from './change.js';

/** A failed change of births concerns the mark of a group: births have their own retry list. */
const GROUPS = 'governance_inventory';
const tableOf = ({ table }: Change): string => (table === BIRTHS ? GROUPS : table);

const detailSchema = z.object({
  source: z.string(),
  action: z.string(),
  table: z.string(),
  facts: z.array(
    z
      .object({
        inventoryKey: z.string(),
        collection: z.string(),
        objectClass: z.string(),
        axisFamily: z.string(),
        scope: z.string(),
        owner: z.string(),
        everything: z.literal(true),
      })
      .partial(),
  ),
});

/** Applies `changes`; returns how many were set aside. */
export async function applyOrSetAside(
  tx: Transaction,
  retryTarget: RetryTarget,
  changes: readonly Change[],
  options: ApplyOptions,
): Promise<Applied & { readonly setAside: number }> {
  const done: Applied[] = [];
  const failed = await tryAll(tx, changes, async (part) => {
    done.push(await applyChanges(tx, part, options));
  });
  const failures = failed.map(({ item, error }) => ({
    table: tableOf(item),
    ref: item.ref.slice(0, 400),
    error,
    detail: { source: item.source, action: item.action, table: item.table, facts: item.facts },
  }));
  await recordFailures(tx, retryTarget.lease, retryTarget.round, failures);
  return { ...addApplied(done), setAside: failed.length };
}

/** Retries the failed changes that are due; returns how many it tried. */
export async function applyAgain(
  tx: Transaction,
  retryTarget: RetryTarget,
  options: ApplyOptions & { readonly limit: number },
): Promise<number> {
  const due = (await dueRetries(tx, retryTarget.lease, options.at, options.limit)).filter(
    (each) => each.table !== BIRTHS,
  );
  if (due.length === 0) return 0;
  const items = due.map((retry) => ({ retry, change: detailSchema.parse(retry.detail) }));
  const failed = await tryAll(tx, items, (part) =>
    applyChanges(
      tx,
      // Omitted fields parse as undefined; in facts they must be absent.
      part.map(({ retry, change }) => ({
        ...(JSON.parse(JSON.stringify(change)) as Change),
        ref: retry.ref,
      })),
      options,
    ),
  );
  const lost = new Set(failed.map(({ item }) => item.retry.id));
  await recordFailures(
    tx,
    retryTarget.lease,
    retryTarget.round,
    failed.map(({ item, error }) => ({
      table: item.retry.table,
      ref: item.retry.ref,
      error,
      detail: item.retry.detail,
    })),
  );
  await completeRetries(
    tx,
    retryTarget.lease,
    retryTarget.round,
    due.filter((each) => !lost.has(each.id)).map((each) => each.id),
  );
  return due.length;
}
