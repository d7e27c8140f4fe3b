// Owns the effect of exceptions on a scan. An exception that came into force or ended since the last scan
// marks its rows as dirty, so that the scan evaluates them now and not when they expire; the change is
// announced. Also lists the exceptions in force that no row needs any more.
import type { Transaction } from '../../db/index.js';
import type { HostMapping } from '../../host/index.js';
import { emitSignals, type Signal } from '../../record/event/index.js';
import { applyExceptionChanges, type MovedException, readExceptions } from '../../rule/exception/index.js';
import { markRows } from '../../verdict/candidate/index.js';

interface Run {
  readonly mapping: HostMapping;
  readonly at: string;
}

/** Signals are emitted only when an exception comes into force or ends. */
function signalsOf(
  { code, before, status, scope, expiresAt, approvalRef }: MovedException,
  at: string,
): Signal[] {
  const began = status === 'in_force';
  if (began === (before === 'in_force')) return [];
  return [
    {
      type: began ? 'exception.granted' : status === 'revoked' ? 'exception.revoked' : 'exception.lapsed',
      subjectTable: 'governance_exception',
      subjectRef: code,
      occurredAt: at,
      dedupeKey: `exception:${code}:${status}:${at}`,
      payload: {
        scope,
        expires_at: expiresAt,
        ...(approvalRef === null ? {} : { approval_ref: approvalRef }),
      },
    },
  ];
}

/**
 * Stores and announces the exceptions whose status changed. Does not mark rows: the full scan evaluates all
 * of them.
 */
export async function announceExceptions(tx: Transaction, run: Run): Promise<readonly MovedException[]> {
  const moved = await applyExceptionChanges(tx, run);
  const signals = moved.flatMap((each) => signalsOf(each, run.at));
  if (signals.length > 0) await emitSignals(tx, { signals, ...run });
  return moved;
}

/** Does the same and marks the affected rows; returns the number of changed exceptions. */
export async function noticeExceptions(tx: Transaction, run: Run): Promise<number> {
  const moved = await announceExceptions(tx, run);
  const rows = moved.flatMap(({ code, status, rowIds }) =>
    rowIds.map((rowId) => ({ rowId, reason: `exception:${code} ${status}` })),
  );
  await markRows(tx, rows, run.at);
  return moved.length;
}

/** Codes of exceptions in force without effect: every row they cover has the same outcome without them. */
export async function readUnneeded(tx: Transaction, at: string): Promise<readonly string[]> {
  const inForce = await readExceptions(tx, at, { status: 'in_force', withUnits: true });
  return inForce.filter((each) => each.needed === false).map((each) => each.code);
}
