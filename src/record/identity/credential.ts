// Owns the form of a credential, and presenting it in every transaction of a database. INVARIANT: what
// travels to the database is a hash of the token, as a bound parameter, so that no log of a server and no
// list of its sessions can show the token.
import { createHash } from 'node:crypto';
import { type Database, dbErrors, type ParamsOf } from '../../db/index.js';
import { present } from './present.sql.js';

export const PERMISSIONS = ['read', 'gate', 'decide', 'operate'] as const;
/** What a token permits: reading, asking the gate, deciding as its person, operating workers and settings. */
export type Permission = (typeof PERMISSIONS)[number];

export interface Presented {
  /** The token, as `gcos token create` printed it. */
  readonly credential: string;
  /** What the operation needs; its transactions can use no other permission of the token. */
  readonly permission: Permission;
  /** The scope that the operation reads; a token limited to scopes must name one of them. */
  readonly scope?: string;
  /** The body whose objects the operation reads; a token limited to owners must name one of them. */
  readonly owner?: string;
}

const FORM = /^(gcos_[0-9a-f]{12}_[0-9a-f]{64})([0-9a-f]{8})$/;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** What travels to the database in place of a secret; throws if its form is wrong. */
export function hashOf(secret: string): string {
  const [, body, checksum] = FORM.exec(secret) ?? [];
  if (body === undefined || sha256(body).slice(0, 8) !== checksum)
    throw dbErrors.credential_unknown('what was presented does not have the form of a token');
  return sha256(secret);
}

/** How often the use of a token is noted for operations that only read. */
const NOTE_USE_MS = 60_000;
/** More tokens than that in a minute are noted more often than necessary. */
const NOTED_AT_MOST = 1_000;

/** Presents credentials for a process; it remembers, by their hashes, whose use it has noted. */
export class Credentials {
  readonly #noted = new Map<string, number>();

  /** `db` with a credential that every transaction presents first; throws if its form is wrong. */
  presentIn(db: Database, presented: Presented): Database {
    const params = {
      credential: hashOf(presented.credential),
      permission: presented.permission,
      scope: presented.scope ?? null,
      owner: presented.owner ?? null,
    };
    return db.withSetting(async (tx, { readOnly, isolation }, settings) => {
      await tx.runPrepared(present, { ...params, ...settings });
      if (readOnly || isolation !== 'read committed') await this.#noteUse(db, params);
    });
  }

  /** A transaction that only reads cannot note the use: another one does, at most once a minute. */
  async #noteUse(db: Database, params: Omit<ParamsOf<typeof present>, 'names' | 'values'>): Promise<void> {
    const now = performance.now();
    if (now - (this.#noted.get(params.credential) ?? Number.NEGATIVE_INFINITY) < NOTE_USE_MS) return;
    if (this.#noted.size >= NOTED_AT_MOST) this.#noted.clear();
    this.#noted.set(params.credential, now);
    // Best effort: a standby cannot write it.
    await db
      .transaction({ isolation: 'read committed' }, (tx) =>
        tx.one(present, { ...params, names: [], values: [] }),
      )
      .catch(() => undefined);
  }
}
