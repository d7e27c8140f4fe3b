// Owns the commands about input, each in its own transaction: list the input that is not accepted with its
// causes, and record decisions of people.
import type { Database, Transaction } from '../../db/index.js';
import { type Installation, requireCollection } from '../../host/index.js';
import { requireKnown, requireLimit, valueErrors } from '../../kernel/index.js';
import { type IdentityLevel, levelOf } from '../../record/approval/index.js';
import {
  type InputAct,
  type InputActOptions,
  quarantineObjects,
  releaseObjects,
  type TrustDecision,
  trustSource,
} from './act/act.js';
import type { ObjectKey } from './birth/pick.js';
import { inputErrors } from './errors.js';
import { codeExists, countStates, findSubject, listRows, listTrust } from './inputs.sql.js';
import type { TrustLevel } from './policy.js';
import { requireSource, storedCollections } from './source.js';
import { INPUT_STATES, type InputState } from './states.js';

export interface InputFilter {
  readonly state?: InputState;
  readonly collection?: string;
  readonly code?: string;
  readonly limit?: number;
  /** The key of the last line of the previous page. */
  readonly after?: string;
}

/** An object, or a whole collection, that is not accepted. */
export interface InputLine {
  readonly key: string;
  readonly collection: string;
  /** Null: the whole collection. */
  readonly code: string | null;
  readonly state: InputState;
  readonly cause: string;
  /** Null: in every scope. */
  readonly scopes: readonly string[] | null;
  readonly since: string;
  readonly relapses: number;
  readonly quarantine: { readonly at: string; readonly by: string; readonly reason: string | null } | null;
  /** A person decided about it, and no evaluation has applied the decision yet. */
  readonly pending: boolean;
}

export interface InputPage {
  readonly inputs: readonly InputLine[];
  /** Number of objects and collections per state; for needs_backfill, the number of births. */
  readonly counts: Readonly<Record<string, bigint>>;
  readonly next: string | null;
}

export interface TrustLine {
  readonly kind: 'origin' | 'collection';
  readonly source: string;
  readonly scope: string | null;
  readonly level: TrustLevel | 'default';
  readonly reason: string | null;
  readonly setBy: string;
  readonly verified: boolean | null;
  /** How the person was identified. */
  readonly identityLevel: IdentityLevel | null;
  readonly setAt: string;
  readonly pending: boolean;
}

export interface InputVerbOptions {
  /** The person to act for. Only a login with that right may set it, and the identity is then unverified. */
  readonly as?: string;
  readonly reason?: string;
  /** Run everything, return the result, and roll back. */
  readonly dryRun?: boolean;
}

const READ_ONLY = { isolation: 'repeatable read', readOnly: true } as const;
const ACT = { isolation: 'read committed', retries: 3 } as const;

/** Throws if the state, the collection or the object of a filter does not exist. */
async function requireInputFilter(tx: Transaction, filter: InputFilter): Promise<void> {
  const { state, collection, code } = filter;
  if (state !== undefined) requireKnown(state, { what: 'state', known: INPUT_STATES });
  if (collection !== undefined) await requireCollection(tx, collection, storedCollections);
  if (code === undefined) return;
  const { known } = await tx.one(codeExists, { code, collection: collection ?? null });
  if (!known) throw valueErrors.value_unknown(`no object has the code \`${code}\``, { help: LOOK_UP });
}

const LOOK_UP = '`gcos explain COLLECTION CODE` looks an object up; codes are compared exactly';

/** The commands about input on one database. */
export class Inputs {
  readonly #db: Database;
  readonly #installation: Installation;

  /** @internal */
  constructor(db: Database, installation: Installation) {
    this.#db = db;
    this.#installation = installation;
  }

  /** Input that is not accepted, by collection and key. */
  async list(filter: InputFilter = {}): Promise<InputPage> {
    await this.#installation.requireInstalled();
    const { state, collection, code, after } = filter;
    const limit = requireLimit(filter.limit ?? 50);
    return this.#db.transaction(READ_ONLY, async (tx) => {
      await requireInputFilter(tx, filter);
      if (after !== undefined && (await tx.run(findSubject, { key: after })).length === 0)
        throw inputErrors.input_invalid(`\`${after}\` is not a key of a previous page`);
      const rows = await tx.run(listRows, {
        state: state ?? null,
        collection: collection ?? null,
        code: code ?? null,
        limit: BigInt(limit) + 1n,
        after: after ?? null,
      });
      const counted = await tx.run(countStates, {});
      const inputs = rows.slice(0, limit).map((row) => ({
        key: row.subject_key,
        collection: row.collection_name,
        code: row.entity_code,
        state: row.input_state as InputState,
        cause: row.cause,
        scopes: row.scopes,
        since: row.since,
        relapses: row.relapses,
        quarantine:
          row.quarantined_at === null
            ? null
            : { at: row.quarantined_at, by: row.quarantined_by ?? '', reason: row.quarantine_reason },
        pending: row.pending,
      }));
      return {
        inputs,
        counts: Object.fromEntries(counted.map((row) => [row.input_state, row.subjects])),
        next: rows.length > limit ? (inputs.at(-1)?.key ?? null) : null,
      };
    });
  }

  /** The recorded trust decisions. */
  async trustList(
    filter: { readonly source?: string; readonly limit?: number } = {},
  ): Promise<readonly TrustLine[]> {
    await this.#installation.requireInstalled();
    const { source } = filter;
    const limit = requireLimit(filter.limit ?? 1_000);
    const rows = await this.#db.transaction(READ_ONLY, async (tx) => {
      if (source !== undefined) await requireSource(tx, source);
      return tx.run(listTrust, { source: source ?? null, limit: BigInt(limit) });
    });
    return rows.map((row) => ({
      kind: row.source_kind as TrustLine['kind'],
      source: row.source,
      scope: row.scope === '*' ? null : row.scope,
      level: row.level as TrustLine['level'],
      reason: row.reason,
      setBy: row.set_by,
      verified: row.verified,
      identityLevel: levelOf(row.login, row.verified),
      setAt: row.set_at,
      pending: row.pending,
    }));
  }

  quarantine(keys: readonly ObjectKey[], options: InputVerbOptions = {}): Promise<InputAct> {
    return this.#act(options, (tx, context) => quarantineObjects(tx, keys, context));
  }

  release(keys: readonly ObjectKey[], options: InputVerbOptions = {}): Promise<InputAct> {
    return this.#act(options, (tx, context) => releaseObjects(tx, keys, context));
  }

  trust(
    decision: TrustDecision,
    options: InputVerbOptions = {},
  ): Promise<InputAct & { readonly before: string | null }> {
    return this.#act(options, (tx, context) => trustSource(tx, decision, context));
  }

  async #act<T>(
    { dryRun, ...who }: InputVerbOptions,
    work: (tx: Transaction, who: InputActOptions) => Promise<T>,
  ): Promise<T> {
    await this.#installation.requireInstalled();
    const run = (tx: Transaction) => work(tx, who);
    return dryRun === true ? this.#db.rehearse(ACT, run) : this.#db.transaction(ACT, run);
  }
}
