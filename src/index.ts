// The public API: `openGcos(config)` gives the verbs. It wires the rooms together: what each contributes to the
// schema, to the doctor and to the reference is listed here and nowhere else.
import { readFileSync } from 'node:fs';
import { readScale, readStatus, type Status } from './answer/index.js';
import {
  Database,
  type DatabaseOptions,
  dbErrors,
  dumpParts,
  dumpSchema,
  EmbeddedServer,
  embeddedErrors,
  floorMigration,
  type InstallOptions,
  type InstallResult,
  installFiles,
  installSchema,
  type Migration,
  migrationStatements,
  readSchemaState,
  readSetting,
  readSettingRow,
  requireCurrent,
  type SchemaDefinition,
  type SchemaFiles,
  type Statement,
  schemaErrors,
  settingErrors,
  type UninstallOptions,
  uninstallFile,
  uninstallSchema,
  upgradeFile,
  upgradeSchema,
} from './db/index.js';
import {
  changelogMigration,
  changelogPurge,
  type DoctorReport,
  examineHost,
  type HostMapping,
  hostExtensions,
  hostMigration,
  hostStatements,
  mapHost,
  mappingSetting,
  planGrants,
  trialWrites,
} from './host/index.js';
import { type Config, configErrors, type ErrorKinds } from './kernel/index.js';

export type { Answer, Status } from './answer/index.js';
export type { InstallOptions, InstallResult, SchemaFiles, UninstallOptions } from './db/index.js';
export type { DoctorLine, DoctorReport } from './host/index.js';
export { type Config, GcosError, loadConfig } from './kernel/index.js';

/** Version of the package, as in package.json. */
export const version: string = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

/** GCOS's schema, in the order it was built. */
export const migrations: readonly Migration[] = [floorMigration, hostMigration, changelogMigration];

/** Every statement the product runs, for the contract test. */
export const statements: readonly Statement[] = [
  ...migrationStatements,
  ...dumpParts,
  readSettingRow,
  ...hostStatements,
  readScale,
] as readonly Statement[];

/** Every error the library can raise, for the reference. */
export const errorKinds: ErrorKinds = {
  ...configErrors.kinds,
  ...dbErrors.kinds,
  ...embeddedErrors.kinds,
  ...schemaErrors.kinds,
  ...settingErrors.kinds,
};

export interface OpenOptions {
  /** Aborting it cancels what runs and rolls it back. */
  readonly signal?: AbortSignal;
}

/** The verbs of GCOS over one database. */
export class Gcos {
  /** The database, for rooms above: the demo estate and tests. */
  readonly db: Database;
  readonly #definition: SchemaDefinition;
  readonly #leave: () => Promise<void>;
  #words: Promise<HostMapping> | undefined;

  constructor(db: Database, definition: SchemaDefinition, leave: () => Promise<void>) {
    this.db = db;
    this.#definition = definition;
    this.#leave = leave;
  }

  /** The host's words for GCOS's, worked out once per connection: constraints rarely change while a command runs. */
  words(): Promise<HostMapping> {
    this.#words ??= this.db.transaction({ isolation: 'repeatable read', readOnly: true }, async (tx) => {
      const state = await readSchemaState(tx, this.db.schema, this.#definition.migrations);
      requireCurrent(state, this.db.schema);
      return mapHost(tx, this.db.schema, await readSetting(tx, 'host.mapping', mappingSetting, {}));
    });
    return this.#words;
  }

  init(options: InstallOptions = {}): Promise<InstallResult> {
    return installSchema(this.db, this.#definition, options);
  }

  /** What `init` would run, as a file for psql with its reverse. Writes nothing. */
  initFiles(options: InstallOptions, names: SchemaFiles): Promise<SchemaFiles> {
    return installFiles(this.db, this.#definition, options, names);
  }

  /** Applies pending migrations; returns them. */
  upgrade(): Promise<readonly Migration[]> {
    return upgradeSchema(this.db, this.#definition);
  }

  upgradeFile(): Promise<string> {
    return upgradeFile(this.db, this.#definition);
  }

  uninstall(options: UninstallOptions = {}): Promise<void> {
    return uninstallSchema(this.db, this.#definition, options);
  }

  uninstallFile(options: UninstallOptions = {}): Promise<string> {
    return uninstallFile(this.db, this.#definition, options);
  }

  dumpSchema(): Promise<string> {
    return dumpSchema(this.db);
  }

  doctor(): Promise<DoctorReport> {
    return examineHost(this.db, { migrations: this.#definition.migrations, trials: trialWrites });
  }

  status(): Promise<Status> {
    return readStatus(this.db, this.#definition.migrations);
  }

  /** Closes the connections; the embedded server stops if nobody else uses it. */
  async close(): Promise<void> {
    try {
      await this.db.close();
    } finally {
      await this.#leave();
    }
  }
}

/** The database that `target` names, and what to do when done with it. */
async function reach(
  target: Config['target'],
): Promise<{ target: DatabaseOptions['target']; leave: () => Promise<void> }> {
  if (target.kind !== 'embedded') return { target, leave: async () => undefined };
  const server = new EmbeddedServer(target.home);
  return { target: { kind: 'url', url: await server.enter() }, leave: () => server.leave() };
}

/** Connects as `config` says, starting the embedded server if that is what it says. */
export async function openGcos(config: Config, options: OpenOptions = {}): Promise<Gcos> {
  const { target, leave } = await reach(config.target);
  const { schema, rolePrefix, poolSize, connectTimeoutMs, statementTimeoutMs, lockTimeoutMs } = config;
  const limits = { poolSize, connectTimeoutMs, statementTimeoutMs, lockTimeoutMs };
  const db = new Database({ target, schema, ...limits, ...options });
  const definition: SchemaDefinition = {
    version,
    schema,
    rolePrefix,
    migrations,
    extensions: hostExtensions,
    hostGrants: (tx) => planGrants(tx, schema),
    seeds: async () => [],
    purges: async () => [changelogPurge],
  };
  return new Gcos(db, definition, leave);
}
