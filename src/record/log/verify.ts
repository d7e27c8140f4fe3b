// Owns verifying the log: every link is hashed again, every recorded row compared with its link, every sealed
// answer of the gate with its seal. Reads one snapshot, in ranges, so that memory stays bounded.
import { type RowOf, readServerTime, type Transaction } from '../../db/index.js';
import { type KeptHead, type LogHead, readLogHead } from './head.js';
import { FIRST_PREVIOUS, linkHashOf, payloadHashOf } from './link.js';
import {
  comparePruned,
  compareRows,
  compareSeals,
  countSealed,
  locateAnswer,
  readLinks,
  readStateDifferences,
  readStoredHead,
  readUnlinked,
} from './verify.sql.js';

/**
 * What is wrong. Of a link: it is gone, its payload or the link itself was altered, or it does not follow the
 * one before it. Of what it records: the row was altered or is gone, a row has no link, a setting or person
 * differs from the latest link, the sealed answers differ. Of the end: links at the end are gone, or a head
 * that was kept elsewhere is not part of this log.
 */
export type LogProblem =
  | 'link_missing'
  | 'payload_altered'
  | 'link_altered'
  | 'chain_broken'
  | 'row_altered'
  | 'row_missing'
  | 'row_unlinked'
  | 'state_differs'
  | 'answers_differ'
  | 'end_missing'
  | 'head_differs';

export interface LogDifference {
  /** The link that differs; null if there is none. */
  readonly position: bigint | null;
  readonly problem: LogProblem;
  readonly subject: string;
  readonly text: string;
}

export interface LogVerification {
  readonly at: string;
  readonly intact: boolean;
  readonly links: bigint;
  /** The newest link; null if there is none. */
  readonly head: LogHead | null;
  /** The head that was kept elsewhere, if one was given. */
  readonly keptHead: KeptHead | null;
  readonly seals: bigint;
  /** Answers of the gate that were hashed again. */
  readonly answers: bigint;
  /** Sealed answers that were pruned: their seal is kept. */
  readonly prunedAnswers: bigint;
  /** Answers of the gate that no seal covers yet. */
  readonly unsealed: bigint;
  readonly differing: number;
  /** In the order of the links, at most 100. */
  readonly differences: readonly LogDifference[];
}

export interface VerifyLogOptions {
  /** A head that was kept elsewhere: only it shows that a superuser rewrote the whole log. */
  readonly head?: KeptHead;
  readonly onProgress?: (done: bigint, total: bigint, step: 'links' | 'answers') => void;
}

const LINKS_AT_ONCE = 5_000n;
const MOST_DIFFERENCES = 100;

class Differences {
  readonly #all: LogDifference[] = [];
  #count = 0;

  add(position: bigint | null, problem: LogProblem, subject: string, text: string): void {
    this.#count += 1;
    this.#all.push({ position, problem, subject, text });
    if (this.#all.length > 2 * MOST_DIFFERENCES) this.#trim();
  }

  /** Rows without a link come after all links. */
  #trim(): void {
    const end = (each: LogDifference) => each.position ?? 2n ** 63n;
    this.#all.sort((left, right) => Number(end(left) - end(right)));
    this.#all.splice(MOST_DIFFERENCES);
  }

  get count(): number {
    return this.#count;
  }

  get first(): readonly LogDifference[] {
    this.#trim();
    return this.#all;
  }
}

interface Chain {
  position: bigint;
  hash: string;
}

/** One link against its own hashes and the link before it. */
function checkLink(link: RowOf<typeof readLinks>, before: Chain, found: Differences): void {
  const { position, kind, subject } = link;
  const expected = before.position + 1n;
  if (position !== expected) {
    const gone =
      position - expected === 1n ? `link ${expected} is` : `links ${expected} to ${position - 1n} are`;
    found.add(expected, 'link_missing', '', `${gone} missing`);
  }
  const own = {
    ...{ position, kind, subject, recordedText: link.recorded_text, login: link.login },
    ...{ previousHash: link.previous_hash, payloadHash: link.payload_hash },
  };
  if (payloadHashOf(link.payload_text) !== link.payload_hash)
    found.add(position, 'payload_altered', subject, `the payload of ${kind} was altered`);
  if (linkHashOf(own) !== link.row_hash)
    found.add(position, 'link_altered', subject, `${kind} does not have its hash: the link was altered`);
  else if (position === expected && link.previous_hash !== before.hash)
    found.add(position, 'chain_broken', subject, `${kind} does not follow the link before it`);
}

