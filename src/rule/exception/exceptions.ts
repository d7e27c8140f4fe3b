// Owns the commands about exceptions, each in its own transaction.
import { type Database, readServerTime, type Transaction } from '../../db/index.js';
import type { Installation } from '../../host/index.js';
import { requireTime } from '../../kernel/index.js';
import { type ExceptionTerms, grantException, requestException, revokeException } from './exception.js';
import {
  type Exception,
  type ExceptionDetail,
  type ExceptionFilter,
  readExceptionDetail,
  readExceptions,
  requireException,
  requireExceptionFilter,
} from './read.js';
import {
  type ExceptionRequest,
  type ObjectGap,
  type RequestedException,
  type RequestedGaps,
  requestListed,
  submitExceptionRequest,
} from './request.js';

const READ_ONLY = { isolation: 'repeatable read', readOnly: true } as const;
/** Read committed: a session that waited for another request must see what that request wrote. */
const ACT = { isolation: 'read committed', retries: 3 } as const;

/** The time that was asked for, or now. */
async function timeOf(tx: Transaction, at: string | undefined): Promise<string> {
  return at === undefined ? readServerTime(tx) : requireTime('at', at);
}

export interface ExceptionOptions {
  readonly reason: string;
  readonly as?: string;
  /** Run everything, return the result, and roll back. */
  readonly dryRun?: boolean;
}

export class Exceptions {
  readonly #db: Database;
  readonly #installation: Installation;

  /** @internal */
  constructor(db: Database, installation: Installation) {
    this.#db = db;
    this.#installation = installation;
  }

  /** Exceptions with their status, now or at another time, and the number of units that need each. */
  async list(filter: ExceptionFilter & { readonly at?: string } = {}): Promise<readonly Exception[]> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ_ONLY, async (tx) => {
      await requireExceptionFilter(tx, filter);
      return readExceptions(tx, await timeOf(tx, filter.at), { limit: 50, withUnits: true, ...filter });
    });
  }

  /** All details of one exception. */
  async show(code: string, options: { readonly at?: string } = {}): Promise<ExceptionDetail> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ_ONLY, async (tx) =>
      readExceptionDetail(tx, code, await timeOf(tx, options.at)),
    );
  }

  /**
   * Requests an exception, which is in force as soon as its request is approved. Returns the existing one
   * if the same terms were requested before.
   */
  request(
    request: ExceptionRequest,
    options: ExceptionOptions & { readonly renew?: boolean },
  ): Promise<RequestedException> {
    return this.#act(options, (tx) => submitExceptionRequest(tx, request, options));
  }

  /**
   * Requests exceptions for many gaps of objects at once: the gaps of a legacy estate, for 90 days at most,
   * with one request, and another one for objects of risk write_high. Gaps that have an exception already are
   * left out.
   */
  requestListed(
    gaps: readonly ObjectGap[],
    options: ExceptionOptions & { readonly until: string },
  ): Promise<RequestedGaps> {
    return this.#act(options, (tx) => requestListed(tx, gaps, options));
  }

  /** Opens only the request; returns its code. */
  async openRequest(terms: ExceptionTerms, options: ExceptionOptions): Promise<string> {
    return this.#act(options, (tx) => requestException(tx, terms, options));
  }

  /** Writes an exception for a request that was opened before; returns its code. */
  async grant(
    terms: ExceptionTerms,
    options: ExceptionOptions & { readonly approvalRef?: string },
  ): Promise<string> {
    return this.#act(options, (tx) => grantException(tx, terms, options));
  }

  /** Revokes an exception and returns it. The next scan evaluates its subject again. */
  async revoke(code: string, options: ExceptionOptions): Promise<Exception> {
    return this.#act(options, async (tx) => {
      await revokeException(tx, code, options);
      return requireException(tx, code, await readServerTime(tx), { withUnits: true });
    });
  }

  async #act<T>(options: Pick<ExceptionOptions, 'dryRun'>, act: (tx: Transaction) => Promise<T>): Promise<T> {
    await this.#installation.requireInstalled();
    return options.dryRun ? this.#db.rehearse(ACT, act) : this.#db.transaction(ACT, act);
  }
}
