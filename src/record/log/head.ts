// Owns the head of the log: the newest link, in the form that a person keeps elsewhere.
import type { Transaction } from '../../db/index.js';
import { logErrors } from './errors.js';
import { readHead } from './log.sql.js';

/** The newest link. Its digest covers every link before it. */
export interface LogHead {
  readonly position: bigint;
  readonly digest: string;
  readonly recordedAt: string;
  readonly kind: string;
  readonly subject: string;
  /** `digest@position`: what `verify` compares with. */
  readonly witness: string;
}

/** A head that was kept elsewhere. */
export interface KeptHead {
  readonly position: bigint;
  readonly digest: string;
}

/** Undefined if the log has no link, which only happens to a log that was deleted. */
export async function readLogHead(tx: Transaction): Promise<LogHead | undefined> {
  const [row] = await tx.run(readHead, {});
  if (row === undefined) return undefined;
  const { position, kind, subject, recorded_at: recordedAt, row_hash: digest } = row;
  return { position, digest, recordedAt, kind, subject, witness: `${digest}@${position}` };
}

/** The head in a text such as the output of `gcos log head`. */
export function parseKeptHead(text: string): KeptHead {
  const [, digest, position] = /\b([0-9a-f]{64})@(\d{1,18})\b/.exec(text) ?? [];
  if (digest === undefined || position === undefined)
    throw logErrors.log_head_invalid('the given head contains no DIGEST@POSITION');
  return { digest, position: BigInt(position) };
}
