// `gcos snapshot` as a user runs it, and killed (-9) in the middle: nothing is half written, and the next attempt works.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli, startCli } from '../support/cli.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { until } from '../support/wait.js';

let estate: Estate;
beforeEach(async () => {
  estate = await createEstate('installed');
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
      /^snapshot 2 \(backfill\), [0-9a-f]{12}: 20,000 births in \d+ groups, [\d,]+ at the grain\n/,
    );
    await asHost(
      estate.url,
      "insert into birth_registry (entity_code, collection_name) values (E'odd\\033[31m', E'new\\033[31m')",
    );
    const second = await run('capture', '--json');
    const captured = JSON.parse(second.stdout) as Record<string, unknown>;
    expect(captured).toMatchObject({ id: '3', kind: 'full', confirmed: true });
    expect((await run('list', '--limit', '1')).stdout).toContain('more: --after 3');
    expect((await run('list', '--limit', '1', '--after', '3')).stdout).toMatch(/\n2 +backfill/);
    const shown = await run('show', '3');
    expect(shown.stdout).toMatch(/dot_tools \/ dot_tool \/ no axis \/ active +293 +292 /);
    expect(shown.stdout).not.toContain('\u001b');
    const diff = await run('diff', '2', '3');
    expect(diff.stdout).toMatch(
      /^1 groups changed, \d+ equal\n {2}\+ {2}new.* \/ unresolved \/ no axis \/ born +\+1 births {2}up to id \d+\n$/,
    );
    const held = await run('verify', '3');
    expect(held).toMatchObject({ exit: 0 });
    const moved = await run('verify', '2');
    expect(moved.exit).toBe(2);
    expect(moved.stdout).toContain('the inventory has changed since');
    expect(await run('prune', '--keep', '0', '--dry-run')).toMatchObject({ exit: 0 });
    expect(JSON.parse((await run('prune', '--json')).stdout)).toEqual({
      dry_run: false,
      keep: 12,
      snapshots: [],
    });
  });

  it.each([
    [['show', '99'], 3, 'snapshot_unknown'],
    [['show', 'x'], 3, 'usage_invalid'],
    [['capture', '--kind', 'other'], 3, 'usage_invalid'],
    [['prune', '--keep', '-1'], 3, 'usage_invalid'],
  ])('%j is refused', async (args, exit, code) => {
    const refused = await run(...args);
    expect(refused.exit).toBe(exit);
    expect(refused.stderr).toContain(code);
  });
});

describe('killed', () => {
  const clean = async () => {
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
  /** Holds the command at a statement of `table` by a lock, kills it there, and lets the server notice. */
  async function killAt(table: string, args: readonly string[]): Promise<void> {
    const blocker = startBlocker(table);
    await blocker.locked;
    const { child, done } = startCli(['snapshot', ...args], { env: { ...env(), GCOS_LOCK_TIMEOUT: '30s' } });
    await until(
      'the command waits',
      async () =>
        (await numberOf(
          "select count(*) as n from pg_stat_activity where application_name = 'gcos' and wait_event_type = 'Lock' and datname = current_database()",
        )) > 0,
    );
    child.kill('SIGKILL');
    await done;
    await blocker.release();
    await until(
      'the server has let go of it',
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
    const held = estate.db.transaction({ isolation: 'read committed', idleTimeoutMs: 60_000 }, async (tx) => {
      await tx.script(`lock table ${table} in access exclusive mode`);
      lock();
      await opened;
    });
    return {
      locked,
      release: async () => {
        open();
        await held;
      },
    };
  }

  it.each(['birth_registry', 'evolution_snapshots', 'governance_group', 'registry_changelog'])(
    'during a capture, at %s: nothing is half written, and the next one works',
    async (table) => {
      const before = await numberOf(
        "select count(*) as n from evolution_snapshots where scope like 'governance.%'",
      );
      await killAt(table, ['capture', '--kind', 'scan']);
      await clean();
      const after = await numberOf(
        "select count(*) as n from evolution_snapshots where scope like 'governance.%'",
      );
      // The server may have finished what it was sent: then all of it is there.
      expect([before, before + 1]).toContain(after);
      expect(await run('capture', '--kind', 'scan')).toMatchObject({ exit: 0 });
      await clean();
    },
  );

  it('during a prune: all or nothing, and the next one works', async () => {
    for (let n = 0; n < 3; n += 1) expect((await run('capture', '--kind', 'scan')).exit).toBe(0);
    const left = () =>
      numberOf("select count(*) as n from evolution_snapshots where scope = 'governance.scan'");
    const logged = () =>
      numberOf(
        "select count(*) as n from registry_changelog where entity_type = 'governance_snapshot' and action = 'prune' and (alert_detail::jsonb ->> 'snapshot_pruned')::int > 0",
      );
    const [before, logs] = [await left(), await logged()];
    await killAt('registry_changelog', ['prune', '--keep', '0']);
    expect([
      [before, logs],
      [1, logs + 1],
    ]).toContainEqual([await left(), await logged()]);
    expect((await run('prune', '--keep', '0')).exit).toBe(0);
    expect(await left()).toBe(1);
  });

  it('at random moments: what is there is whole', async () => {
    let state = 38;
    const random = () => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647;
    };
    for (let n = 0; n < 8; n += 1) {
      const { child, done } = startCli(['snapshot', 'capture'], { env: env() });
      // Somewhere in the middle of something: the moment is random, not a pause for its own sake.
      await new Promise((resolve) => setTimeout(resolve, 150 + random() * 500));
      child.kill('SIGKILL');
      await done;
    }
    await until(
      'the server has let go',
      async () =>
        (await numberOf(
          "select count(*) as n from pg_stat_activity where application_name = 'gcos' and datname = current_database() and state <> 'idle'",
        )) === 0,
    );
    await clean();
    expect((await run('capture')).exit).toBe(0);
    await clean();
  });
});
