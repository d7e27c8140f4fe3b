// Owns whether GCOS is installed in a database as this code knows it, and the host's vocabulary there. Both are found out once per
// connection: neither changes while a command runs, and a failure is not remembered.
import { type Database, type Migration, readSchemaState, readSetting, requireCurrent } from '../db/index.js';
import { type HostMapping, mapHost, mappingSetting } from './mapping.js';

const LOOK = { isolation: 'repeatable read', readOnly: true } as const;

/** What `find` returns, found out once; again after a failure. */
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
  /** Throws unless the schema is installed, and of this version. */
  readonly requireInstalled: () => Promise<void>;
  /** The host's words for GCOS's; throws like `requireInstalled`. */
  readonly hostVocabulary: () => Promise<HostMapping>;

  constructor(db: Database, migrations: readonly Migration[]) {
    this.requireInstalled = once(() =>
      db.transaction(LOOK, async (tx) => {
        requireCurrent(await readSchemaState(tx, db.schema, migrations), db.schema);
      }),
    );
    this.hostVocabulary = once(async () => {
      await this.requireInstalled();
      return db.transaction(LOOK, async (tx) =>
        mapHost(tx, db.schema, await readSetting(tx, 'host.mapping', mappingSetting, {})),
      );
    });
  }
}
