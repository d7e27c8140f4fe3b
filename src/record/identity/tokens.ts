// Owns the operations on API tokens. The database makes the secret, decides who may create and revoke, and
// never returns a secret again.
import type { Database, RowOf, Transaction } from '../../db/index.js';
import { type Installation, requireOwner, requireScope } from '../../host/index.js';
import { requireKnown, requireLimit } from '../../kernel/index.js';
import { actorProblem } from '../approval/index.js';
import { PERMISSIONS, type Permission } from './credential.js';
import { identityErrors } from './errors.js';
import { createToken, listTokens, revokeToken } from './token.sql.js';

export interface TokenLine {
  /** Part of the token, after `gcos_`. */
  readonly id: string;
  readonly name: string;
  /** Null: a pipeline, which only reads and asks the gate. */
  readonly person: string | null;
  readonly permissions: readonly Permission[];
  /** Null: no limit. */
  readonly scopes: readonly string[] | null;
  readonly owners: readonly string[] | null;
  /** person_inactive: it works again once its person is active. */
  readonly status: 'active' | 'expired' | 'revoked' | 'person_inactive';
  readonly createdAt: string;
  readonly createdBy: string;
  readonly expiresAt: string;
  /** To the minute; null: never. */
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
  readonly revokedBy: string | null;
}

export interface TokenOptions {
  readonly name: string;
  readonly permissions: readonly Permission[];
  /** The person for whom it acts; by default the acting person. Another one needs an administrator. */
  readonly person?: string;
  /** For a program and no person; needs an administrator. */
  readonly pipeline?: boolean;
  readonly scopes?: readonly string[];
  readonly owners?: readonly string[];
  /** By default the setting token.lifetime. */
  readonly days?: number;
}

export interface TokenActOptions {
  /** Do everything, show the result, and roll it back. */
  readonly dryRun?: boolean;
}

export interface CreatedToken {
  readonly id: string;
  /** The token itself. It is not stored, and cannot be shown again. */
  readonly token: string;
  readonly name: string;
  readonly person: string | null;
  readonly permissions: readonly Permission[];
  readonly expiresAt: string;
  readonly createdBy: string;
}

export interface TokenPage {
  readonly limit: number;
  /** The id of the last token of the previous page. */
  readonly after?: string;
}

const READ = { isolation: 'repeatable read', readOnly: true } as const;
const ACT = { isolation: 'read committed', retries: 3 } as const;

const PROBLEMS: Readonly<Record<string, string>> = {
  name_invalid: 'a token needs a name of at most 100 characters',
  permissions_invalid: `a token needs permissions, of ${PERMISSIONS.join(', ')}`,
  pipeline_acts: 'a pipeline has no person: its token can only have the permissions read and gate',
  limited_acts: 'a token limited to scopes or owners can only have the permissions read and gate',
  gate_in_scopes:
    'the gate answers for all scopes at once: a token that asks it can only be limited to owners',
};

const asLine = (row: RowOf<typeof listTokens>): TokenLine => ({
  id: row.token_id,
  name: row.token_name,
  person: row.person_ref,
  permissions: row.permissions as Permission[],
  scopes: row.scopes,
  owners: row.owners,
  status: row.status as TokenLine['status'],
  createdAt: row.created_at,
  createdBy: row.created_by,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
  revokedAt: row.revoked_at,
  revokedBy: row.revoked_by,
});

export class Tokens {
  readonly #db: Database;
  readonly #installation: Installation;

  /** @internal */
  constructor(db: Database, installation: Installation) {
    this.#db = db;
    this.#installation = installation;
  }

  /** Creates a token and returns it, once. */
  async create(options: TokenOptions, { dryRun }: TokenActOptions = {}): Promise<CreatedToken> {
    return this.#act(dryRun, (tx) => create(tx, options));
  }

  /** Newest first. */
  async list(page: TokenPage = { limit: 50 }): Promise<readonly TokenLine[]> {
    await this.#installation.requireInstalled();
    const limit = BigInt(requireLimit(page.limit));
    const { after = null } = page;
    return this.#db.transaction(READ, async (tx) => {
      if (after !== null) await find(tx, after);
      return (await tx.run(listTokens, { tokenId: null, after, limit })).map(asLine);
    });
  }

  /** Revokes a token: the next transaction that presents it is refused. */
  async revoke(id: string, { dryRun }: TokenActOptions = {}): Promise<TokenLine> {
    return this.#act(dryRun, async (tx) => {
      const row = await tx.one(revokeToken, { tokenId: id });
      if (row.outcome === 'token_unknown') throw unknown(id);
      if (row.outcome === 'token_revoked')
        throw identityErrors.token_revoked(`the token \`${id}\` was revoked before`);
      if (row.outcome === 'not_administrator')
        throw identityErrors.administrator_required(`the token \`${id}\` is not yours`);
      const problem = actorProblem(row.outcome, row.login, null, tx.trustSchema);
      if (problem !== undefined) throw problem;
      return find(tx, id);
    });
  }

  async #act<T>(dryRun: boolean | undefined, work: (tx: Transaction) => Promise<T>): Promise<T> {
    await this.#installation.requireInstalled();
    return dryRun ? this.#db.rehearse(ACT, work) : this.#db.transaction(ACT, work);
  }
}

const unknown = (id: string) => identityErrors.token_unknown(`there is no token \`${id}\``);

async function find(tx: Transaction, id: string): Promise<TokenLine> {
  const [row] = await tx.run(listTokens, { tokenId: id, after: null, limit: 1n });
  if (row === undefined) throw unknown(id);
  return asLine(row);
}

async function create(tx: Transaction, options: TokenOptions): Promise<CreatedToken> {
  const {
    name,
    permissions,
    person = null,
    pipeline = false,
    scopes = null,
    owners = null,
    days = null,
  } = options;
  if (name.includes('\0')) throw identityErrors.token_invalid('a name cannot contain a null character');
  if (pipeline && person !== null)
    throw identityErrors.token_invalid('a token is for a person or for a pipeline');
  for (const each of permissions) requireKnown(each, { what: 'permission', known: PERMISSIONS });
  for (const scope of scopes ?? []) await requireScope(tx, scope);
  for (const owner of owners ?? []) await requireOwner(tx, owner);
  const row = await tx.one(createToken, {
    name,
    person,
    pipeline,
    permissions: [...permissions],
    scopes: scopes === null ? null : [...scopes],
    owners: owners === null ? null : [...owners],
    days,
  });
  const invalid = PROBLEMS[row.outcome];
  if (invalid !== undefined) throw identityErrors.token_invalid(invalid);
  if (row.outcome === 'too_long')
    throw identityErrors.token_invalid(`a token lasts between 1 and ${row.detail} days`);
  if (row.outcome === 'not_administrator')
    throw identityErrors.administrator_required(
      `the login \`${row.login}\` creates tokens only for its own person`,
    );
  if (row.outcome === 'person_unknown')
    throw identityErrors.person_unknown(`there is no active person \`${person}\``);
  const problem = actorProblem(row.outcome, row.login, null, tx.trustSchema);
  if (problem !== undefined) throw problem;
  return {
    id: row.token_id ?? '',
    token: row.token ?? '',
    name: name.trim(),
    person: row.person_ref,
    permissions,
    expiresAt: row.expires_at ?? '',
    createdBy: row.created_by ?? '',
  };
}
