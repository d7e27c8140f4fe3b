// The embedded server as commands use it: found, shared, pinned, killed, raced for, and run for root.
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { thisProcess } from '../../src/db/embedded/process.js';
import { EmbeddedServer, type EmbeddedStatus } from '../../src/db/index.js';
import { type CliOptions, type CliResult, runCli, startCli } from '../support/cli.js';
import { asHost } from '../support/database.js';

const isRoot = process.getuid?.() === 0;
const homes: string[] = [];

function newHome(options: CliOptions = {}): { home: string; run: (...args: string[]) => Promise<CliResult> } {
  const parent = mkdtempSync(join(tmpdir(), 'gcos-cli-'));
  chmodSync(parent, 0o755);
  const home = join(parent, 'home');
  const withHome = { ...options, env: { ...options.env, GCOS_HOME: home } };
  homes.push(home);
  return { home, run: (...args) => runCli(args, withHome) };
}

/** What `db status --json` says, without a process for it: the first test sees that they agree. */
function statusOf({ home }: { readonly home: string }): EmbeddedStatus {
  const status = new EmbeddedServer(home).status();
  if (status === undefined) throw new Error(`there is no server in ${home}`);
  return status;
}

afterEach(async () => {
  for (const home of homes.splice(0)) {
    const server = existsSync(home) ? new EmbeddedServer(home) : undefined;
    const folder = server?.status()?.folder;
    if (folder !== undefined) await server?.stop({ force: true });
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    rmSync(join(home, '..'), { recursive: true, force: true });
  }
});

