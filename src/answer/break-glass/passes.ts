// Owns the public operations on break-glass passes, each in its own transaction. `gcos request approve`
// approves them, like any other request.
import { type Database, readServerTime, type Transaction } from '../../db/index.js';
import type { Installation } from '../../host/index.js';
import {
  closePass,
  type Pass,
  type PassPage,
  type PassRequest,
  type RequestedPass,
  readPasses,
  submitPassRequest,
} from './pass.js';

const READ_ONLY = { isolation: 'repeatable read', readOnly: true } as const;
/** Read committed: a session that waited for another request must see its rows. */
const ACT = { isolation: 'read committed', retries: 3 } as const;

export interface PassOptions {
  readonly as?: string;
  /** Runs everything, returns the result, and rolls back. */
  readonly dryRun?: boolean;
}

export class BreakGlass {
  readonly #db: Database;
  readonly #installation: Installation;

  /** @internal */
  constructor(db: Database, installation: Installation) {
    this.#db = db;
    this.#installation = installation;
  }

  /** Passes with their status, now or at another time, the latest first. */
  async list(page: PassPage & { readonly at?: string } = {}): Promise<readonly Pass[]> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ_ONLY, async (tx) =>
      readPasses(tx, page.at ?? (await readServerTime(tx)), page),
    );
  }

  /** Requests a pass: it is in force for its minutes from the approval by another person. */
  request(request: PassRequest, options: PassOptions & { readonly reason: string }): Promise<RequestedPass> {
    return this.#act(options, (tx) => submitPassRequest(tx, request, options));
  }

  /** Closes a pass early. */
  close(code: string, options: PassOptions = {}): Promise<Pass> {
    return this.#act(options, (tx) => closePass(tx, code, options));
  }

  async #act<T>(options: PassOptions, act: (tx: Transaction) => Promise<T>): Promise<T> {
    await this.#installation.requireInstalled();
    return options.dryRun ? this.#db.rehearse(ACT, act) : this.#db.transaction(ACT, act);
  }
}
