// The home of an embedded server: where it may be, whose it is, and what becomes of the server when it moves or goes.
import { chmodSync, chownSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { asHost } from '../support/database.js';
import { isRoot, newHome, statusOf, useHomes } from '../support/home.js';

useHomes();

describe('the home of an embedded server', () => {
  it('can be moved with its home', async () => {
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

  it('refuses a home it cannot use, and manages nothing else', async () => {
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

  it.each(['/proc/nope/home', '/tmp/a"b', '/tmp/a$HOME', '/tmp/a`b`'])(
    'refuses %s as a home, at once',
    async (home) => {
      expect(await runCli(['status'], { env: { GCOS_HOME: home } })).toMatchObject({
        exit: 4,
        stderr: expect.stringMatching(/^embedded_home_unusable: /),
      });
    },
  );

  it.runIf(isRoot)('starts anew when the home was removed, though its data lay elsewhere', async () => {
    const { home, run } = newHome();
    chmodSync(join(home, '..'), 0o700);
    await run('db', 'start');
    rmSync(home, { recursive: true });
    expect(await run('status')).toMatchObject({ exit: 0 });
  });

  it.runIf(isRoot)('keeps its files where the server account can reach them', async () => {
    const { home, run } = newHome();
    chmodSync(join(home, '..'), 0o700);
    expect((await run('status')).exit).toBe(0);
    const { folder } = statusOf({ home });
    expect(folder.startsWith(home)).toBe(false);
    expect(statSync(folder).uid).not.toBe(0);
  });

  it.runIf(isRoot)('runs for an ordinary user', async () => {
    const nobody = { uid: 65_534, gid: 65_534 };
    const { home, run } = newHome(nobody);
    chownSync(join(home, '..'), nobody.uid, nobody.gid);
    expect(await run('status')).toMatchObject({ exit: 0 });
    expect(statSync(join(home, 'server/data')).uid).toBe(nobody.uid);
  });
});
