// Owns what exceptions do to a scan: one that began or ceased to hold since the last scan marks what it is about, so that it is looked at now
// and not when its verdict runs out. And which of those in force nothing needs any more.
import type { Transaction } from '../../db/index.js';
import type { HostMapping } from '../../host/index.js';
import { readExceptions, settleExceptions } from '../../rule/index.js';
import { markRows } from '../../verdict/index.js';

/** Exceptions that stand elsewhere than before, and what they concern marked; returns how many there are. */
export async function noticeExceptions(
  tx: Transaction,
  run: { readonly mapping: HostMapping; readonly at: string },
): Promise<number> {
  const moved = await settleExceptions(tx, run);
  const rows = moved.flatMap(({ code, standing, rowIds }) =>
    rowIds.map((rowId) => ({ rowId, reason: `exception:${code} ${standing}` })),
  );
  await markRows(tx, rows, run.at);
  return moved.length;
}

/** Codes of exceptions in force that accept nothing: without them, everything they are about would be what it is. */
export async function readUnneeded(tx: Transaction, at: string): Promise<readonly string[]> {
  const inForce = await readExceptions(tx, at, { standing: 'in_force', withUnits: true });
  return inForce.filter((each) => each.needed === false).map((each) => each.code);
}
