// Owns looking at exceptions, and the verbs over one database. Where an exception stands is derived at a point in time.
import { type Database, readServerTime, statement, type Transaction } from '../../db/index.js';
import type { HostMapping } from '../../host/index.js';
import { exceptionErrors } from './errors.js';
import {
  type ExceptionSubject,
  type ExceptionTerms,
  grantException,
  requestException,
  revokeException,
} from './exception.js';
import listSql from './list.sql.js';

/** `dormant`: nothing it is about is relevant; `changed`: its subject is not what it was; only `in_force` suppresses anything. */
export type ExceptionStanding =
  | 'in_force'
  | 'unratified'
  | 'expired'
  | 'changed'
  | 'revoked'
  | 'dormant'
  | 'not_yet';

export interface Exception {
  readonly code: string;
  readonly subject: ExceptionSubject;
  readonly scope: string;
  readonly link: string | null;
  readonly reason: string;
  readonly requestedBy: string;
  readonly grantedAt: string;
  readonly expiresAt: string;
  readonly approvalRef: string | null;
  readonly standing: ExceptionStanding;
}

const list = statement({
  name: 'exception.list',
  keepPlan: 'always',
  sql: listSql,
  params: { at: 'timestamptz', standing: 'text?', limit: 'int8', after: 'text?', code: 'text?' },
  columns: {
    exception_code: 'text',
    subject_kind: 'text',
    collection_name: 'text?',
    entity_code: 'text?',
    inventory_key: 'text?',
    object_class: 'text?',
    scope: 'text',
    link: 'text?',
    reason: 'text',
    requested_by: 'text',
    granted_at: 'timestamptz',
    expires_at: 'timestamptz',
    approval_ref: 'text?',
    standing: 'text',
  },
});
export const lookStatements = [list];

export interface ExceptionFilter {
  readonly code?: string;
  readonly standing?: ExceptionStanding;
  readonly limit?: number;
  readonly after?: string;
}

function subjectOf(row: {
  readonly subject_kind: string;
  readonly collection_name: string | null;
  readonly entity_code: string | null;
  readonly inventory_key: string | null;
  readonly object_class: string | null;
}): ExceptionSubject {
  const collection = row.collection_name ?? '';
  if (row.subject_kind === 'object') return { kind: 'object', collection, code: row.entity_code ?? '' };
  if (row.subject_kind === 'group') return { kind: 'group', inventoryKey: row.inventory_key ?? '' };
  if (row.subject_kind === 'class') return { kind: 'class', objectClass: row.object_class ?? '' };
  return { kind: 'collection', collection };
}

/** Exceptions as they stand at `at`, by code. */
export async function readExceptions(
  tx: Transaction,
  at: string,
  filter: ExceptionFilter = {},
): Promise<readonly Exception[]> {
  const rows = await tx.run(list, {
    at,
    standing: filter.standing ?? null,
    limit: BigInt(filter.limit ?? 1_000_000),
    after: filter.after ?? null,
    code: filter.code ?? null,
  });
  return rows.map((row) => ({
    code: row.exception_code,
    subject: subjectOf(row),
    scope: row.scope,
    link: row.link,
    reason: row.reason,
    requestedBy: row.requested_by,
    grantedAt: row.granted_at,
    expiresAt: row.expires_at,
    approvalRef: row.approval_ref,
    standing: row.standing as ExceptionStanding,
  }));
}

const LOOK = { isolation: 'repeatable read', readOnly: true } as const;
const ACT = { isolation: 'read committed', retries: 3 } as const;

/** The verbs about exceptions. */
export class Exceptions {
  readonly #db: Database;
  readonly #words: () => Promise<HostMapping>;

  constructor(db: Database, words: () => Promise<HostMapping>) {
    this.#db = db;
    this.#words = words;
  }

  async list(filter: ExceptionFilter & { readonly at?: string } = {}): Promise<readonly Exception[]> {
    await this.#words();
    return this.#db.transaction(LOOK, async (tx) =>
      readExceptions(tx, filter.at ?? (await readServerTime(tx)), { limit: 50, ...filter }),
    );
  }

  /** Opens the request; returns its code. */
  async request(
    terms: ExceptionTerms,
    options: { readonly reason: string; readonly as?: string },
  ): Promise<string> {
    await this.#words();
    return this.#db.transaction(ACT, (tx) => requestException(tx, terms, options));
  }

  /** Writes an exception down; returns its code. */
  async grant(
    terms: ExceptionTerms,
    options: {
      readonly reason: string;
      readonly approvalRef?: string;
      readonly as?: string;
      readonly at?: string;
    },
  ): Promise<string> {
    const mapping = await this.#words();
    return this.#db.transaction(ACT, async (tx) =>
      grantException(tx, terms, { ...options, mapping, at: options.at ?? (await readServerTime(tx)) }),
    );
  }

  /** Takes one back; returns it, so that the caller knows what has to be looked at again. */
  async revoke(
    code: string,
    options: { readonly reason: string; readonly as?: string; readonly at?: string },
  ): Promise<Exception> {
    const mapping = await this.#words();
    return this.#db.transaction(ACT, async (tx) => {
      const at = options.at ?? (await readServerTime(tx));
      await revokeException(tx, code, { ...options, mapping, at });
      const [revoked] = await readExceptions(tx, at, { code });
      if (revoked === undefined) throw exceptionErrors.exception_unknown(`there is no exception \`${code}\``);
      return revoked;
    });
  }
}
