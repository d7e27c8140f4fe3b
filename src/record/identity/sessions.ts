// Owns browser sessions: opening one with a token or a link, ending it, and whom a presented credential acts
// for. INVARIANT: what travels to the database is the hash of a secret, as with tokens.
import type { Database } from '../../db/index.js';
import type { Installation } from '../../host/index.js';
import { actorProblem } from '../approval/index.js';
import { hashOf, type Permission } from './credential.js';
import { identityErrors } from './errors.js';
import { closeSession, createLink, openSession, readIdentity } from './session.sql.js';

export interface OpenedSession {
  /** The secret of the session, for the browser's cookie. */
  readonly secret: string;
  readonly expiresAt: string;
}

/** Whom a credential acts for. */
export interface Identity {
  readonly token: string;
  readonly name: string;
  /** Null: a pipeline. */
  readonly person: string | null;
  readonly approverType: string | null;
  readonly permissions: readonly Permission[];
  readonly scopes: readonly string[] | null;
  readonly owners: readonly string[] | null;
  readonly expiresAt: string;
}

const ACT = { isolation: 'read committed', retries: 3 } as const;

export class Sessions {
  readonly #db: Database;
  readonly #installation: Installation;

  /** @internal */
  constructor(db: Database, installation: Installation) {
    this.#db = db;
    this.#installation = installation;
  }

  /** Makes the secret of a link that opens one session for an own token, once, within ten minutes. */
  async createLink(tokenId: string): Promise<{ readonly link: string; readonly expiresAt: string }> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(ACT, async (tx) => {
      const row = await tx.one(createLink, { tokenId });
      if (row.outcome === 'token_unknown')
        throw identityErrors.token_unknown(`you have no token \`${tokenId}\``);
      if (row.outcome === 'token_revoked')
        throw identityErrors.token_revoked(`the token \`${tokenId}\` was revoked, or has expired`);
      const problem = actorProblem(row.outcome, row.login, null, tx.trustSchema);
      if (problem !== undefined) throw problem;
      return { link: row.link ?? '', expiresAt: row.expires_at ?? '' };
    });
  }

  /** Opens a session with a token, or with an unused link. */
  async open(credential: string): Promise<OpenedSession> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(ACT, async (tx) => {
      const row = await tx.one(openSession, { credential: hashOf(credential) });
      return { secret: row.secret, expiresAt: row.expires_at };
    });
  }

  /** Ends a session, or every session of its person; returns how many ended. */
  async close(secret: string, { everywhere = false } = {}): Promise<bigint> {
    await this.#installation.requireInstalled();
    const params = { credential: hashOf(secret), everywhere };
    return this.#db.transaction(ACT, async (tx) => (await tx.one(closeSession, params)).ended);
  }

  /** Whom the presented credential acts for; undefined without one (`gcos.as`). */
  async show(): Promise<Identity | undefined> {
    await this.#installation.requireInstalled();
    const read = { isolation: 'repeatable read', readOnly: true } as const;
    return this.#db.transaction(read, async (tx) => {
      const [row] = await tx.run(readIdentity, {});
      if (row === undefined) return undefined;
      return {
        token: row.token_id,
        name: row.token_name,
        person: row.person_ref,
        approverType: row.approver_type,
        permissions: row.permissions as Permission[],
        scopes: row.scopes,
        owners: row.owners,
        expiresAt: row.expires_at,
      };
    });
  }
}
