// Symbolic links where GCOS writes: none is followed, and root uses no home that another user controls.
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CliResult, runCli } from '../support/cli.js';
import { createEstate, type Estate } from '../support/estate.js';
import { isRoot, itAsRoot, newHome, statusOf, useHomes } from '../support/home.js';

useHomes();

const NOBODY = { uid: 65_534, gid: 65_534 };
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gcos-links-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A home of an ordinary user: of the suite's, or of another account if the suite runs as root. */
function ordinaryHome() {
  const made = newHome(isRoot ? NOBODY : {});
  if (isRoot) chownSync(join(made.home, '..'), NOBODY.uid, NOBODY.gid);
  return made;
}
const refused = (code: string, why: RegExp) => ({
  exit: code.startsWith('file') ? 3 : 4,
  stderr: expect.stringMatching(new RegExp(`^${code}: .*${why.source}`)),
});

describe('output files', () => {
  let estate: Estate | undefined;
  afterEach(async () => {
    await estate?.close();
    estate = undefined;
  });

  it.each(['missing', 'present'])('of init are not written through a link to a %s file', async (state) => {
    estate = await createEstate('host');
    const target = join(folder, 'target');
    if (state === 'present') writeFileSync(target, 'before');
    symlinkSync(target, join(folder, 'init.reverse.sql'));
    const done = await runCli(['init', '--dry-run', '--output', join(folder, 'init.sql')], {
      env: { DATABASE_URL: estate.url },
    });
    expect(done).toMatchObject(refused('file_unwritable', /init\.reverse\.sql.*already exists/));
    expect(existsSync(target) ? readFileSync(target, 'utf8') : 'missing').toBe(
      state === 'present' ? 'before' : 'missing',
    );
    expect(existsSync(join(folder, 'init.sql'))).toBe(false);
  });

  it.each(['', '/'])(
    'of an export are not written into a linked directory (named with "%s" at its end)',
    async (end) => {
      estate = await createEstate('backfilled');
      const target = join(folder, 'target');
      mkdirSync(target);
      symlinkSync(target, join(folder, 'out'));
      const done = await runCli(['ledger', 'export', '--out', join(folder, 'out') + end], {
        env: { DATABASE_URL: estate.url },
      });
      expect(done).toMatchObject(refused('file_unwritable', /symbolic link/));
      expect(readdirSync(target)).toEqual([]);
    },
  );
});

describe('the home of an ordinary user', () => {
  it('replaces a link in the place of its state, and starts no server that logs through a link', async () => {
    const { home, run } = ordinaryHome();
    expect((await run('status')).exit).toBe(0);
    const kept = join(home, '..', 'kept');
    renameSync(join(home, 'server.json'), kept);
    const before = readFileSync(kept, 'utf8');
    symlinkSync(kept, join(home, 'server.json'));
    expect((await run('db', 'start')).exit).toBe(0);
    expect((await run('db', 'stop')).exit).toBe(0);
    expect(readFileSync(kept, 'utf8')).toBe(before);
    rmSync(join(home, 'server/server.log'));
    const target = join(home, '..', 'log');
    symlinkSync(target, join(home, 'server/server.log'));
    expect(await run('status')).toMatchObject(
      refused('embedded_home_unusable', /server\.log is a symbolic link/),
    );
    expect(existsSync(target)).toBe(false);
  });
});

describe('root', () => {
  const answersIn = async (make: (home: string) => void): Promise<CliResult[]> => {
    const { home, run } = newHome();
    make(home);
    const answers = [await run('status'), await run('db', 'status'), await run('db', 'stop')];
    rmSync(home, { recursive: true });
    return answers;
  };

  itAsRoot('refuses a home of another user, in every command', async () => {
    const answers = await answersIn((home) => {
      mkdirSync(home);
      chownSync(home, NOBODY.uid, NOBODY.gid);
    });
    for (const answer of answers)
      expect(answer).toMatchObject(refused('embedded_home_untrusted', /belongs to the user 65534/));
  });

  itAsRoot('refuses a home that other users may write', async () => {
    const answers = await answersIn((home) => {
      mkdirSync(home);
      chmodSync(home, 0o777);
    });
    for (const answer of answers)
      expect(answer).toMatchObject(refused('embedded_home_untrusted', /other users may write/));
  });

  itAsRoot('refuses a home that is a link, and names the path behind it', async () => {
    const answers = await answersIn((home) => symlinkSync(folder, home));
    for (const answer of answers)
      expect(answer).toMatchObject(
        refused('embedded_home_untrusted', /through a symbolic link, `.*gcos-links-/),
      );
  });

  itAsRoot('refuses a home behind a link, and creates nothing there', async () => {
    const link = `${folder}-link`;
    symlinkSync(folder, link);
    const done = await runCli(['status'], { env: { GCOS_HOME: join(link, 'deep/home') } });
    rmSync(link);
    expect(done).toMatchObject(refused('embedded_home_untrusted', /through a symbolic link/));
    expect(existsSync(join(folder, 'deep'))).toBe(false);
  });

  itAsRoot.each(['clients', 'lock', 'server.json', 'clients/1.json', 'server/data'])(
    'refuses a home in which %s is a link',
    async (name) => {
      const answers = await answersIn((home) => {
        mkdirSync(join(home, name, '..'), { recursive: true });
        symlinkSync(folder, join(home, name));
      });
      for (const answer of answers)
        expect(answer).toMatchObject(refused('embedded_home_untrusted', /is a symbolic link/));
    },
  );

  itAsRoot('does not write where the account of the server has put links', async () => {
    const { home, run } = newHome();
    // The server's files are outside of the home, because its account cannot reach the home.
    chmodSync(join(home, '..'), 0o700);
    expect((await run('status')).exit).toBe(0);
    const server = statusOf({ home }).folder;
    const target = join(folder, 'target');
    writeFileSync(target, 'before');
    chmodSync(target, 0o600);
    for (const name of ['.password', 'server.log']) {
      rmSync(join(server, name), { force: true });
      symlinkSync(target, join(server, name));
      lchownSync(join(server, name), statSync(server).uid, statSync(server).gid);
    }
    expect(await run('status')).toMatchObject(
      refused('embedded_home_unusable', /server\.log is a symbolic link/),
    );
    rmSync(join(server, 'server.log'));
    // The next command creates the server again.
    rmSync(join(server, 'data'), { recursive: true });
    rmSync(join(home, 'server.json'));
    expect((await run('status')).exit).toBe(0);
    expect(readFileSync(target, 'utf8')).toBe('before');
    expect(existsSync(join(server, '.password'))).toBe(false);
  });
});
