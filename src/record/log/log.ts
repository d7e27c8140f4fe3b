// Owns the public operations on the log: show its links, print its head, verify it.
import type { Database, RowOf } from '../../db/index.js';
import type { Installation } from '../../host/index.js';
import { requireLimit, requirePosition } from '../../kernel/index.js';
import { type LogHead, readLogHead } from './head.js';
import { type LogKind, requireKind } from './kind.js';
import { readPage } from './log.sql.js';
import { type Sealed, sealGate } from './seal.js';
import { type LogVerification, type VerifyLogOptions, verifyLog } from './verify.js';

/** One link: what was recorded, and the hashes that tie it to the link before it. */
export interface LogLink {
  readonly position: bigint;
  readonly kind: LogKind;
  readonly recordedAt: string;
  readonly login: string;
  readonly subject: string;
  readonly payload: unknown;
  readonly payloadHash: string;
  readonly previousHash: string;
  readonly hash: string;
}

export interface LogPageOptions {
  readonly limit?: number;
  /** Only links before this position. */
  readonly after?: bigint;
  readonly kind?: string;
}

export interface LogPage {
  readonly links: readonly LogLink[];
  /** The position to continue after; null on the last page. */
  readonly next: string | null;
}

const READ_ONLY = { isolation: 'repeatable read', readOnly: true } as const;
/** A statement of the verification reads about 50,000 answers. */
const VERIFY = { ...READ_ONLY, statementTimeoutMs: 300_000 } as const;

const asLink = (row: RowOf<typeof readPage>): LogLink => ({
  position: row.position,
  kind: row.kind as LogKind,
  recordedAt: row.recorded_at,
  login: row.login,
  subject: row.subject,
  payload: JSON.parse(row.payload),
  payloadHash: row.payload_hash,
  previousHash: row.previous_hash,
  hash: row.row_hash,
});

/** The tamper-evident log. */
export class EvidenceLog {
  readonly #db: Database;
  readonly #installation: Installation;

  /** @internal */
  constructor(db: Database, installation: Installation) {
    this.#db = db;
    this.#installation = installation;
  }

  /** Links, newest first. */
  async show(options: LogPageOptions = {}): Promise<LogPage> {
    await this.#installation.requireInstalled();
    const { after = null, kind } = options;
    const limit = requireLimit(options.limit ?? 50);
    if (after !== null) requirePosition('after', after);
    const filter = { kind: kind === undefined ? null : requireKind(kind), after };
    const rows = await this.#db.transaction(READ_ONLY, (tx) =>
      tx.run(readPage, { ...filter, limit: BigInt(limit) + 1n }),
    );
    const links = rows.slice(0, limit).map(asLink);
    return { links, next: rows.length > limit ? String(links.at(-1)?.position ?? '') : null };
  }

  /** The newest link, to be kept elsewhere; null if the log is empty. */
  async head(): Promise<LogHead | null> {
    await this.#installation.requireInstalled();
    return (await this.#db.transaction(READ_ONLY, readLogHead)) ?? null;
  }

  /** Computes every hash again and compares every recorded row. Changes nothing. */
  async verify(options: VerifyLogOptions = {}): Promise<LogVerification> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(VERIFY, (tx) => verifyLog(tx, options));
  }

  /** Seals the answers of the gate, as the worker's duty `seal` does. */
  async seal(): Promise<Sealed> {
    await this.#installation.requireInstalled();
    return sealGate(this.#db);
  }
}