async function verifyLinks(
  tx: Transaction,
  total: bigint,
  { head, onProgress }: VerifyLogOptions,
  found: Differences,
): Promise<bigint> {
  let before: Chain = { position: 0n, hash: FIRST_PREVIOUS };
  let links = 0n;
  let isKeptSeen = head === undefined;
  for (;;) {
    const rows = await tx.run(readLinks, { after: before.position, limit: LINKS_AT_ONCE });
    const last = rows.at(-1);
    if (last === undefined) break;
    const after = before.position;
    for (const row of rows) {
      checkLink(row, before, found);
      before = { position: row.position, hash: row.row_hash };
      if (row.position !== head?.position) continue;
      isKeptSeen = true;
      if (row.row_hash !== head.digest)
        found.add(
          row.position,
          'head_differs',
          row.subject,
          'the link differs from the head that was kept elsewhere',
        );
    }
    for (const row of await tx.run(compareRows, { after, upTo: last.position }))
      if (row.columns.length === 0)
        found.add(row.position, 'row_missing', row.subject, `the row that ${row.kind} records is gone`);
      else
        found.add(
          ...([row.position, 'row_altered', row.subject] as const),
          `the row that ${row.kind} records was altered: ${row.columns.join(', ')}`,
        );
    links += BigInt(rows.length);
    onProgress?.(links, total, 'links');
  }
  const stored = await tx.one(readStoredHead, {});
  if (stored.position !== before.position || stored.row_hash !== before.hash)
    found.add(
      ...([before.position + 1n, 'end_missing', ''] as const),
      `the log ends at link ${before.position}, its stored head is link ${stored.position}`,
    );
  if (!isKeptSeen)
    found.add(
      ...([head?.position ?? null, 'head_differs', ''] as const),
      `the log ends at link ${before.position}, before the head that was kept elsewhere`,
    );
  return links;
}

async function verifySeals(
  tx: Transaction,
  { answers: total }: { readonly answers: bigint },
  { onProgress }: VerifyLogOptions,
  found: Differences,
): Promise<{ readonly answers: bigint; readonly prunedAnswers: bigint }> {
  let after = 0n;
  let answers = 0n;
  let prunedAnswers = 0n;
  for (;;) {
    const seals = await tx.run(compareSeals, { after });
    if (seals.length === 0) return { answers, prunedAnswers };
    for (const seal of seals) {
      const subject = `checks ${seal.from_check} to ${seal.to_check}`;
      if (seal.from_check !== after + 1n)
        found.add(
          seal.position,
          'answers_differ',
          subject,
          `checks ${after + 1n} to ${seal.from_check - 1n} have no seal`,
        );
      after = seal.to_check;
      if (seal.pruned) {
        prunedAnswers += seal.answers;
        continue;
      }
      answers += seal.answers_now;
      if (seal.digest_now !== seal.digest)
        found.add(seal.position, 'answers_differ', subject, await describeAnswers(tx, seal));
    }
    onProgress?.(answers + prunedAnswers, total, 'answers');
  }
}

/** What differs in a range: the number of answers, and the first answer that is not as it was sealed. */
async function describeAnswers(tx: Transaction, seal: RowOf<typeof compareSeals>): Promise<string> {
  const lost = seal.answers - seal.answers_now;
  const [first] = await tx.run(locateAnswer, { toCheck: seal.to_check });
  const where =
    first === undefined ? 'the last of them' : `check ${first.check_id}, item ${first.first_item}`;
  if (lost > 0n)
    return `${lost} of ${seal.answers} sealed answers are gone without a record of pruning; the first difference is at ${where}`;
  if (lost < 0n) return `${-lost} answers were added to a sealed range; the first difference is at ${where}`;
  return `a sealed answer was altered: ${where}`;
}

/** Verifies everything in the snapshot of `tx`, which must be repeatable read. */
export async function verifyLog(tx: Transaction, options: VerifyLogOptions): Promise<LogVerification> {
  const at = await readServerTime(tx);
  const found = new Differences();
  const head = (await readLogHead(tx)) ?? null;
  const links = await verifyLinks(tx, head?.position ?? 0n, options, found);
  for (const row of await tx.run(readUnlinked, { limit: BigInt(MOST_DIFFERENCES) }))
    found.add(null, 'row_unlinked', row.subject, `${row.relation} ${row.row_key} has no link`);
  for (const { position, relation, row_key: key } of await tx.run(readStateDifferences, {}))
    found.add(
      ...([position, 'state_differs', key] as const),
      `${relation} ${key} ${position === null ? 'has no link' : 'differs from its latest link'}`,
    );
  const sealed = await tx.one(countSealed, {});
  const { answers, prunedAnswers } = await verifySeals(tx, sealed, options, found);
  for (const pruned of await tx.run(comparePruned, {}))
    found.add(
      ...([pruned.position, 'answers_differ', `checks ${pruned.first_id} to ${pruned.last_id}`] as const),
      `the record of pruning counts ${pruned.row_count} answers, their seals ${pruned.sealed}`,
    );
  return {
    at,
    intact: found.count === 0,
    links,
    head,
    keptHead: options.head ?? null,
    seals: sealed.seals,
    answers,
    prunedAnswers,
    unsealed: sealed.unsealed,
    differing: found.count,
    differences: found.first,
  };
}
