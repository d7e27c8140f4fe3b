// Owns the verbs on ways past the gate, each in a transaction of its own. Approving one is `gcos request approve`, like any other request.
import { type Database, readServerTime, type Transaction } from '../../db/index.js';
import type { Installation } from '../../host/index.js';
import {
  askForPass,
  closePass,
  type Pass,
  type PassPage,
  type PassRequest,
  type RequestedPass,
  readPasses,
} from './pass.js';

const LOOK = { isolation: 'repeatable read', readOnly: true } as const;
/** Read committed: who waited for another who asks must see what that one wrote. */
const ACT = { isolation: 'read committed', retries: 3 } as const;

export interface PassOptions {
  readonly as?: string;
  readonly at?: string;
  /** Do everything, show the result, and roll it back. */
  readonly dryRun?: boolean;
}

export class BreakGlass {
  readonly #db: Database;
  readonly #installation: Installation;

  constructor(db: Database, installation: Installation) {
    this.#db = db;
    this.#installation = installation;
  }

  /** As they stand, the latest first. */
  async list(page: PassPage & { readonly at?: string } = {}): Promise<readonly Pass[]> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(LOOK, async (tx) =>
      readPasses(tx, page.at ?? (await readServerTime(tx)), page),
    );
  }

  /** Asks for one: it opens when somebody else has approved its request, and from then on for its minutes. */
  ask(request: PassRequest, options: PassOptions & { readonly reason: string }): Promise<RequestedPass> {
    const { schema } = this.#db;
    return this.#act(options, (tx, at) => askForPass(tx, request, { ...options, schema, at }));
  }

  /** Closes one before its time. */
  close(code: string, options: PassOptions = {}): Promise<Pass> {
    return this.#act(options, (tx, at) => closePass(tx, code, { ...options, at }));
  }

  async #act<T>(options: PassOptions, act: (tx: Transaction, at: string) => Promise<T>): Promise<T> {
    await this.#installation.requireInstalled();
    const work = async (tx: Transaction) => act(tx, options.at ?? (await readServerTime(tx)));
    return options.dryRun ? this.#db.rehearse(ACT, work) : this.#db.transaction(ACT, work);
  }
}
