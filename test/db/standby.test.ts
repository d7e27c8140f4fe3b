// A standby answers what only reads. Every command that writes is refused with one clear error, before it has
// done anything; the gate blocks.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Standby, startStandby } from '../../chaos/standby.js';
import type { Gcos } from '../../src/index.js';
import { type CliResult, runCli } from '../support/cli.js';
import { openAt, prepareInstalled } from '../support/estate.js';
import { startServer, type TestServer } from '../support/server.js';

describe('a standby', () => {
  let primary: TestServer;
  let standby: Standby;
  let gcos: Gcos;
  const run = (...args: string[]): Promise<CliResult> => runCli(args, { env: { DATABASE_URL: standby.url } });
  beforeAll(async () => {
    primary = await startServer();
    await prepareInstalled(primary.url, { rows: 2_000 });
    standby = await startStandby(primary);
    gcos = await openAt(standby.url);
  });
  afterAll(async () => {
    await gcos?.close();
    await standby?.stop();
    await primary?.stop();
  });

  it('refuses each act that writes as database_read_only', async () => {
    const acts: Readonly<Record<string, () => Promise<unknown>>> = {
      backfill: () => gcos.backfills.run({}),
      draft: () => gcos.rulesets.draft(),
      scan: () => gcos.scans.run({ mode: 'full' }),
      snapshot: () => gcos.snapshots.capture({ kind: 'full' }),
      pause: () => gcos.workers.pause('a standby'),
      upgrade: () => gcos.upgrade(),
      uninstall: () => gcos.uninstall(),
      once: () => gcos.worker.once({ signal: new AbortController().signal, log: () => undefined }),
    };
    const found: Record<string, unknown> = {};
    for (const [name, act] of Object.entries(acts))
      found[name] = await act().then(
        () => 'nothing was refused',
        (error: { code?: string }) => error.code,
      );
    expect(found).toEqual(Object.fromEntries(Object.keys(acts).map((name) => [name, 'database_read_only'])));
  });

  it('refuses a command with exit code 4, one line and help', async () => {
    const { exit, stdout, stderr } = await run('ruleset', 'draft');
    expect([exit, stdout]).toEqual([4, '']);
    expect(stderr).toBe(
      'database_read_only: the server is a standby, and accepts only transactions that read\n' +
        '  help: connect to the primary with a role that may write; after a failover, DATABASE_URL must name the new primary\n',
    );
    const statement = await run('db', 'psql', '--json', '-c', 'create table t (x int)');
    expect(statement.exit).toBe(4);
    expect(JSON.parse(statement.stdout)).toMatchObject({ error: { code: 'database_read_only' } });
  });

  it('answers what only reads, and its gate blocks because no answer can be recorded', async () => {
    expect((await run('ledger', 'show')).stderr).not.toMatch(/read_only/);
    expect((await gcos.status()).schema).toBe('current');
    const { exit, stdout } = await run('gate', 'check', 'dot_tools', 'DOT-118', '--json');
    expect(exit).toBe(2);
    expect(stdout).toContain('database_read_only');
  });
});
