// Owns what exceptions do to a scan: one that began or ceased to hold since the last scan marks what it is about, so that it is looked at now
// and not when its verdict runs out; and it is told. And which of those in force nothing needs any more.
import type { Transaction } from '../../db/index.js';
import type { HostMapping } from '../../host/index.js';
import { emitSignals, type Signal } from '../../record/event/index.js';
import { applyExceptionChanges, type MovedException, readExceptions } from '../../rule/exception/index.js';
import { markRows } from '../../verdict/candidate/index.js';

interface Run {
  readonly mapping: HostMapping;
  readonly at: string;
}

/** What to tell of it: only that one began or ceased to hold. */
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

/** Exceptions that stand elsewhere than before, remembered and told. Marking what they concern is for whoever does not look at everything. */
export async function tellExceptions(tx: Transaction, run: Run): Promise<readonly MovedException[]> {
  const moved = await applyExceptionChanges(tx, run);
  const signals = moved.flatMap((each) => signalsOf(each, run.at));
  if (signals.length > 0) await emitSignals(tx, { signals, ...run });
  return moved;
}

/** The same, with what they concern marked; returns how many there are. */
export async function noticeExceptions(tx: Transaction, run: Run): Promise<number> {
  const moved = await tellExceptions(tx, run);
  const rows = moved.flatMap(({ code, status, rowIds }) =>
    rowIds.map((rowId) => ({ rowId, reason: `exception:${code} ${status}` })),
  );
  await markRows(tx, rows, run.at);
  return moved.length;
}

/** Codes of exceptions in force that accept nothing: without them, everything they are about would be what it is. */
export async function readUnneeded(tx: Transaction, at: string): Promise<readonly string[]> {
  const inForce = await readExceptions(tx, at, { status: 'in_force', withUnits: true });
  return inForce.filter((each) => each.needed === false).map((each) => each.code);
}
