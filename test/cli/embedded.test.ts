// The embedded server as commands use it: started, shared, pinned, killed, and started concurrently.
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { thisProcess } from '../../src/db/embedded/process.js';
import { dumpSchema, EmbeddedServer, type EmbeddedStatus } from '../../src/db/index.js';
import { checkout, startCli } from '../support/cli.js';
import { asHost, createDatabase } from '../support/database.js';
import { newHome, statusOf, useHomes } from '../support/home.js';
import { startServer } from '../support/server.js';
import { until } from '../support/wait.js';

useHomes();

describe('the embedded server', () => {
  it('starts for a command and stops after the last command', async () => {
    const { home, run } = newHome();
    expect(await run('db', 'status')).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('no embedded server'),
    });
    expect(existsSync(home)).toBe(false);
    expect((await run('status')).exit).toBe(0);
    const status = JSON.parse((await run('db', 'status', '--json')).stdout) as EmbeddedStatus;
    expect(status).toMatchObject({ running: false, pinned: false });
    expect(status).toEqual(JSON.parse(JSON.stringify(statusOf({ home }))));
    expect(statSync(join(home, 'server.json')).mode & 0o777).toBe(0o600);
  });

  it('keeps running after db start, is used by other commands, and prints a URL that connects', async () => {
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

  it('starts once for ten concurrent commands on an empty home', async () => {
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

  it('recovers from repeated SIGKILLs', async () => {
    const { home, run } = newHome();
    await run('db', 'start');
    for (let round = 0; round < 3; round += 1) {
      const { pid } = statusOf({ home });
      process.kill(pid ?? 0, 'SIGKILL');
      expect(await run('status')).toMatchObject({ exit: 0, stderr: '' });
    }
  });

  it('causes an error in a running command when it is killed, and starts again for the next one', async () => {
    const { run, home } = newHome();
    await run('db', 'start');
    const building = startCli(['demo', 'build', '--rows', '150000'], { env: { GCOS_HOME: home } });
    const { pid } = statusOf({ home });
    const url = (await run('db', 'url')).stdout.trim();
    await until(
      'the build has started',
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
    expect(result.stderr).toMatch(/^database_(unreachable|restarting): /m);
    expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({ births: null });
  });

  it('starts if its pid file names another process', async () => {
    const { home, run } = newHome();
    await run('db', 'start');
    const { pid } = statusOf({ home });
    process.kill(pid ?? 0, 'SIGKILL');
    const file = join(home, 'server/data/postmaster.pid');
    const [, ...rest] = readFileSync(file, 'utf8').split('\n');
    // The test process is alive and is not a server.
    writeFileSync(file, [process.pid, ...rest].join('\n'));
    expect(await run('status')).toMatchObject({ exit: 0 });
  });

  it('never uses or stops another server that its pid file names', async () => {
    const [own, other] = [newHome(), newHome()];
    await Promise.all([own.run('db', 'start'), other.run('db', 'start')]);
    const [{ pid }, { pid: otherPid }] = [statusOf(own), statusOf(other)];
    process.kill(pid ?? 0, 'SIGKILL');
    const file = join(own.home, 'server/data/postmaster.pid');
    const [, ...rest] = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, [otherPid, ...rest].join('\n'));
    expect(await own.run('status')).toMatchObject({ exit: 0 });
    expect(await own.run('db', 'stop')).toMatchObject({ exit: 0 });
    expect(statusOf(other)).toMatchObject({ running: true, pid: otherPid });
  });

  it('ends a command at its --timeout if the server does not answer or its lock is held', async () => {
    const { home, run } = newHome();
    await run('db', 'start');
    const [{ pid }, url] = [statusOf({ home }), (await run('db', 'url')).stdout.trim()];
    // The timeout leaves enough time to start the work. The stopped backend would never end by itself.
    const building = startCli(
      ['demo', 'build', '--rows', '1000000', '--timeout', '8s', '--yes', '--database-url', url],
      {},
    );
    const backend = await until(
      'the backend is active',
      async () =>
        (
          await asHost(
            url,
            "select pid from pg_stat_activity where application_name = 'gcos' and state = 'active'",
          )
        )[0],
    );
    process.kill(backend['pid'] as number, 'SIGSTOP');
    try {
      expect(await building.done).toMatchObject({
        exit: 1,
        stderr: expect.stringContaining('operation_cancelled'),
      });
    } finally {
      process.kill(backend['pid'] as number, 'SIGCONT');
    }
    // The lock names a living process: the test process.
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

  it('takes over the lock of a dead process, and removes dead clients', async () => {
    const { home, run } = newHome();
    mkdirSync(join(home, 'clients'), { recursive: true });
    chmodSync(home, 0o711);
    writeFileSync(join(home, 'lock'), JSON.stringify({ pid: 999_999_999, started: '1' }));
    writeFileSync(join(home, 'clients/999999999.json'), JSON.stringify({ pid: 999_999_999, started: '1' }));
    expect((await run('status')).exit).toBe(0);
    expect(statusOf({ home })).toMatchObject({ running: false, clients: [] });
  });

  it('is not stopped while another command uses it, and a killed command does not keep it running', async () => {
    const { home, run } = newHome();
    const staying = startCli(['up', '--demo', '--rows', '2000', '--stay'], { env: { GCOS_HOME: home } });
    await until(
      'the command is registered as a client',
      async () => new EmbeddedServer(home).status()?.clients?.length === 1,
    );
    expect(await run('db', 'stop')).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('embedded_in_use'),
    });
    staying.child.kill('SIGKILL');
    await staying.done;
    expect((await run('status')).exit).toBe(0);
    expect(statusOf({ home })).toMatchObject({ running: false, clients: [] });
  });

  it('is what `npm start` uses, also with a configured database, which stays untouched', async () => {
    const { home } = newHome();
    // A server of its own: other tests create roles.
    const server = await startServer();
    const configured = await createDatabase({ serverUrl: server.url });
    const roles = () => asHost(configured.url, 'select oid from pg_authid order by 1');
    const before = [await dumpSchema(configured.db), await roles()];
    const { scripts } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
    const [node, file, ...args] = scripts.start.split(' ');
    expect([node, file]).toEqual(['node', 'dist/gcos.js']);
    const staying = startCli([...args, '--rows', '2000'], {
      env: { GCOS_HOME: home, DATABASE_URL: configured.url, PGHOST: '127.0.0.1', PGPORT: '1' },
    });
    let output = '';
    staying.child.stderr?.on('data', (text: string) => {
      output += text;
    });
    await until('the command stays up', () => output.includes('staying up'));
    // The printed line is what a reader copies: curl, a header with a token, an address.
    const [, header = ': ', address = ''] = /curl -H '(.*)' (http:\S+)/.exec(output) ?? [];
    const [name = '', token = ''] = header.split(': ');
    const answer = await fetch(address, { headers: { [name]: token } });
    expect([answer.status, await answer.json()]).toMatchObject([200, { inventory: 'present' }]);
    expect((await fetch(address)).status).toBe(401);
    // The other line opens the console, signed in.
    const [, page = '', link = ''] = /(http:\/\/[^\s/]+)\/#link=(\S+)/.exec(output) ?? [];
    expect(await (await fetch(`${page}/`)).text()).toContain('<div id="app">');
    const opened = await fetch(`${page}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ link }),
    });
    expect(opened.status).toBe(200);
    staying.child.kill('SIGINT');
    expect((await staying.done).exit).toBe(0);
    expect(statusOf({ home })).toMatchObject({ running: false, clients: [] });
    expect(output).toMatch(/^ignored: DATABASE_URL, PGHOST, PGPORT\. This is the embedded server of GCOS/);
    expect([await dumpSchema(configured.db), await roles()]).toEqual(before);
    await configured.close();
    await server.stop();
  });
});
