// Every error prints one line with a stable code, then help, sets the exit code, and shows no stack trace.
// The command writes nothing.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { dumpSchema } from '../../src/db/index.js';
import { type CliResult, runCli, startCli } from '../support/cli.js';
import { asHost, createDatabase, type TestDatabase, urlFor } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';

/** Expects `code: message` on one line, then help, and nothing else. */
function expectOneClearError(result: CliResult, exit: number, code: string): void {
  expect(result.stderr).toMatch(new RegExp(`^${code}: [^\\n]+\\n  help: [^\\n]+\\n$`));
  expect(result.stderr).not.toMatch(/\n\s+at |node_modules|Error:/);
  expect(result.exit).toBe(exit);
  expect(result.stdout).toBe('');
}

describe('bad usage', () => {
  it.each([
    ['an unknown flag', ['status', '--colour'], /unknown option `--colour`/],
    ['a misspelt flag, with a suggestion', ['status', '--jsn'], /Did you mean --json\?/],
    ['an unknown command', ['gouvern'], /unknown command `gouvern`/],
    ['an unknown subcommand', ['db', 'restart'], /unknown command `restart`/],
    ['one argument too many', ['doctor', 'now'], /too many arguments/],
    ['a flag without its value', ['status', '--timeout'], /argument missing/],
  ])('%s', async (_, args, message) => {
    const result = await runCli(args);
    expectOneClearError(result, 3, 'usage_invalid');
    expect(result.stderr).toMatch(message);
  });

  it.each([
    ['GCOS_SCHEMA', ['status'], { GCOS_SCHEMA: 'Two Words' }],
    ['an empty URL, as an unset variable gives', ['status', '--database-url', ''], {}],
    ['an empty DATABASE_URL', ['status'], { DATABASE_URL: '' }],
    ['an invalid port', ['status', '--database-url', 'postgresql://127.0.0.1:99999/x'], {}],
    ['a URL of another database product', ['status', '--database-url', 'mysql://u:hush@h/d'], {}],
  ])('%s', async (_, args, env) => {
    const result = await runCli(args, { env });
    expectOneClearError(result, 3, 'config_invalid');
    expect(result.stderr).not.toContain('hush');
  });

  it.each([
    [['demo', 'build', '--rows', 'many'], /`many` is not a whole number/],
    [['status', '--timeout', 'soon'], /`soon` is not a duration/],
  ])('a value of the wrong form: %j', async (args, message) => {
    const result = await runCli(args);
    expectOneClearError(result, 3, 'value_invalid');
    expect(result.stderr).toMatch(message);
  });

  it('prints every usage error as an object on stdout with --json', async () => {
    for (const args of [
      ['demo', 'build', '--rows', 'abc', '--json'],
      ['govern', '--json'],
      ['status', '--timeout', 'x', '--json'],
    ]) {
      const result = await runCli(args);
      expect(JSON.parse(result.stdout), args.join(' ')).toMatchObject({
        error: { code: expect.any(String) },
      });
      expect(result.exit).toBe(3);
    }
  });

  it('exits with 0 for help', async () => {
    expect(await runCli(['--help'])).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('Usage: gcos'),
      stderr: '',
    });
    expect(await runCli(['db', 'url', '--help'])).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('Usage: gcos db url'),
    });
  });
});

