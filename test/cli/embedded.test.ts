// The embedded server as commands use it: found, shared, pinned, killed and raced for.
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { thisProcess } from '../../src/db/embedded/process.js';
import { EmbeddedServer, type EmbeddedStatus } from '../../src/db/index.js';
import { startCli } from '../support/cli.js';
import { asHost } from '../support/database.js';
import { newHome, statusOf, useHomes } from '../support/home.js';
import { until } from '../support/wait.js';

useHomes();

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
      'it builds',
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

  it('gives up waiting, and a server that does not answer, when --timeout is over', async () => {
    const { home, run } = newHome();
    await run('db', 'start');
    const [{ pid }, url] = [statusOf({ home }), (await run('db', 'url')).stdout.trim()];
    // Time enough to be at work by then; stopped, it would never end by itself.
    const building = startCli(
      ['demo', 'build', '--rows', '1000000', '--timeout', '8s', '--yes', '--database-url', url],
      {},
    );
    await until(
      'it works',
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
    await until('it is there', async () => new EmbeddedServer(home).status()?.clients?.length === 1);
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
    await until('it stays up', () => seen.includes('staying up'));
    staying.child.kill('SIGINT');
    expect((await staying.done).exit).toBe(130);
    expect(statusOf({ home })).toMatchObject({ running: false, clients: [] });
  });
});
