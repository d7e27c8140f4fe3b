// Owns the effect of exceptions on a scan. An exception that came into force or ended since the last scan
// marks its rows as dirty, so that the scan evaluates them now and not when they expire; the change is
// announced. Also lists the exceptions in force that no row needs any more.
import type { RowOf, Transaction } from '../../db/index.js';
import { defaultOwners, resolveOwners } from '../../host/index.js';
import { emitSignals, type Signal } from '../../record/event/index.js';
import { readFindingSettings } from '../../record/finding/index.js';
import { applyExceptionChanges, type MovedException, readExceptions } from '../../rule/exception/index.js';
import { markRows } from '../../verdict/candidate/index.js';
import { type Address, addressAt, addressOf } from '../subject.js';
import { readExceptionSubjects } from './exceptions.sql.js';

interface Run {
  readonly at: string;
}

type Subject = RowOf<typeof readExceptionSubjects>;

/** The table and key of what the exception is about. */
function addressFor({ subject_kind: kind, ...subject }: Subject): Address {
  if (kind === 'group') return addressAt('governance_inventory', subject.inventory_key);
  if (kind === 'object') return addressAt(subject.collection_name ?? '', subject.code);
  const code = kind === 'class' ? subject.object_class : subject.collection_name;
  return addressOf({ type: kind, code: code ?? '', registry: null });
}

/** The type of the signal: only the beginning and the end of an exception are announced. */
function typeOf({ before, status }: MovedException): string | undefined {
  const began = status === 'in_force';
  if (began === (before === 'in_force')) return undefined;
  return began ? 'exception.granted' : status === 'revoked' ? 'exception.revoked' : 'exception.lapsed';
}

/**
 * Who is notified of each: the owner of its subject, else the default owner of the scope, else the council.
 */
async function routesOf(
  tx: Transaction,
  about: readonly { readonly scope: string; readonly subject: Subject }[],
  at: string,
): Promise<readonly string[]> {
  const { council } = (await readFindingSettings(tx))['finding.bodies'];
  const { owners } = await resolveOwners(
    tx,
    about.map(({ scope, subject }) => ({
      objectType: subject.subject_kind === 'object' ? (subject.object_class ?? '') : subject.subject_kind,
      objectRef:
        subject.code ?? subject.inventory_key ?? subject.collection_name ?? subject.object_class ?? '',
      ...(subject.collection_name === null ? {} : { collection: subject.collection_name }),
      ...(subject.object_class === null ? {} : { objectClass: subject.object_class }),
      scope,
    })),
    at,
  );
  const defaults = await defaultOwners(tx, [...new Set(about.map(({ scope }) => scope))]);
  return about.map(({ scope }, index) => {
    const found = owners[index];
    return found?.conflict === true ? council : (found?.owner ?? defaults.get(scope) ?? council);
  });
}

async function signalsOf(
  tx: Transaction,
  moved: readonly MovedException[],
  at: string,
): Promise<readonly Signal[]> {
  const typed = moved.flatMap((each) => {
    const type = typeOf(each);
    return type === undefined ? [] : [{ type, each }];
  });
  if (typed.length === 0) return [];
  const rows = await tx.run(readExceptionSubjects, { codes: typed.map(({ each }) => each.code) });
  const subjects = new Map(rows.map((row) => [row.exception_code, row]));
  const about = typed.flatMap(({ type, each }) => {
    const subject = subjects.get(each.code);
    return subject === undefined ? [] : [{ type, each, scope: each.scope, subject }];
  });
  const routes = await routesOf(tx, about, at);
  return about.map(({ type, each, subject }, index): Signal => {
    const { code, status, scope, expiresAt, approvalRef } = each;
    return {
      type,
      ...addressFor(subject),
      occurredAt: at,
      dedupeKey: `exception:${code}:${status}:${at}`,
      payload: {
        scope,
        owner: routes[index],
        refs: [`governance_exception:${code}`],
        expires_at: expiresAt,
        ...(subject.link === null ? {} : { gap_type: subject.link }),
        ...(approvalRef === null ? {} : { approval_ref: approvalRef }),
      },
    };
  });
}

/**
 * Stores and announces the exceptions whose status changed. Does not mark rows: the full scan evaluates all
 * of them.
 */
export async function announceExceptions(tx: Transaction, run: Run): Promise<readonly MovedException[]> {
  const moved = await applyExceptionChanges(tx);
  const signals = await signalsOf(tx, moved, run.at);
  if (signals.length > 0) await emitSignals(tx, signals);
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
