// The home directory of an embedded server: allowed paths, its owner, and the server after a move or removal.
import { chmodSync, chownSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { asHost } from '../support/database.js';
import { itAsRoot, newHome, statusOf, useHomes } from '../support/home.js';

useHomes();

describe('the home of an embedded server', () => {
  it('can be moved while the server is stopped', async () => {
    const { home, run } = newHome();
    await run('db', 'url');
    const url = (await run('db', 'url')).stdout.trim();
    await asHost(url, 'create table kept (id int)');
    await run('db', 'stop');
    const moved = `${home}-moved`;
    renameSync(home, moved);
    const again = await runCli(['db', 'url', '--quiet'], { env: { GCOS_HOME: moved } });
    expect(
      await asHost(again.stdout.trim(), "select relname from pg_class where relname = 'kept'"),
    ).toHaveLength(1);
    await runCli(['db', 'stop'], { env: { GCOS_HOME: moved } });
    renameSync(moved, home);
  });

  it('holds a server on loopback, whatever the variables say about the encryption of other servers', async () => {
    const { run } = newHome({ env: { PGSSLMODE: 'verify-full', PGSSLROOTCERT: 'system' } });
    expect(await run('status')).toMatchObject({ exit: 0, stderr: '' });
  });

  it('is refused if it is not a directory; db start refuses a configured database', async () => {
    const { home, run } = newHome();
    writeFileSync(home, 'a file');
    expect(await run('status')).toMatchObject({
      exit: 4,
      stderr: expect.stringMatching(/^embedded_home_unusable: /),
    });
    rmSync(home);
    const other = await runCli(['db', 'start'], { env: { DATABASE_URL: 'postgresql://x@127.0.0.1:1/x' } });
    expect(other).toMatchObject({ exit: 3, stderr: expect.stringMatching(/^embedded_not_used: /) });
  });

  it.each(['/proc/nope/home', '/tmp/a"b', '/tmp/a$HOME', '/tmp/a`b`'])('is refused at %s', async (home) => {
    expect(await runCli(['status'], { env: { GCOS_HOME: home } })).toMatchObject({
      exit: 4,
      stderr: expect.stringMatching(/^embedded_home_unusable: /),
    });
  });

  itAsRoot('is created again after its removal, also if the data is elsewhere', async () => {
    const { home, run } = newHome();
    chmodSync(join(home, '..'), 0o700);
    await run('db', 'start');
    rmSync(home, { recursive: true });
    expect(await run('status')).toMatchObject({ exit: 0 });
  });

  itAsRoot('has its data in a directory that the server account can reach', async () => {
    const { home, run } = newHome();
    chmodSync(join(home, '..'), 0o700);
    expect((await run('status')).exit).toBe(0);
    const { folder } = statusOf({ home });
    expect(folder.startsWith(home)).toBe(false);
    expect(statSync(folder).uid).not.toBe(0);
  });

  itAsRoot('belongs to the ordinary user who starts the server', async () => {
    const ordinaryUser = { uid: 65_534, gid: 65_534 };
    const { home, run } = newHome(ordinaryUser);
    chownSync(join(home, '..'), ordinaryUser.uid, ordinaryUser.gid);
    expect(await run('status')).toMatchObject({ exit: 0 });
    expect(statSync(join(home, 'server/data')).uid).toBe(ordinaryUser.uid);
  });
});
