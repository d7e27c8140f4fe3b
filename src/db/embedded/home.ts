// Owns the home directory of the embedded server: the location and ownership of its files, and the state file
// that every command reads. Secrets have mode 600. The path of a folder inside the home is stored relative to
// the home, so that an operator can move the home.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { z } from 'zod';
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

export class Home {
  readonly #given: string;

  constructor(path: string) {
    this.#given = path;
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

  /** Creates the folders that every command needs before it can wait for the lock. */
  ensure(): void {
    this.guard(() => {
      // If root runs the command, the server's account must be able to enter this folder.
      makeFolder(this.#given, 0o711);
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
    return embeddedErrors.embedded_home_unusable(`cannot use \`${this.#given}\` (${code})`, { cause: error });
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

  /**
   * Writes a temporary file and renames it, so that no reader sees an incomplete state. The file always
   * belongs to the owner of the home, even if root writes it.
   */
  writeState(state: State): void {
    const inside = relative(this.path, state.folder);
    const folder = inside.startsWith('..') || isAbsolute(inside) ? state.folder : inside;
    const partial = `${this.#statePath}.${process.pid}`;
    writeFileSync(partial, `${JSON.stringify({ ...state, folder }, null, 2)}\n`, { mode: 0o600 });
    const { uid, gid } = statSync(this.path);
    if (process.getuid?.() === 0) chownSync(partial, uid, gid);
    renameSync(partial, this.#statePath);
  }

  /** A folder for the server: inside the home, or elsewhere if the server's account cannot reach the home. */
  chooseFolder(account: Account | undefined): string {
    const name = createHash('sha256').update(this.path).digest('hex').slice(0, 12);
    const candidates = canReach(this.path, account)
      ? [join(this.path, 'server')]
      : [`/var/lib/gcos/${name}`, join(tmpdir(), `gcos-${name}`)];
    let failure: unknown;
    for (const folder of candidates) {
      try {
        makeFolder(folder, 0o700);
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

  get #statePath(): string {
    return join(this.path, 'server.json');
  }
}
