// Owns the home directory of the embedded server: the location and ownership of its files, and the state file
// that every command reads. Secrets have mode 600. The path of a folder inside the home is stored relative to
// the home, so that an operator can move the home. INVARIANT: root uses only directories that no other user
// controls; in the folder of the server, whose account owns it, root acts with the rights of that account.
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { z } from 'zod';
import { replaceFile } from '../../kernel/index.js';
import { type Account, canReach } from './account.js';
import { embeddedErrors } from './errors.js';

const stateSchema = z.object({
  /** The server's own folder; a relative path if it is inside the home. */
  folder: z.string(),
  password: z.string(),
  pinned: z.boolean(),
  databaseCreated: z.boolean(),
});
export type State = z.infer<typeof stateSchema>;

/** `pg_ctl` passes paths through a shell, which would interpret these characters. */
const UNSAFE_IN_SHELL = /["$`\\\n]/;

/**
 * Creates one level at a time: Node's recursive mkdir never returns on a file system that fails with ENOENT.
 */
function makeFolder(path: string, mode: number): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path), 0o755);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

const isRoot = (): boolean => process.getuid?.() === 0;
const untrusted = (path: string, why: string) =>
  embeddedErrors.embedded_home_untrusted(`root does not use \`${path}\`: ${why}`);

function linkIn(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder, { withFileTypes: true }).find((entry) => entry.isSymbolicLink())?.name;
}

/**
 * Throws if root would use a directory that another user controls: with its links that user would choose
 * which files root writes. `path` need not exist yet; then its nearest parent must not be behind a link.
 */
function refuseForeign(path: string): void {
  if (!isRoot()) return;
  let nearest = path;
  while (lstatSync(nearest, { throwIfNoEntry: false }) === undefined) nearest = dirname(nearest);
  const real = realpathSync(nearest);
  if (real !== nearest)
    throw untrusted(path, `\`${nearest}\` is reached through a symbolic link, \`${real}\``);
  if (nearest !== path) return;
  const { uid, mode } = lstatSync(path);
  if (uid !== 0) throw untrusted(path, `it belongs to the user ${uid}`);
  if ((mode & 0o022) !== 0) throw untrusted(path, 'other users may write to it');
}

/** Gives the folder to the account. Fails for a link, and for a folder of another user. */
function handOver(folder: string, account: Account | undefined): void {
  const directory = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const { uid } = fstatSync(directory);
    if (account !== undefined && uid !== 0 && uid !== account.uid)
      throw untrusted(folder, `it belongs to the user ${uid}`);
    fchmodSync(directory, 0o700);
    if (account !== undefined) fchownSync(directory, account.uid, account.gid);
  } finally {
    closeSync(directory);
  }
}

export class Home {
  readonly #given: string;

  constructor(path: string) {
    this.#given = resolve(path);
    if (UNSAFE_IN_SHELL.test(path)) {
      throw embeddedErrors.embedded_home_unusable(
        'the path of GCOS_HOME contains a quote, dollar, backtick, backslash or line break',
      );
    }
  }

  get exists(): boolean {
    return existsSync(this.#given);
  }

  /** The path with links resolved, because the server's account must be able to enter the real path. */
  get path(): string {
    return this.exists ? realpathSync(this.#given) : this.#given;
  }

  get clients(): string {
    return join(this.path, 'clients');
  }

  get lock(): string {
    return join(this.path, 'lock');
  }

  /** Throws if the home is not one that this user may rely on. */
  check(): void {
    this.guard(() => {
      refuseForeign(this.#given);
      if (!isRoot()) return;
      for (const folder of [this.#given, this.clients, join(this.#given, 'server')]) {
        const link = linkIn(folder);
        if (link !== undefined) throw untrusted(this.#given, `\`${join(folder, link)}\` is a symbolic link`);
      }
    });
  }

  /** Creates the folders that every command needs before it can wait for the lock. */
  ensure(): void {
    this.check();
    this.guard(() => {
      // If root runs the command, the server's account must be able to enter this folder.
      makeFolder(this.#given, 0o711);
      // Another user may have created it since the first check.
      this.check();
      if (!statSync(this.#given).isDirectory())
        throw embeddedErrors.embedded_home_unusable(`\`${this.#given}\` is not a directory`);
      makeFolder(this.clients, 0o755);
    });
  }

  /** Converts file-system errors into one clear error. */
  guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.explain(error);
    }
  }

  explain(error: unknown): unknown {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined || code === undefined || syscall === 'connect') return error;
    const why = code === 'ELOOP' ? `${(error as NodeJS.ErrnoException).path} is a symbolic link` : code;
    return embeddedErrors.embedded_home_unusable(`cannot use \`${this.#given}\` (${why})`, { cause: error });
  }

  readState(): State | undefined {
    try {
      const state = stateSchema.parse(JSON.parse(readFileSync(this.#statePath, 'utf8')));
      return { ...state, folder: resolve(this.path, state.folder) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw embeddedErrors.embedded_home_unusable(`cannot read \`${this.#statePath}\``, { cause: error });
    }
  }

  writeState(state: State): void {
    const inside = relative(this.path, state.folder);
    const folder = inside.startsWith('..') || isAbsolute(inside) ? state.folder : inside;
    replaceFile(this.#statePath, `${JSON.stringify({ ...state, folder }, null, 2)}\n`, 0o600);
  }

  /** A folder for the server: inside the home, or elsewhere if the server's account cannot reach the home. */
  chooseFolder(account: Account | undefined): string {
    const name = createHash('sha256').update(this.path).digest('hex').slice(0, 12);
    const candidates = canReach(this.path, account)
      ? [join(this.path, 'server')]
      : [`/var/lib/gcos/${name}`, join(tmpdir(), `gcos-${name}`, 'server')];
    let failure: unknown;
    for (const folder of candidates) {
      try {
        makeFolder(dirname(folder), 0o755);
        refuseForeign(dirname(folder));
        makeFolder(folder, 0o700);
        handOver(folder, account);
        return folder;
      } catch (error) {
        failure = error;
      }
    }
    throw embeddedErrors.embedded_home_unusable(`cannot create \`${candidates.join('` or `')}\``, {
      cause: failure,
    });
  }

  get #statePath(): string {
    return join(this.path, 'server.json');
  }
}