describe('the embedded server', () => {
  it('starts for a command and stops after the last one', async () => {
    const { home, run } = newHome();
    expect(await run('db', 'status')).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('no embedded server'),
    });
    expect(existsSync(home)).toBe(false);
    expect((await run('status')).exit).toBe(0);
    const said = JSON.parse((await run('db', 'status', '--json')).stdout) as EmbeddedStatus;
    expect(said).toMatchObject({ running: false, pinned: false });
    expect(said).toEqual(JSON.parse(JSON.stringify(statusOf({ home }))));
    expect(statSync(join(home, 'server.json')).mode & 0o777).toBe(0o600);
  });

  it('is pinned by db start, found by others, and gives a URL that connects', async () => {
    const { home, run } = newHome();
    expect((await run('db', 'start')).exit).toBe(0);
    const first = statusOf({ home });
    expect(first).toMatchObject({ running: true, pinned: true });
    expect((await run('status')).exit).toBe(0);
    expect(statusOf({ home }).pid).toBe(first.pid);
    const url = await run('db', 'url');
    expect(url.stdout).toMatch(/^postgresql:\/\/postgres:[\w-]+@127\.0\.0\.1:\d+\/gcos\n$/);
    expect(await asHost(url.stdout.trim(), 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(await run('db', 'stop')).toMatchObject({ exit: 0, stdout: 'stopped\n' });
    expect(await run('db', 'stop')).toMatchObject({ exit: 0, stdout: 'it was not running\n' });
  });

  it('survives ten commands that start at once on an empty home, as one server', async () => {
    const { home, run } = newHome();
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        index % 2 === 0 ? run('status', '--json') : run('db', 'start'),
      ),
    );
    for (const result of results) expect(result, result.stderr).toMatchObject({ exit: 0 });
    const log = readFileSync(join(home, 'server/server.log'), 'utf8');
    expect(log.match(/starting PostgreSQL/g)).toHaveLength(1);
    expect(statusOf({ home }).clients).toEqual([]);
  });

  it('recovers from SIGKILL of the server, again and again', async () => {
    const { home, run } = newHome();
    await run('db', 'start');
    for (let round = 0; round < 3; round += 1) {
      const { pid } = statusOf({ home });
      process.kill(pid ?? 0, 'SIGKILL');
      expect(await run('status')).toMatchObject({ exit: 0, stderr: '' });
    }
  });

  it('tells a command whose server is killed under it, and the next one recovers', async () => {
    const { run, home } = newHome();
    await run('db', 'start');
    const building = startCli(['demo', 'build', '--rows', '150000'], { env: { GCOS_HOME: home } });
    const { pid } = statusOf({ home });
    const url = (await run('db', 'url')).stdout.trim();
    await until(
      async () =>
        (
          await asHost(
            url,
            "select 1 from pg_stat_activity where query like '%birth_registry%' and application_name = 'gcos'",
          )
        ).length > 0,
    );
    process.kill(pid ?? 0, 'SIGKILL');
    const result = await building.done;
    expect(result.exit).toBe(4);
    expect(result.stderr).toMatch(/^database_unreachable: /m);
    expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({ births: null });
  });

  it('is not fooled by a pid file that names somebody else', async () => {
    const { home, run } = newHome();
    await run('db', 'start');
    const { pid } = statusOf({ home });
    process.kill(pid ?? 0, 'SIGKILL');
    const file = join(home, 'server/data/postmaster.pid');
    const [, ...rest] = readFileSync(file, 'utf8').split('\n');
    // This very process is alive and is not a server.
    writeFileSync(file, [process.pid, ...rest].join('\n'));
    expect(await run('status')).toMatchObject({ exit: 0 });
  });

  it('never takes another server for its own, nor stops it', async () => {
    const [mine, other] = [newHome(), newHome()];
    await Promise.all([mine.run('db', 'start'), other.run('db', 'start')]);
    const [{ pid }, { pid: otherPid }] = [statusOf(mine), statusOf(other)];
    process.kill(pid ?? 0, 'SIGKILL');
    const file = join(mine.home, 'server/data/postmaster.pid');
    const [, ...rest] = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, [otherPid, ...rest].join('\n'));
    expect(await mine.run('status')).toMatchObject({ exit: 0 });
    expect(await mine.run('db', 'stop')).toMatchObject({ exit: 0 });
    expect(statusOf(other)).toMatchObject({ running: true, pid: otherPid });
  });

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

  it('gives up waiting, and a server that does not answer, when --timeout is over', async () => {
    const { home, run } = newHome();
    await run('db', 'start');
    const [{ pid }, url] = [statusOf({ home }), (await run('db', 'url')).stdout.trim()];
    const started = Date.now();
    const building = startCli(
      ['demo', 'build', '--rows', '150000', '--timeout', '2s', '--yes', '--database-url', url],
      {},
    );
    await until(
      async () =>
        (
          await asHost(
            url,
            "select 1 from pg_stat_activity where application_name = 'gcos' and state = 'active'",
          )
        ).length > 0,
    );
    const [backend] = await asHost(
      url,
      "select pid from pg_stat_activity where application_name = 'gcos' and state = 'active'",
    );
    process.kill(backend?.['pid'] as number, 'SIGSTOP');
    try {
      expect(await building.done).toMatchObject({
        exit: 1,
        stderr: expect.stringContaining('operation_cancelled'),
      });
      expect(Date.now() - started).toBeLessThan(15_000);
    } finally {
      process.kill(backend?.['pid'] as number, 'SIGCONT');
    }
    // The lock is held by a process that lives: this one.
    writeFileSync(join(home, 'lock'), JSON.stringify(thisProcess()));
    try {
      expect(await run('status', '--timeout', '300ms')).toMatchObject({
        exit: 1,
        stderr: expect.stringContaining('operation_cancelled'),
      });
    } finally {
      rmSync(join(home, 'lock'));
    }
    expect(pid).toBeGreaterThan(0);
  });

  it('takes over a lock and forgets clients that died', async () => {
    const { home, run } = newHome();
    mkdirSync(join(home, 'clients'), { recursive: true });
    chmodSync(home, 0o711);
    writeFileSync(join(home, 'lock'), JSON.stringify({ pid: 999_999_999, started: '1' }));
    writeFileSync(join(home, 'clients/999999999.json'), JSON.stringify({ pid: 999_999_999, started: '1' }));
    expect((await run('status')).exit).toBe(0);
    expect(statusOf({ home })).toMatchObject({ running: false, clients: [] });
  });

  it('is not stopped while another command uses it, and a killed command does not hold it', async () => {
    const { home, run } = newHome();
    const staying = startCli(['up', '--demo', '--rows', '2000', '--stay'], { env: { GCOS_HOME: home } });
    await until(async () => new EmbeddedServer(home).status()?.clients?.length === 1);
    expect(await run('db', 'stop')).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('embedded_in_use'),
    });
    staying.child.kill('SIGKILL');
    await staying.done;
    expect((await run('status')).exit).toBe(0);
    expect(statusOf({ home })).toMatchObject({ running: false, clients: [] });
  });

  it('stops cleanly on Ctrl-C, and with --embedded asks nothing of a configured database', async () => {
    const { home } = newHome();
    const staying = startCli(['up', '--demo', '--embedded', '--rows', '2000', '--stay'], {
      env: {
        GCOS_HOME: home,
        DATABASE_URL: 'postgresql://x@127.0.0.1:1/x',
        PGHOST: '127.0.0.1',
        PGPORT: '1',
      },
    });
    let seen = '';
    staying.child.stderr?.on('data', (text: string) => {
      seen += text;
    });
    await until(async () => seen.includes('staying up'));
    staying.child.kill('SIGINT');
    expect((await staying.done).exit).toBe(130);
    expect(statusOf({ home })).toMatchObject({ running: false, clients: [] });
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

/** Waits for a condition that another process brings about; fails after a while instead of sleeping blindly. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('the condition did not come true in 30 s');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
