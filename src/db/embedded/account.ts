// Owns the operating-system account of the server. PostgreSQL refuses to run as root, so root starts it under
// an ordinary account. All files of the server must be in directories that this account can enter.
import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { embeddedErrors } from './errors.js';

export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

function lookUp(name: string): Account | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid === undefined || gid === undefined ? undefined : { name, uid: Number(uid), gid: Number(gid) };
}

/**
 * The account for the server, or undefined if it runs as the current user. `owner` is the owner of existing
 * data.
 */
export function serverAccount(owner: { uid: number; gid: number } | undefined): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  if (owner !== undefined && owner.uid !== 0) return { name: `uid ${owner.uid}`, ...owner };
  const account = lookUp('postgres') ?? lookUp('nobody');
  if (account === undefined) {
    throw embeddedErrors.embedded_unsupported(
      'PostgreSQL does not run as root, and there is no user `postgres` or `nobody`',
      {
        help: 'run gcos as an ordinary user, or set DATABASE_URL',
      },
    );
  }
  return account;
}

/**
 * Runs `work`, which must be synchronous, with the rights of the account alone. The account owns the folder
 * of the server and may put links into it; with its rights, no link leads further than the account itself
 * gets.
 */
export function asAccount<T>(account: Account | undefined, work: () => T): T {
  if (account === undefined) return work();
  const [groups, group] = [process.getgroups?.() ?? [], process.getegid?.() ?? 0];
  process.setgroups?.([account.gid]);
  process.setegid?.(account.gid);
  process.seteuid?.(account.uid);
  try {
    return work();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(group);
    process.setgroups?.(groups);
  }
}

function allows(path: string, account: Account, bits: number): boolean {
  const { mode, uid, gid } = statSync(path);
  const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0;
  return ((mode >> shift) & bits) === bits;
}

/**
 * Whether `account` can enter `path` and all its parent directories. Undefined is the current user: always
 * true.
 */
export function canReach(path: string, account: Account | undefined): boolean {
  if (account === undefined) return true;
  for (let folder = path; ; folder = dirname(folder)) {
    if (!allows(folder, account, 0o1)) return false;
    if (folder === dirname(folder)) return true;
  }
}
