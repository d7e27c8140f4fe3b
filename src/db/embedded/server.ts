// Owns the life of the embedded server, as every command sees it:
//
//   absent ──enter──▶ created ──▶ running ◀──enter── running (found and re-used)
//                                   │ leave: the last client stops it, unless it is pinned (`gcos db start`)
//                                   ▼
//                                stopped ──enter──▶ running
//
// Every arrow is taken under the lock of the home directory. A killed server reads as stopped.
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { z } from 'zod';
import { type Account, canReach, serverAccount } from './account.js';
import { type Binaries, findBinaries, prepareBinaries } from './binaries.js';
import { enter, leave, others } from './clients.js';
import {
  type Cluster,
  createCluster,
  hasData,
  logOf,
  type Postmaster,
  runningPostmaster,
  startCluster,
  stopCluster,
} from './cluster.js';
import { embeddedErrors } from './errors.js';
import { withLock } from './lock.js';

export const SUPERUSER = 'postgres';
export const DATABASE = 'gcos';
const LOCK_TIMEOUT_MS = 120_000;

const stateSchema = z.object({
  folder: z.string(),
  password: z.string(),
  pinned: z.boolean(),
  databaseCreated: z.boolean(),
});
type State = z.infer<typeof stateSchema>;

export interface EmbeddedOptions {
  /** Which binaries; by default the newest supported version. */
  readonly binaries?: Binaries;
  /** Server settings on top of the defaults. */
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
  /** Process ids of other commands that are using it. */
  readonly clients: readonly number[];
}

export class EmbeddedServer {
  readonly #home: string;
  readonly #options: EmbeddedOptions;

  constructor(home: string, options: EmbeddedOptions = {}) {
    this.#home = home;
    this.#options = options;
  }

  /** Makes sure the server runs, counts this process as a client, and returns the URL to connect to. */
  async enter(): Promise<string> {
    // Before the lock: whoever is about to stop the server sees that somebody is waiting for it.
    this.#ensureHome();
    enter(this.#clients);
    try {
      return await this.#locked(() => this.#ensureRunning());
    } catch (error) {
      leave(this.#clients);
      throw error;
    }
  }

  /** Ends this process's use; stops the server when nobody else uses it and it is not pinned. */
  async leave(): Promise<void> {
    await this.#locked(async () => {
      leave(this.#clients);
      const state = this.#readState();
      if (state !== undefined && !state.pinned && others(this.#clients).length === 0)
        await stopCluster(this.#cluster(state));
    });
  }

  /** Keeps the server running after this command, until `stop`. */
  async pin(): Promise<void> {
    await this.#locked(async () => {
      const state = this.#readState();
      if (state !== undefined) this.#writeState({ ...state, pinned: true });
    });
  }

  /** Stops the server and forgets the pin. Refuses while others use it, unless forced. */
  async stop(options: { force: boolean }): Promise<{ wasRunning: boolean }> {
    if (!existsSync(this.#home)) return { wasRunning: false };
    return this.#locked(async () => {
      const state = this.#readState();
      if (state === undefined) return { wasRunning: false };
      const users = others(this.#clients);
      if (users.length > 0 && !options.force) {
        throw embeddedErrors.embedded_in_use(
          `${users.length} other command(s) use it: process ${users.join(', ')}`,
        );
      }
      this.#writeState({ ...state, pinned: false });
      const cluster = this.#cluster(state);
      const wasRunning = runningPostmaster(cluster) !== undefined;
      await stopCluster(cluster);
      return { wasRunning };
    });
  }

  /** What is there now; starts nothing. Undefined when no server was ever created here. */
  status(): EmbeddedStatus | undefined {
    const state = existsSync(this.#home) ? this.#readState() : undefined;
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
      clients: others(this.#clients),
    };
  }

  async #ensureRunning(): Promise<string> {
    let state = this.#readState() ?? this.#newState();
    const cluster = this.#cluster(state);
    if (!hasData(cluster)) await createCluster(cluster, SUPERUSER, state.password);
    const postmaster = runningPostmaster(cluster) ?? (await startCluster(cluster));
    if (!state.databaseCreated) {
      await createDatabase(urlOf(postmaster, state, 'postgres'));
      state = { ...state, databaseCreated: true };
      this.#writeState(state);
    }
    return urlOf(postmaster, state, DATABASE);
  }

  #cluster(state: State): Cluster {
    const data = join(state.folder, 'data');
    const account = serverAccount(existsSync(data) ? statSync(data) : undefined);
    const binaries = prepareBinaries(this.#options.binaries ?? findBinaries(), account, state.folder);
    return { binaries, account, folder: state.folder, settings: this.#options.settings ?? {} };
  }

  #newState(): State {
    const account = serverAccount(undefined);
    const folder = serverFolder(this.#home, account);
    const state = {
      folder,
      password: randomBytes(24).toString('base64url'),
      pinned: false,
      databaseCreated: false,
    };
    this.#writeState(state);
    return state;
  }

  #readState(): State | undefined {
    try {
      return stateSchema.parse(JSON.parse(readFileSync(this.#statePath, 'utf8')));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw embeddedErrors.embedded_home_unusable(`cannot read \`${this.#statePath}\``, { cause: error });
    }
  }

  /** Written beside and renamed: a reader never sees half of it. */
  #writeState(state: State): void {
    const partial = `${this.#statePath}.${process.pid}`;
    writeFileSync(partial, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
    renameSync(partial, this.#statePath);
  }

  async #locked<T>(work: () => Promise<T>): Promise<T> {
    this.#ensureHome();
    try {
      return await withLock(join(this.#home, 'lock'), LOCK_TIMEOUT_MS, work);
    } catch (error) {
      throw this.#unusable(error);
    }
  }

  #ensureHome(): void {
    try {
      // Root's server account must be able to pass through; the secrets in it have their own mode.
      mkdirSync(this.#home, { recursive: true, mode: 0o711 });
      mkdirSync(this.#clients, { recursive: true });
    } catch (error) {
      throw this.#unusable(error);
    }
  }

  #unusable(error: unknown): unknown {
    const { code } = error as NodeJS.ErrnoException;
    if (!['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOSPC'].includes(code ?? '')) return error;
    return embeddedErrors.embedded_home_unusable(`cannot use \`${this.#home}\` (${code})`, { cause: error });
  }

  get #clients(): string {
    return join(this.#home, 'clients');
  }

  get #statePath(): string {
    return join(this.#home, 'server.json');
  }
}

/** Where the server keeps its files: in the home directory, or, if its account cannot reach that, beside the system's. */
function serverFolder(home: string, account: Account | undefined): string {
  const name = createHash('sha256').update(home).digest('hex').slice(0, 12);
  const candidates = canReach(home, account)
    ? [join(home, 'server')]
    : [`/var/lib/gcos/${name}`, join(tmpdir(), `gcos-${name}`)];
  let failure: unknown;
  for (const folder of candidates) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o711 });
      chmodSync(folder, 0o700);
      if (account !== undefined) chownSync(folder, account.uid, account.gid);
      return folder;
    } catch (error) {
      failure = error;
    }
  }
  throw embeddedErrors.embedded_home_unusable(`cannot create \`${candidates.join('` or `')}\``, {
    cause: failure,
  });
}

function urlOf(postmaster: Postmaster, state: State, database: string): string {
  return `postgresql://${SUPERUSER}:${state.password}@127.0.0.1:${postmaster.port}/${database}`;
}

async function createDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'gcos' });
  await client.connect();
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}