describe('a database that cannot be used', () => {
  let host: Estate;
  let bare: TestDatabase;
  let silent: Server;
  beforeAll(async () => {
    [host, bare] = await Promise.all([createEstate('host'), createDatabase()]);
    silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    silent.close();
    await host.close();
    await bare.close();
  });

  it.each(['status', 'doctor', 'init', 'upgrade', 'uninstall', 'up'])(
    'is reported as unreachable: %s',
    async (command) => {
      expectOneClearError(
        await runCli([command], { env: { DATABASE_URL: 'postgresql://x@127.0.0.1:1/x' } }),
        4,
        'database_unreachable',
      );
    },
  );

  it('is reported as unreachable if it accepts connections and never answers', async () => {
    const { port } = silent.address() as { port: number };
    const env = { DATABASE_URL: `postgresql://x@127.0.0.1:${port}/x`, GCOS_CONNECT_TIMEOUT: '300ms' };
    expectOneClearError(await runCli(['status'], { env }), 4, 'database_unreachable');
  });

  it('is reported for a wrong password, no password and an unknown database', async () => {
    const server = inject('serverUrl');
    const run = (url: string) => runCli(['status'], { env: { DATABASE_URL: url } });
    expectOneClearError(await run(urlFor(server, { password: 'wrong' })), 4, 'database_auth_failed');
    expectOneClearError(await run(urlFor(server, { password: '' })), 4, 'database_auth_failed');
    expectOneClearError(await run(urlFor(server, { database: 'nowhere' })), 4, 'database_missing');
  });

  it('is reported if it has no GCOS schema', async () => {
    for (const command of ['upgrade', 'uninstall']) {
      expectOneClearError(
        await runCli([command], { env: { DATABASE_URL: bare.url } }),
        4,
        'schema_not_installed',
      );
    }
    expectOneClearError(await runCli(['up'], { env: { DATABASE_URL: bare.url } }), 4, 'host_missing');
    expect(
      await asHost(bare.url, "select 1 from pg_class where relnamespace = 'public'::regnamespace"),
    ).toEqual([]);
  });

  it('is not changed by any command if its schema is newer', async () => {
    const newer = await createEstate('installed');
    try {
      await asHost(
        newer.url,
        "insert into gcos_migration values ('core', 9999, 'from_the_future', 'x', now(), 'x', 'gcos')",
      );
      const before = await newer.gcos.dumpSchema();
      for (const command of ['init', 'upgrade', 'uninstall']) {
        expectOneClearError(await runCli([command], { env: { DATABASE_URL: newer.url } }), 4, 'schema_newer');
      }
      expect(await newer.gcos.dumpSchema()).toBe(before);
    } finally {
      await newer.close();
    }
  });

  it('is reported as one object on stdout with --json', async () => {
    const result = await runCli(['status', '--json', '--quiet'], {
      env: { DATABASE_URL: 'postgresql://x@127.0.0.1:1/x' },
    });
    expect(result.exit).toBe(4);
    expect(JSON.parse(result.stdout)).toMatchObject({
      error: { code: 'database_unreachable', help: expect.any(String) },
    });
  });

  it('is not overwritten by a demo estate if it is a host', async () => {
    const before = await host.gcos.dumpSchema();
    expectOneClearError(
      await runCli(['demo', 'build', '--yes', '--quiet'], { env: { DATABASE_URL: host.url } }),
      3,
      'demo_target_not_empty',
    );
    expectOneClearError(
      await runCli(['demo', 'build', '--yes', '--rows', '7'], { env: { DATABASE_URL: bare.url } }),
      3,
      'demo_rows_invalid',
    );
    expect(await host.gcos.dumpSchema()).toBe(before);
  });

  it('gets a demo estate only with --yes and only if it is empty', async () => {
    const before = await dumpSchema(bare.db);
    for (const args of [
      ['up', '--demo'],
      ['demo', 'build'],
    ])
      expectOneClearError(
        await runCli([...args, '--rows', '2000'], { env: { DATABASE_URL: bare.url } }),
        3,
        'demo_target_configured',
      );
    expectOneClearError(
      await runCli(['up', '--demo', '--embedded', '--database-url', bare.url]),
      3,
      'usage_invalid',
    );
    expect(await dumpSchema(bare.db)).toBe(before);
    const other = await createDatabase();
    try {
      await asHost(other.url, 'create table invoice (id bigint primary key)');
      expectOneClearError(
        await runCli(['demo', 'build', '--rows', '2000', '--yes'], { env: { DATABASE_URL: other.url } }),
        3,
        'demo_target_not_empty',
      );
      await asHost(other.url, 'create table birth_registry (id bigint primary key)');
      expectOneClearError(
        await runCli(['up', '--demo', '--yes'], { env: { DATABASE_URL: other.url } }),
        3,
        'demo_target_configured',
      );
    } finally {
      await other.close();
    }
  });

  it('is left unchanged when --timeout cancels long work', async () => {
    const result = await runCli(
      ['demo', 'build', '--yes', '--rows', '3000000', '--timeout', '1500ms', '--quiet'],
      {
        env: { DATABASE_URL: bare.url },
      },
    );
    expectOneClearError(result, 1, 'operation_cancelled');
    expect(
      await asHost(bare.url, "select 1 from pg_class where relnamespace = 'public'::regnamespace"),
    ).toEqual([]);
    expect(
      await asHost(
        bare.url,
        "select 1 from pg_stat_activity where datname = current_database() and state = 'active' and pid <> pg_backend_pid()",
      ),
    ).toEqual([]);
  });

  it('is left unchanged when --timeout ends while connecting', async () => {
    for (const timeout of ['1ms', '5ms', '20ms']) {
      const result = await runCli(
        ['demo', 'build', '--yes', '--rows', '2000', '--timeout', timeout, '--quiet'],
        {
          env: { DATABASE_URL: bare.url },
        },
      );
      expectOneClearError(result, 1, 'operation_cancelled');
    }
    expect(
      await asHost(bare.url, "select 1 from pg_class where relnamespace = 'public'::regnamespace"),
    ).toEqual([]);
  });

  it('causes no error if the reader of stdout closes it', async () => {
    const reading = startCli(['schema', 'dump'], { env: { DATABASE_URL: host.url } });
    reading.child.stdout?.destroy();
    const result = await reading.done;
    expect(result.stderr).toBe('');
  });

  it('gets its SQL in new files: existing files are never overwritten', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gcos-files-'));
    try {
      const run = () => runCli(['init', '--dry-run'], { cwd: folder, env: { DATABASE_URL: host.url } });
      expect((await run()).exit).toBe(0);
      expect(readFileSync(join(folder, 'gcos-init.reverse.sql'), 'utf8')).toContain(
        'drop table "gcos_trust".governance_setting',
      );
      rmSync(join(folder, 'gcos-init.sql'));
      writeFileSync(join(folder, 'gcos-init.reverse.sql'), 'mine');
      expectOneClearError(await run(), 3, 'file_unwritable');
      expect(readFileSync(join(folder, 'gcos-init.reverse.sql'), 'utf8')).toBe('mine');
      expect(existsSync(join(folder, 'gcos-init.sql'))).toBe(false);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
