// The pool survives a restart of the server: running work fails with a clear error, later work succeeds.
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, findBinaries, statement } from '../../src/db/index.js';
import { startCli } from '../support/cli.js';
import { asHost, openDatabase } from '../support/database.js';
import { startServer, type TestServer } from '../support/server.js';
import { until } from '../support/wait.js';

const one = statement<Record<never, never>, { readonly one: number }>({
  name: 'test.one',
  sql: 'select 1 as one',
});
const read = { isolation: 'read committed' } as const;

describe('a server restart', () => {
  let server: TestServer;
  let db: Database;
  beforeAll(async () => {
    server = await startServer();
    db = openDatabase(server.url, { poolSize: 4 });
  });
  afterAll(async () => {
    await db.close();
    await server.stop();
  });

  function control(action: 'restart' | 'stop', mode: 'fast' | 'immediate'): void {
    const { folder } = server;
    const data = join(folder, 'data');
    const { uid, gid } = statSync(data);
    const account = process.getuid?.() === 0 ? { uid, gid } : {};
    const done = spawnSync(
      join(findBinaries().root, 'bin/pg_ctl'),
      [action, '-D', data, '-m', mode, '-w', '-l', join(folder, 'server.log')],
      {
        ...account,
        cwd: folder,
        stdio: 'ignore',
      },
    );
    expect(done.status).toBe(0);
  }

  it.each(['fast', 'immediate'] as const)(
    '%s: in-flight work fails with a clear code, later work succeeds on the same pool',
    async (mode) => {
      // Opens idle connections that the restart closes.
      await Promise.all([1, 2, 3].map(() => db.transaction(read, (tx) => tx.one(one, {}))));
      const running = db
        .transaction(read, async (tx) => {
          control('restart', mode);
          await tx.one(one, {});
        })
        .catch((error: unknown) => error);
      expect(await running).toMatchObject({
        code: 'database_restarting',
        exit: 4,
        message: expect.stringMatching(/^the server ended the session: terminating connection/),
      });
      const after = await Promise.all(
        Array.from({ length: 8 }, () => db.transaction(read, (tx) => tx.one(one, {}))),
      );
      expect(after).toEqual(Array(8).fill({ one: 1 }));
    },
  );

  it('in the middle of a command is told as such, and so is a server that stays down', async () => {
    const command = startCli(['db', 'psql', '--json', '-c', 'select pg_sleep(600)'], {
      env: { DATABASE_URL: server.url },
    });
    const worker = openDatabase(server.url, { connectTimeoutMs: 300 });
    await worker.transaction(read, (tx) => tx.one(one, {}));
    await until('the command runs', async () => {
      const rows = await asHost(server.url, "select 1 from pg_stat_activity where wait_event = 'PgSleep'");
      return rows.length > 0;
    });
    control('stop', 'fast');
    const { exit, stdout, stderr } = await command.done;
    expect(stderr).toMatch(
      /^database_restarting: the server ended the session: [^\n]+\n {2}help: run the command again [^\n]+\n$/,
    );
    expect([exit, JSON.parse(stdout)]).toMatchObject([4, { error: { code: 'database_restarting' } }]);
    await expect(worker.transaction(read, (tx) => tx.one(one, {}))).rejects.toMatchObject({
      code: 'database_restarting',
      message: expect.stringMatching(/^the server has stopped since it last answered: .*ECONNREFUSED/),
    });
    await worker.close();
    // It starts a stopped server with the options it had.
    control('restart', 'fast');
    expect(await db.transaction(read, (tx) => tx.one(one, {}))).toEqual({ one: 1 });
  });
});
