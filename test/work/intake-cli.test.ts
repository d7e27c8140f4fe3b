// `gcos intake` as an operator runs it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { createEstate, type Estate } from '../support/estate.js';
import { createIntake, type IntakeEstate } from '../support/intake.js';

describe('gcos intake', () => {
  let h: IntakeEstate;
  const gcos = (...args: string[]) => runCli(['intake', ...args, '--database-url', h.workerUrl]);
  beforeEach(async () => {
    h = await createIntake();
  });
  afterEach(() => h.close());

  const insertBirth = () =>
    h.host(
      `insert into birth_registry (entity_code, collection_name, status) values ('CLI-1', 'orders', 'born')`,
    );

  it('run --once takes in what is waiting, and status reports the progress', async () => {
    await insertBirth();
    const run = await gcos('run', '--once', '--json');
    expect(run.exit, run.stderr).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({ births: 1, applied: { by_kind: { object_born: 1 } } });
    const again = await gcos('run', '--once');
    expect(again.stdout).toContain('nothing changed');
    const status = await gcos('status');
    expect(status.exit, status.stderr).toBe(0);
    for (const word of ['changelog', 'outbox', 'registries', 'near', 'wide'])
      expect(status.stdout).toContain(word);
    expect(status.stdout).toMatch(/waiting +\d+ groups/);
  });

  it('replay marks groups again; --dry-run marks nothing; a start that is neither an id nor a time is refused', async () => {
    await insertBirth();
    await h.once();
    await h.catchUp();
    const from = String((await h.host('select max(id) as id from birth_registry'))[0]?.['id']);
    const dry = await gcos('replay', '--from', from, '--dry-run', '--json');
    expect(dry.exit, dry.stderr).toBe(0);
    expect(JSON.parse(dry.stdout)).toMatchObject({ groups: 1, dry_run: true });
    expect(await h.marks()).toEqual([]);
    const done = await gcos('replay', '--from', from);
    expect(done.stdout).toContain('no signal is repeated');
    expect(new Set((await h.marks()).map((each) => each.registry))).toEqual(new Set(['orders']));
    expect(
      await h.host(
        `select action from registry_changelog where entity_type = 'governance_cursor' and action = 'replay' and entity_code = 'intake:birth_registry' order by id desc limit 1`,
      ),
    ).toHaveLength(1);
    for (const from of ['yesterday', '2026-02-30', '2026-13-01T00:00:00Z', '2026-06-01T25:00:00Z']) {
      const refused = await gcos('replay', '--from', from);
      expect(refused.exit, from).toBe(3);
    }
  });
});

describe('before a backfill', () => {
  it('the intake refuses to run and reports that it is not ready', async () => {
    const estate: Estate = await createEstate('installed');
    try {
      const run = await runCli(['intake', 'run', '--once', '--database-url', estate.url]);
      expect(run.exit).toBe(1);
      expect(run.stderr).toContain('intake_not_ready');
      const status = await runCli(['intake', 'status', '--database-url', estate.url]);
      expect(status.exit).toBe(0);
      expect(status.stdout).toContain('cannot run yet');
    } finally {
      await estate.close();
    }
  });
});
