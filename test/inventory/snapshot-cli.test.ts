// The command `gcos snapshot`, also killed with SIGKILL: no partial writes remain, and the next run works.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli, startCli } from '../support/cli.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { pruneAtOnce } from '../support/snapshots.js';
import { until } from '../support/wait.js';

let estate: Estate;
beforeEach(async () => {
  estate = await createEstate('installed');
  await pruneAtOnce(estate.url);
});
afterEach(() => estate?.close());
const env = () => ({ DATABASE_URL: estate.url });
const run = (...args: string[]) => runCli(['snapshot', ...args], { env: env() });
const numberOf = async (text: string) => Number((await asHost(estate.url, text))[0]?.['n']);

describe('gcos snapshot', () => {
  it('captures, lists, shows, compares, verifies and prunes', async () => {
    expect((await run('list')).stdout).toBe('no snapshots: `gcos snapshot capture` takes one\n');
    const first = await run('capture', '--kind', 'backfill', '--sealed');
    expect(first).toMatchObject({ exit: 0, stderr: '' });
    expect(first.stdout).toMatch(
      /^snapshot \d+ \(backfill\), [0-9a-f]{12}: 20,000 births in \d+ groups, [\d,]+ at the grain\n/,
    );
    const [, one = ''] = /^snapshot (\d+)/.exec(first.stdout) ?? [];
    const two = String(Number(one) + 1);
    await asHost(
      estate.url,
      "insert into birth_registry (entity_code, collection_name) values (E'odd\\033[31m', E'new\\033[31m')",
    );
    const second = await run('capture', '--json');
    const captured = JSON.parse(second.stdout) as Record<string, unknown>;
    expect(captured).toMatchObject({ id: two, kind: 'full', confirmed: true });
    expect((await run('list', '--limit', '1')).stdout).toContain(`more: --after ${two}`);
    expect((await run('list', '--limit', '1', '--after', two)).stdout).toMatch(
      new RegExp(`\n${one} +backfill`),
    );
    const shown = await run('show', two);
    expect(shown.stdout).toMatch(/dot_tools \/ dot_tool \/ no axis \/ active +293 +292 /);
    expect(shown.stdout).not.toContain('\u001b');
    const diff = await run('diff', one, two);
    expect(diff.stdout).toMatch(
      /^1 groups changed, \d+ equal\n {2}\+ {2}new.* \/ unresolved \/ no axis \/ born +\+1 births {2}up to id \d+\n$/,
    );
    const unchanged = await run('verify', two);
    expect(unchanged).toMatchObject({ exit: 0 });
    const changed = await run('verify', one);
    expect(changed.exit).toBe(2);
    expect(changed.stdout).toContain('the inventory has changed since');
    expect(await run('prune', '--keep', '0', '--dry-run')).toMatchObject({ exit: 0 });
    expect(JSON.parse((await run('prune', '--json')).stdout)).toEqual({
      dry_run: false,
      keep: 12,
      snapshots: [],
    });
  });

  it.each([
    [['show', '99'], 3, 'snapshot_unknown'],
    [['show', 'x'], 3, 'value_invalid'],
    [['capture', '--kind', 'other'], 3, 'value_unknown'],
    [['prune', '--keep', '-1'], 3, 'value_invalid'],
  ])('%j is refused', async (args, exit, code) => {
    const refused = await run(...args);
    expect(refused.exit).toBe(exit);
    expect(refused.stderr).toContain(code);
  });
});

