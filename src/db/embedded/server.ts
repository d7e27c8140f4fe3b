// Owns the life cycle of the embedded server:
//
//   absent ──enter──▶ created ──▶ running ◀──enter── running (found and reused)
//                                   │ leave: the last client stops it, unless it is pinned (`gcos db start`)
//                                   ▼
//                                stopped ──enter──▶ running
//
// Every transition holds the lock of the home directory. A killed server counts as stopped.
import { randomBytes, randomUUID } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { translateError } from '../errors.js';
import { serverAccount } from './account.js';
import { type Binaries, findBinaries, prepareBinaries } from './binaries.js';
import { enter, leave, others } from './clients.js';
import {
  type Cluster,
  createCluster,
  hasData,
  logOf,
  type Postmaster,
  removeData,
  runningPostmaster,
  startCluster,
  stopCluster,
} from './cluster.js';
import { embeddedErrors } from './errors.js';
import { Home, type State } from './home.js';
import { withLock } from './lock.js';

const SUPERUSER = 'postgres';
const DATABASE = 'gcos';
const LOCK_TIMEOUT_MS = 120_000;

export interface EmbeddedOptions {
  /** The binaries to run; by default the newest supported version. */
  readonly binaries?: Binaries;
  /** Server settings that override the defaults. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface EmbeddedStatus {
  readonly running: boolean;
  readonly pinned: boolean;
  readonly pid: number | undefined;
  readonly port: number | undefined;
  readonly version: string;
  readonly folder: string;
  readonly log: string;
  /** Process ids of other commands that use the server. */
  readonly clients: readonly number[];
}

export class EmbeddedServer {
  readonly #home: Home;
  readonly #options: EmbeddedOptions;
  /** One process may have several clients of the server; each has its own name. */
  readonly #client = `${process.pid}-${randomUUID().slice(0, 8)}`;

  constructor(home: string, options: EmbeddedOptions = {}) {
    this.#home = new Home(home);
    this.#options = options;
  }

  /** Registers a client, starts the server if it does not run, and returns its URL. */
  async enter(signal?: AbortSignal): Promise<string> {
    // Register before taking the lock: a process that is about to stop the server sees the waiting client.
    this.#home.ensure();
    this.#home.guard(() => enter(this.#home.clients, this.#client));
    try {
      return await this.#locked(() => this.#ensureRunning(), signal);
    } catch (error) {
      // Interrupted while waiting: the holder of the lock manages the server. Otherwise stop a server that
      // this call may have started. In both cases report the first error.
      if (signal?.aborted) leave(this.#home.clients, this.#client);
      else await this.leave().catch(() => undefined);
      throw error;
    }
  }

  /** Removes this client; stops the server if it has no other clients and is not pinned. */
  async leave(): Promise<void> {
    leave(this.#home.clients, this.#client);
    await this.#locked(async () => {
      const state = this.#home.readState();
      if (state === undefined || state.pinned || this.#others().length > 0) return;
      await stopCluster(this.#cluster(state));
    });
  }

  /** Keeps the server running after this command, until `stop`. */
  async pin(): Promise<void> {
    await this.#locked(async () => {
      const state = this.#home.readState();
      if (state !== undefined) this.#home.writeState({ ...state, pinned: true });
    });
  }

  /** Stops the server and removes the pin. Refuses while other commands use it, unless forced. */
  async stop(options: { force: boolean }): Promise<{ wasRunning: boolean }> {
    if (!this.#home.exists) return { wasRunning: false };
    this.#home.check();
    return this.#locked(async () => {
      const state = this.#home.readState();
      if (state === undefined) return { wasRunning: false };
      const users = this.#others();
      if (users.length > 0 && !options.force) {
        throw embeddedErrors.embedded_in_use(
          `${users.length} other command(s) use it: process ${users.join(', ')}`,
        );
      }
      this.#home.writeState({ ...state, pinned: false });
      const cluster = this.#cluster(state);
      const wasRunning = runningPostmaster(cluster) !== undefined;
      await stopCluster(cluster);
      return { wasRunning };
    });
  }

  /** The current status; read-only. Undefined if no server was ever created in this home. */
  status(): EmbeddedStatus | undefined {
    if (!this.#home.exists) return undefined;
    this.#home.check();
    const state = this.#home.readState();
    if (state === undefined) return undefined;
    const cluster = this.#cluster(state);
    const postmaster = runningPostmaster(cluster);
    return {
      running: postmaster !== undefined,
      pinned: state.pinned,
      pid: postmaster?.pid,
      port: postmaster?.port,
      version: cluster.binaries.version,
      folder: state.folder,
      log: logOf(cluster),
      clients: this.#others(),
    };
  }

  async #ensureRunning(): Promise<string> {
    let state = this.#home.readState() ?? (await this.#newState());
    const cluster = this.#cluster(state);
    if (!hasData(cluster)) await createCluster(cluster, SUPERUSER, state.password);
    const postmaster = runningPostmaster(cluster) ?? (await startCluster(cluster));
    if (!state.databaseCreated) {
      await createDatabase(urlOf(postmaster, state, 'postgres'));
      state = { ...state, databaseCreated: true };
      this.#home.writeState(state);
    }
    return urlOf(postmaster, state, DATABASE);
  }

  #cluster(state: State): Cluster {
    const data = join(state.folder, 'data');
    const account = serverAccount(lstatSync(data, { throwIfNoEntry: false }));
    // Not in the folder of the server, because root writes the copy.
    const copies = dirname(state.folder);
    const binaries = prepareBinaries(this.#options.binaries ?? findBinaries(), account, copies);
    return { binaries, account, folder: state.folder, settings: this.#options.settings ?? {} };
  }

  /**
   * The state of a new server. A folder outside the home may still contain the data of a home that was
   * removed; that data is deleted.
   */
  async #newState(): Promise<State> {
    const folder = this.#home.chooseFolder(serverAccount(undefined));
    const state = {
      folder,
      password: randomBytes(24).toString('base64url'),
      pinned: false,
      databaseCreated: false,
    };
    const left = this.#cluster(state);
    if (hasData(left)) {
      await stopCluster(left);
      removeData(left);
    }
    this.#home.writeState(state);
    return state;
  }

  #others(): readonly number[] {
    return others(this.#home.clients, this.#client);
  }

  async #locked<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await withLock(this.#home.lock, { timeoutMs: LOCK_TIMEOUT_MS, signal }, work);
    } catch (error) {
      throw this.#home.explain(error);
    }
  }
}

function urlOf(postmaster: Postmaster, state: State, database: string): string {
  return `postgresql://${SUPERUSER}:${state.password}@127.0.0.1:${postmaster.port}/${database}`;
}

async function createDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, ssl: false, application_name: 'gcos' });
  try {
    await client.connect();
    const found = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`);
  } catch (error) {
    throw translateError(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}
