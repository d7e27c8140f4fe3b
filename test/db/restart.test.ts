// The pool survives a restart of the server: running work fails with a clear error, later work succeeds.
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, findBinaries, statement } from '../../src/db/index.js';
import { openDatabase } from '../support/database.js';
import { startServer, type TestServer } from '../support/server.js';

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

  function restart(mode: 'fast' | 'immediate'): void {
    const { folder } = server;
    const data = join(folder, 'data');
    const { uid, gid } = statSync(data);
    const account = process.getuid?.() === 0 ? { uid, gid } : {};
    const done = spawnSync(
      join(findBinaries().root, 'bin/pg_ctl'),
      ['restart', '-D', data, '-m', mode, '-w', '-l', join(folder, 'server.log')],
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
          restart(mode);
          await tx.one(one, {});
        })
        .catch((error: unknown) => error);
      expect(await running).toMatchObject({ code: 'database_unreachable', exit: 4 });
      const after = await Promise.all(
        Array.from({ length: 8 }, () => db.transaction(read, (tx) => tx.one(one, {}))),
      );
      expect(after).toEqual(Array(8).fill({ one: 1 }));
    },
  );
});