describe('gcos snapshot, killed', () => {
  const expectNoPartialWrites = async () => {
    expect(
      await numberOf(
        "select count(*) as n from evolution_snapshots s where s.scope like 'governance.%' and not exists (select from registry_changelog c where c.entity_type = 'governance_snapshot' and c.action = 'capture' and c.entity_code = s.id::text)",
      ),
    ).toBe(0);
    expect(
      await numberOf(
        "select count(*) as n from registry_changelog c where c.entity_type = 'governance_snapshot' and c.action = 'capture' and c.entity_code::int > all (select id from evolution_snapshots)",
      ),
    ).toBe(0);
  };
  /** Blocks the command by a lock on `table`, kills it there, and waits until its sessions have ended. */
  async function killAt(table: string, args: readonly string[]): Promise<void> {
    const blocker = startBlocker(table);
    await blocker.locked;
    const { child, done } = startCli(['snapshot', ...args], { env: { ...env(), GCOS_LOCK_TIMEOUT: '30s' } });
    await until(
      'the command waits for the lock',
      async () =>
        (await numberOf(
          "select count(*) as n from pg_stat_activity where application_name = 'gcos' and wait_event_type = 'Lock' and datname = current_database()",
        )) > 0,
    );
    child.kill('SIGKILL');
    await done;
    await blocker.release();
    await until(
      'the sessions of the command have ended',
      async () =>
        (await numberOf(
          "select count(*) as n from pg_stat_activity where application_name = 'gcos' and datname = current_database() and state <> 'idle'",
        )) === 0,
    );
  }
  function startBlocker(table: string): { locked: Promise<void>; release: () => Promise<void> } {
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    let lock = () => {};
    const locked = new Promise<void>((resolve) => {
      lock = resolve;
    });
    const transaction = estate.db.transaction(
      { isolation: 'read committed', idleTimeoutMs: 60_000 },
      async (tx) => {
        await tx.script(`lock table ${table} in access exclusive mode`);
        lock();
        await opened;
      },
    );
    return {
      locked,
      release: async () => {
        open();
        await transaction;
      },
    };
  }

  it.each(['birth_registry', 'evolution_snapshots', 'governance_group', 'registry_changelog'])(
    'during a capture, at %s: no partial snapshot remains, and the next capture works',
    async (table) => {
      const before = await numberOf(
        "select count(*) as n from evolution_snapshots where scope like 'governance.%'",
      );
      await killAt(table, ['capture', '--kind', 'scan']);
      await expectNoPartialWrites();
      const after = await numberOf(
        "select count(*) as n from evolution_snapshots where scope like 'governance.%'",
      );
      // The server may have completed the transaction: then the whole snapshot exists.
      expect([before, before + 1]).toContain(after);
      expect(await run('capture', '--kind', 'scan')).toMatchObject({ exit: 0 });
      await expectNoPartialWrites();
    },
  );

  it('during a prune: all or nothing is pruned, and the next prune works', async () => {
    for (let n = 0; n < 3; n += 1) expect((await run('capture', '--kind', 'scan')).exit).toBe(0);
    const remaining = () =>
      numberOf("select count(*) as n from evolution_snapshots where scope = 'governance.scan'");
    const pruneAudits = () =>
      numberOf(
        "select count(*) as n from registry_changelog where entity_type = 'governance_snapshot' and action = 'prune' and (alert_detail::jsonb ->> 'snapshot_pruned')::int > 0",
      );
    const [before, audited] = [await remaining(), await pruneAudits()];
    await killAt('registry_changelog', ['prune', '--keep', '0', '--yes']);
    expect([
      [before, audited],
      [1, audited + 1],
    ]).toContainEqual([await remaining(), await pruneAudits()]);
    expect((await run('prune', '--keep', '0', '--yes')).exit).toBe(0);
    expect(await remaining()).toBe(1);
  });

  it('at random moments during captures: no partial snapshot remains', async () => {
    let state = 38;
    const random = () => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647;
    };
    for (let n = 0; n < 8; n += 1) {
      const { child, done } = startCli(['snapshot', 'capture'], { env: env() });
      // The delay chooses a random moment at which the command is killed.
      await new Promise((resolve) => setTimeout(resolve, 150 + random() * 500));
      child.kill('SIGKILL');
      await done;
    }
    await until(
      'the sessions of the commands have ended',
      async () =>
        (await numberOf(
          "select count(*) as n from pg_stat_activity where application_name = 'gcos' and datname = current_database() and state <> 'idle'",
        )) === 0,
    );
    await expectNoPartialWrites();
    expect((await run('capture')).exit).toBe(0);
    await expectNoPartialWrites();
  });
});
