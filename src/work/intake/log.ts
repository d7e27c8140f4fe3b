// Owns reading the host's logs without missing or repeating a line: all rows written since the horizon,
// except those taken in already. It works like the wide round of the tail: one statement for some pages of
// the log, in one snapshot. Neither log has a key that shows the order of commits, so there is no near round.
// INVARIANT: all of it happens in one repeatable-read transaction.
import { z } from 'zod';
import { dbErrors, type RowOf, type Transaction } from '../../db/index.js';
import { type IdRange, walkRanges } from '../../inventory/snapshot/index.js';
import { type RebaseReason, rebaseReason } from '../../inventory/tail/index.js';
import { advance, type Lease, readCursor } from '../../record/cursor/index.js';
import {
  insertSeen,
  lockLogs,
  pruneSeen,
  readChangelogLines,
  readFactRows,
  readOutboxLines,
  rememberChangelog,
  rememberOutbox,
} from './log.sql.js';

export interface Log {
  readonly source: 'registry_changelog' | 'event_outbox';
  /** The name of the cursor. */
  readonly round: string;
  readonly idType: 'integer' | 'uuid';
  readonly lines: typeof readChangelogLines;
  readonly remember: typeof rememberChangelog;
}

export const LOGS: readonly Log[] = [
  {
    source: 'registry_changelog',
    round: 'changelog',
    idType: 'integer',
    lines: readChangelogLines,
    remember: rememberChangelog,
  },
  {
    source: 'event_outbox',
    round: 'outbox',
    idType: 'uuid',
    lines: readOutboxLines,
    remember: rememberOutbox,
  },
];

const metadataSchema = z.object({ system_identifier: z.string(), timeline: z.string(), files: z.string() });

/** Above this number, processing single lines costs more than re-evaluating everything. */
const MOST_LINES = 100_000;
const ROUND_LINES = 10_000;
/**
 * How many lines a log that begins again takes as taken in. As long as an older transaction is open, the next
 * round finds the lines beyond them, and begins again with as many more.
 */
const MOST_REMEMBERED = 1_000_000;
/** How many lines one statement forgets. */
const FORGOTTEN_AT_ONCE = 200_000n;
/**
 * How many pages of a log (of 8 kB) the first statement of a round reads; quick ones are followed by more.
 */
const FIRST_PAGES = 16_384n;

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

/** What all statements over one log share. */
interface Since {
  readonly source: string;
  readonly horizon: string;
  readonly upper: string;
  readonly nextXid: bigint;
}

/** Runs `work` over all pages of a log, in ranges. */
async function walkLog(
  tx: Transaction,
  { pages }: LogFacts,
  { limitMs, firstPages = FIRST_PAGES }: LogOptions,
  work: (range: IdRange) => Promise<() => void>,
): Promise<void> {
  const parts = Number(pages / firstPages) + 1;
  await walkRanges(tx, { first: 0n, last: pages }, { limitMs, parts }, work);
}

/** The first unseen lines, and how many there are, counted until they are too many. */
async function findLines(tx: Transaction, log: Log, facts: LogFacts, since: Since, options: LogOptions) {
  let found = 0n;
  const lines: RowOf<typeof readChangelogLines>[] = [];
  await walkLog(tx, facts, options, async (range) => {
    if (found > MOST_LINES) return () => undefined;
    const limits = { countUpTo: BigInt(MOST_LINES), limit: BigInt(ROUND_LINES) + 1n };
    const part = await tx.run(log.lines, { ...since, ...range, ...limits });
    return () => {
      found += part[0]?.found ?? 0n;
      lines.push(...part.slice(0, ROUND_LINES + 1 - lines.length));
    };
  });
  return { lines, tooMany: found > MOST_LINES };
}

/** Takes unseen lines as taken in, as many as one transaction should. */
async function rememberLines(
  tx: Transaction,
  log: Log,
  facts: LogFacts,
  since: Since,
  options: LogOptions,
): Promise<void> {
  let left = BigInt(MOST_REMEMBERED);
  await walkLog(tx, facts, options, async (range) => {
    if (left === 0n) return () => undefined;
    const { lines } = await tx.one(log.remember, { ...since, ...range, limit: left });
    return () => {
      left -= lines;
    };
  });
}

/** Forgets the lines below `horizon`; null: all. */
async function forgetLines(tx: Transaction, source: string, horizon: bigint | null): Promise<void> {
  for (let full = true; full; ) {
    const { lines } = await tx.one(pruneSeen, { source, horizon, limit: FORGOTTEN_AT_ONCE });
    full = lines === FORGOTTEN_AT_ONCE;
  }
}

async function readLog(
  tx: Transaction,
  lease: Lease,
  log: Log,
  facts: LogFacts,
  options: LogOptions,
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
    : { ...options.beginning, files };
  const reason = rebaseReason(expected, { systemIdentifier, timeline, files, upper });
  const metadata = { system_identifier: systemIdentifier, timeline, files };
  const beginAgain = async (why: RebaseReason): Promise<LogReading> => {
    // What is known of this table stays known; another server's transaction ids mean nothing here.
    const kept = why === 'too_many_rows' ? BigInt(facts.horizon) : null;
    await forgetLines(tx, source, kept);
    await rememberLines(tx, log, facts, { source, horizon: facts.horizon, upper, nextXid }, options);
    await advance(tx, lease, round, { horizon: facts.horizon, metadata, summary: { began_again: why } });
    return { log, lines: [], own: 0, more: false, lost: why };
  };
  if (reason !== undefined) return beginAgain(reason);
  const since = { source, horizon: expected.horizon, upper, nextXid };
  const found = await findLines(tx, log, facts, since, options);
  if (found.tooMany) return beginAgain('too_many_rows');
  const more = found.lines.length > ROUND_LINES;
  const taken = found.lines.slice(0, ROUND_LINES);
  const horizon = more ? expected.horizon : facts.horizon;
  // Rows below the horizon are never read again.
  const remembered = taken.filter((row) => row.xid >= BigInt(horizon));
  if (remembered.length > 0)
    await tx.run(insertSeen, {
      source,
      refs: remembered.map((row) => row.ref),
      xids: remembered.map((row) => row.xid),
    });
  if (!more) await forgetLines(tx, source, BigInt(horizon));
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

interface LogOptions {
  readonly beginning: Beginning;
  /** The time limit of one statement, as set for the transaction. */
  readonly limitMs: number;
  /** How many pages of a log the first statement reads. */
  readonly firstPages?: bigint;
}

/** Reads all logs and moves their cursors, in the caller's transaction. */
export async function readLogs(
  tx: Transaction,
  lease: Lease,
  options: LogOptions,
): Promise<readonly LogReading[]> {
  const facts = await readLogFacts(tx);
  const readings: LogReading[] = [];
  for (const log of LOGS) {
    const own = facts.find((each) => each.source === log.source);
    if (own !== undefined) readings.push(await readLog(tx, lease, log, own, options));
  }
  return readings;
}
