// Commands that destroy something ask on a terminal, and need --yes elsewhere; an answer that is missing or
// not yes changes nothing.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dumpSchema } from '../../src/db/index.js';
import { buildEstate } from '../../src/demo/index.js';
import { type CliResult, runCli } from '../support/cli.js';
import { asHost, createDatabase, openDatabase, type TestDatabase } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { sealAll } from '../support/log.js';
import { hasTerminal, runOnTerminal } from '../support/terminal.js';

/** Younger than the decisions of the test, and old enough to be pruned. */
const BEFORE = new Date(Date.now() - 90.5 * 86_400_000).toISOString();
const PROMPT = /Type yes to go on: /;

function expectRefused(result: CliResult, code: string, message: RegExp, exit = 3): void {
  expect(result.stderr).toMatch(new RegExp(`^${code}: `));
  expect(result.stderr).toMatch(message);
  expect(result.stderr).toMatch(/\n {2}help: /);
  expect(result).toMatchObject({ exit, stdout: '' });
}

describe('on an estate with GCOS', () => {
  let estate: Estate;
  const run = (...args: string[]) => runCli(args, { env: { DATABASE_URL: estate.url } });
  beforeAll(async () => {
    estate = await createEstate('scanned');
    // Old enough to be pruned.
    await asHost(
      estate.url,
      `update governance_setting set setting_value = '{"gate_days": 90, "snapshot_days": 0}' where setting_key = 'prune.minimum_age'`,
    );
    for (const _ of [1, 2, 3]) await estate.gcos.snapshots.capture({ kind: 'full' });
  });
  beforeEach(async () => {
    await estate.gcos.gates.check([{ collection: 'dot_tools', code: 'DOT-118' }]);
    await asHost(
      estate.url,
      `update governance_gate_answer set decided_at = decided_at - interval '91 days'`,
    );
    await sealAll(estate.url);
  });
  afterAll(() => estate?.close());

  it('nothing is destroyed without an answer, and one line says what would be', async () => {
    const counts = () =>
      asHost(
        estate.url,
        `select (select count(*) from governance_gate_answer) as answers, (select count(*) from evolution_snapshots) as snapshots`,
      );
    const [schema, before] = [await estate.gcos.dumpSchema(), await counts()];
    const missing = 'confirmation_missing';
    expectRefused(await run('uninstall'), missing, /this would remove GCOS from the schema `public`/);
    expectRefused(await run('uninstall', '--purge', '--drop-rows'), missing, /add --yes/);
    expectRefused(
      await run('gate', 'prune', '--before', BEFORE),
      missing,
      /delete \d decisions of \d checks/,
    );
    expectRefused(
      await run('snapshot', 'prune', '--keep', '0'),
      missing,
      /this would delete \d+ snapshots \(\d/,
    );
    expectRefused(await run('demo', 'drop'), 'demo_estate_in_use', /run `gcos uninstall` first/);
    expectRefused(await run('demo', 'drop', '--yes'), 'demo_estate_in_use', /GCOS is installed in `public`/);
    const json = await run('uninstall', '--json');
    expect(json.exit).toBe(3);
    expect(JSON.parse(json.stdout)).toMatchObject({ error: { code: missing } });
    expect(await estate.gcos.dumpSchema()).toBe(schema);
    expect(await counts()).toEqual(before);
  });

  it.runIf(hasTerminal)('is destroyed on a terminal only after the answer yes', async () => {
    const env = { DATABASE_URL: estate.url };
    const schema = await estate.gcos.dumpSchema();
    for (const answer of ['no\n', '\n', '\u0004'])
      expect(await runOnTerminal(['uninstall'], { prompt: PROMPT, answer, env })).toMatchObject({
        exit: 3,
        shown: expect.stringMatching(
          /This will remove GCOS from the schema `public` in the database `t_\w+` on 127[\s\S]*log are lost[\s\S]*not_confirmed: nothing was changed/,
        ),
      });
    expect((await runOnTerminal(['uninstall'], { prompt: PROMPT, answer: '\u0003', env })).exit).toBe(130);
    expect(await estate.gcos.dumpSchema()).toBe(schema);

    const pruned = await runOnTerminal(['gate', 'prune', '--before', BEFORE], {
      ...{ prompt: PROMPT, answer: 'yes\n', env },
    });
    expect(pruned).toMatchObject({
      exit: 0,
      shown: expect.stringMatching(/\d decisions of \d checks deleted/),
    });
  });
});

describe('the demo estate', () => {
  let bare: TestDatabase;
  const run = (...args: string[]) => runCli(args, { env: { DATABASE_URL: bare.url } });
  const relations = () => dumpSchema(bare.db);
  beforeAll(async () => {
    bare = await createDatabase();
  });
  afterAll(() => bare?.close());

  it('is dropped exactly: the schema is as before the build, and what is not of the estate stays', async () => {
    expectRefused(await run('demo', 'drop', '--yes'), 'demo_estate_missing', /no demo estate in `public`/);
    const empty = await relations();
    await buildEstate(bare.db, { rows: 2_000 });
    expectRefused(
      await run('demo', 'drop'),
      'confirmation_missing',
      /drop the demo estate, 35 tables with 2,000 births/,
    );
    expectRefused(
      await run('demo', 'build', '--rows', '2000', '--replace'),
      'demo_target_configured',
      /--yes/,
    );
    await asHost(bare.url, 'create view tool_count as select count(*) from dot_tools');
    expectRefused(
      await run('demo', 'drop', '--yes'),
      'demo_estate_in_use',
      /other objects in the database depend/,
    );
    await asHost(bare.url, 'drop view tool_count; create table invoice (id bigint primary key)');
    const { exit, stdout } = await run('demo', 'drop', '--yes');
    expect(stdout).toBe('dropped the 35 tables of the demo estate; nothing else was touched\n');
    expect(exit).toBe(0);
    await asHost(bare.url, 'drop table invoice');
    expect(await relations()).toBe(empty);
  });

  it('goes with its schema only if the build created the schema and nothing else is in it', async () => {
    const env = { DATABASE_URL: bare.url, GCOS_SCHEMA: 'platform' };
    const db = openDatabase(bare.url, { schema: 'platform' });
    const schemas = async () =>
      (await asHost(bare.url, `select from pg_namespace where nspname = 'platform'`)).length;
    await buildEstate(db, { rows: 2_000 });
    await asHost(bare.url, 'create sequence platform.mine');
    expect(await runCli(['demo', 'drop', '--yes'], { env })).toMatchObject({ exit: 0 });
    expect(await schemas()).toBe(1);
    await asHost(bare.url, 'drop schema platform cascade');
    await buildEstate(db, { rows: 2_000 });
    expect((await runCli(['demo', 'drop', '--yes'], { env })).stdout).toContain('and the schema `platform`');
    expect(await schemas()).toBe(0);
    await asHost(bare.url, 'create schema platform');
    await buildEstate(db, { rows: 2_000 });
    await runCli(['demo', 'drop', '--yes'], { env });
    expect(await schemas()).toBe(1);
    await asHost(bare.url, 'drop schema platform');
    await db.close();
  });
});
