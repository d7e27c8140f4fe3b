// Owns reading the host's logs without missing or repeating a line: all rows written since the horizon,
// except those taken in already. It works like the wide round of the tail. Neither log has a key that shows
// the order of commits, so there is no near round. INVARIANT: all of it happens in one repeatable-read
// transaction.
import { z } from 'zod';
import { dbErrors, type Transaction } from '../../db/index.js';
import { type RebaseReason, rebaseReason } from '../../inventory/tail/index.js';
import { advance, type Lease, readCursor } from '../../record/cursor/index.js';
import {
  insertChangelogSeenSince,
  insertOutboxSeenSince,
  insertSeen,
  lockLogs,
  pruneSeen,
  readChangelogLines,
  readFactRows,
  readOutboxLines,
} from './log.sql.js';

export interface Log {
  readonly source: 'registry_changelog' | 'event_outbox';
  /** The name of the cursor. */
  readonly round: string;
  readonly idType: 'integer' | 'uuid';
  readonly lines: typeof readChangelogLines;
  readonly seenSince: typeof insertChangelogSeenSince;
}

export const LOGS: readonly Log[] = [
  {
    source: 'registry_changelog',
    round: 'changelog',
    idType: 'integer',
    lines: readChangelogLines,
    seenSince: insertChangelogSeenSince,
  },
  {
    source: 'event_outbox',
    round: 'outbox',
    idType: 'uuid',
    lines: readOutboxLines,
    seenSince: insertOutboxSeenSince,
  },
];

const metadataSchema = z.object({ system_identifier: z.string(), timeline: z.string(), files: z.string() });

/** Above this number, processing single lines costs more than re-evaluating everything. */
const MOST_LINES = 100_000;
const ROUND_LINES = 10_000;

export interface LogLine {
  readonly ref: string;
  readonly action: string;
  /** The class or table of the object the line is about. */
  readonly kindOf: string | null;
  readonly code: string | null;
}

export interface LogReading {
  readonly log: Log;
  readonly lines: readonly LogLine[];
  /** The number of lines GCOS wrote. */
  readonly own: number;
  readonly more: boolean;
  /** The log was reset and the lines in between are unknown: everything must be re-evaluated. */
  readonly lost: RebaseReason | null;
}

/** Where a log that was never read begins: at the horizon of the last complete reading. */
export interface Beginning {
  readonly horizon: string;
  readonly systemIdentifier: string;
  readonly timeline: string;
}

type LogFacts = Awaited<ReturnType<typeof readLogFacts>>[number];

async function readLogFacts(tx: Transaction) {
  await tx.run(lockLogs, {});
  const rows = await tx.run(readFactRows, { sources: LOGS.map((log) => log.source) });
  for (const row of rows) {
    if (row.files === row.files_seen) continue;
    throw dbErrors.serialization_failure(`${row.source} was rewritten after the snapshot was taken`);
  }
  return rows;
}

async function readLog(
  tx: Transaction,
  lease: Lease,
  log: Log,
  facts: LogFacts,
  beginning: Beginning,
): Promise<LogReading> {
  const { source, round } = log;
  const cursor = await readCursor(tx, lease, round);
  const kept = metadataSchema.safeParse(cursor.metadata);
  const known = cursor.horizon !== null && kept.success;
  const { system_identifier: systemIdentifier, timeline, files, upper, next_xid: nextXid } = facts;
  const expected = known
    ? {
        horizon: cursor.horizon,
        systemIdentifier: kept.data.system_identifier,
        timeline: kept.data.timeline,
        files: kept.data.files,
      }
    : { ...beginning, files };
  const reason = rebaseReason(expected, { systemIdentifier, timeline, files, upper });
  const metadata = { system_identifier: systemIdentifier, timeline, files };
  const beginAgain = async (why: RebaseReason): Promise<LogReading> => {
    await tx.run(pruneSeen, { source, horizon: null });
    await tx.run(log.seenSince, { source, horizon: facts.horizon, upper, nextXid });
    await advance(tx, lease, round, { horizon: facts.horizon, metadata, summary: { began_again: why } });
    return { log, lines: [], own: 0, more: false, lost: why };
  };
  if (reason !== undefined) return beginAgain(reason);
  const limit = BigInt(MOST_LINES) + 1n;
  const found = await tx.run(log.lines, { source, horizon: expected.horizon, upper, nextXid, limit });
  if (found.length > MOST_LINES) return beginAgain('too_many_rows');
  const more = found.length > ROUND_LINES;
  const taken = found.slice(0, ROUND_LINES);
  const horizon = more ? expected.horizon : facts.horizon;
  // Rows below the horizon are never read again.
  const remembered = taken.filter((row) => row.xid >= BigInt(horizon));
  if (remembered.length > 0)
    await tx.run(insertSeen, {
      source,
      refs: remembered.map((row) => row.ref),
      xids: remembered.map((row) => row.xid),
    });
  if (!more) await tx.run(pruneSeen, { source, horizon: BigInt(horizon) });
  const lines = taken.filter((row) => !row.own);
  const own = taken.length - lines.length;
  await advance(tx, lease, round, {
    horizon,
    metadata,
    eventsSeen: taken.length,
    summary: { lines: lines.length, own, more },
  });
  return {
    log,
    lines: lines.map(({ ref, action, kind_of: kindOf, code }) => ({ ref, action, kindOf, code })),
    own,
    more,
    lost: null,
  };
}

/** Reads all logs and moves their cursors, in the caller's transaction. */
export async function readLogs(
  tx: Transaction,
  lease: Lease,
  beginning: Beginning,
): Promise<readonly LogReading[]> {
  const facts = await readLogFacts(tx);
  const readings: LogReading[] = [];
  for (const log of LOGS) {
    const own = facts.find((each) => each.source === log.source);
    if (own !== undefined) readings.push(await readLog(tx, lease, log, own, beginning));
  }
  return readings;
}
