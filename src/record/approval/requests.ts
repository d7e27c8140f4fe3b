// Owns the operations on requests, each in its own transaction.
import type { Database, Transaction } from '../../db/index.js';
import type { Installation } from '../../host/index.js';
import { type ActOptions, decideRequest, openRequest, withdrawRequest } from './act.js';
import {
  type ApprovalRequest,
  listRequests,
  type RequestDetail,
  type RequestPage,
  readRequestDetail,
} from './request.js';

export interface RequestOptions extends ActOptions {
  /** Do everything, show the result, and roll it back. */
  readonly dryRun?: boolean;
}

const READ_ONLY = { isolation: 'repeatable read', readOnly: true } as const;
/** Read committed: after waiting for another decision, the transaction must see that decision. */
const ACT = { isolation: 'read committed', retries: 3 } as const;

export class Requests {
  readonly #db: Database;
  readonly #installation: Installation;

  /** @internal */
  constructor(db: Database, installation: Installation) {
    this.#db = db;
    this.#installation = installation;
  }

  /** GCOS's requests, newest first. */
  async list(page: RequestPage = { limit: 50 }): Promise<ApprovalRequest[]> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ_ONLY, (tx) => listRequests(tx, page));
  }

  async show(code: string): Promise<RequestDetail> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ_ONLY, (tx) => readRequestDetail(tx, code));
  }

  open(
    action: string,
    proposedAction: Readonly<Record<string, unknown>>,
    options: Omit<RequestOptions, 'reason'> = {},
  ): Promise<RequestDetail> {
    return this.#act(options, (tx) => openRequest(tx, action, proposedAction, options));
  }

  approve(code: string, options: RequestOptions = {}): Promise<RequestDetail> {
    return this.#act(options, async (tx) => {
      await decideRequest(tx, code, 'approve', options);
      return code;
    });
  }

  /** One rejection is enough; it needs a reason. */
  reject(code: string, options: RequestOptions): Promise<RequestDetail> {
    return this.#act(options, async (tx) => {
      await decideRequest(tx, code, 'reject', options);
      return code;
    });
  }

  /** Only the proposer can withdraw a request. */
  withdraw(code: string, options: RequestOptions = {}): Promise<RequestDetail> {
    return this.#act(options, async (tx) => {
      await withdrawRequest(tx, code, options);
      return code;
    });
  }

  /** Acts, and reads the resulting request. */
  async #act(options: RequestOptions, act: (tx: Transaction) => Promise<string>): Promise<RequestDetail> {
    await this.#installation.requireInstalled();
    const work = async (tx: Transaction) => readRequestDetail(tx, await act(tx));
    return options.dryRun ? this.#db.rehearse(ACT, work) : this.#db.transaction(ACT, work);
  }
}
