// Owns the verbs about exceptions, each in a transaction of its own.
import { type Database, readServerTime, type Transaction } from '../../db/index.js';
import type { HostMapping, Installation } from '../../host/index.js';
import { askForException, type ExceptionRequest, type RequestedException } from './ask.js';
import { type ExceptionTerms, grantException, requestException, revokeException } from './exception.js';
import {
  type Exception,
  type ExceptionDetail,
  type ExceptionFilter,
  readExceptionDetail,
  readExceptions,
  requireException,
} from './read.js';

const LOOK = { isolation: 'repeatable read', readOnly: true } as const;
/** Read committed: who waited for another who asks must see what that one wrote. */
const ACT = { isolation: 'read committed', retries: 3 } as const;

export interface ExceptionOptions {
  readonly reason: string;
  readonly as?: string;
  readonly at?: string;
  /** Do everything, show the result, and roll it back. */
  readonly dryRun?: boolean;
}

export class Exceptions {
  readonly #db: Database;
  readonly #installation: Installation;

  constructor(db: Database, installation: Installation) {
    this.#db = db;
    this.#installation = installation;
  }

  /** As they stand, with how much each is needed. */
  async list(filter: ExceptionFilter & { readonly at?: string } = {}): Promise<readonly Exception[]> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(LOOK, async (tx) =>
      readExceptions(tx, filter.at ?? (await readServerTime(tx)), { limit: 50, withUnits: true, ...filter }),
    );
  }

  /** Everything about one. */
  async show(code: string, options: { readonly at?: string } = {}): Promise<ExceptionDetail> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(LOOK, async (tx) =>
      readExceptionDetail(tx, code, options.at ?? (await readServerTime(tx))),
    );
  }

  /** Asks for one: it holds as soon as its request is approved. Returns the one there is, where the same was asked for before. */
  ask(
    request: ExceptionRequest,
    options: ExceptionOptions & { readonly renew?: boolean },
  ): Promise<RequestedException> {
    return this.#act(options, (tx, at, mapping) => askForException(tx, request, { ...options, at, mapping }));
  }

  /** Opens the request alone; returns its code. */
  async request(terms: ExceptionTerms, options: ExceptionOptions): Promise<string> {
    return this.#act(options, (tx) => requestException(tx, terms, options));
  }

  /** Writes an exception down that rests on a request opened before; returns its code. */
  async grant(
    terms: ExceptionTerms,
    options: ExceptionOptions & { readonly approvalRef?: string },
  ): Promise<string> {
    return this.#act(options, (tx, at, mapping) => grantException(tx, terms, { ...options, at, mapping }));
  }

  /** Takes one back; returns it. What it was about is looked at again by the next scan. */
  async revoke(code: string, options: ExceptionOptions): Promise<Exception> {
    return this.#act(options, async (tx, at, mapping) => {
      await revokeException(tx, code, { ...options, mapping, at });
      return requireException(tx, code, at, { withUnits: true });
    });
  }

  async #act<T>(
    options: Pick<ExceptionOptions, 'at' | 'dryRun'>,
    act: (tx: Transaction, at: string, mapping: HostMapping) => Promise<T>,
  ): Promise<T> {
    const mapping = await this.#installation.hostVocabulary();
    const work = async (tx: Transaction) => act(tx, options.at ?? (await readServerTime(tx)), mapping);
    return options.dryRun ? this.#db.rehearse(ACT, work) : this.#db.transaction(ACT, work);
  }
}
