// Owns whether this version of GCOS is installed in a database. Each instance reads it only once, because it
// does not change while a command runs. A failure is not cached.
import { type Database, type Migration, readSchemaState, requireCurrent } from '../db/index.js';

const READ_ONLY = { isolation: 'repeatable read', readOnly: true } as const;

/** Caches the result of `find`; calls it again after a failure. */
function once<T>(find: () => Promise<T>): () => Promise<T> {
  let found: Promise<T> | undefined;
  return () => {
    found ??= find().catch((error: unknown) => {
      found = undefined;
      throw error;
    });
    return found;
  };
}

export class Installation {
  /** Throws unless this version of the schema is installed. */
  readonly requireInstalled: () => Promise<void>;
  /** Does the same, and asks the database each time: an upgrade may come while a process runs. */
  readonly requireInstalledNow: () => Promise<void>;

  constructor(db: Database, migrations: readonly Migration[]) {
    this.requireInstalledNow = () =>
      db.transaction(READ_ONLY, async (tx) => {
        requireCurrent(await readSchemaState(tx, db.schema, migrations), db.schema);
      });
    this.requireInstalled = once(this.requireInstalledNow);
  }
}
