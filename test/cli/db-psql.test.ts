// `gcos db psql`: a session on the database that GCOS uses, with no password on a command line, and
// statements where psql is not installed.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { createDatabase, type TestDatabase, urlFor } from '../support/database.js';
import { newHome, statusOf, useHomes } from '../support/home.js';

useHomes();

const hasPsql = spawnSync('psql', ['--version']).status === 0;
if (!hasPsql) console.log('skipped: the tests that need psql');

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database?.close());

/** The PATH of a machine without psql. */
const bare = { PATH: '/nonexistent' };
const run = (args: readonly string[], env: Record<string, string> = {}) =>
  runCli(['db', 'psql', ...args], { env: { DATABASE_URL: database.url, ...env } });

describe('gcos db psql, with psql', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gcos-psql-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('gives psql the connection in its environment and nothing in its arguments', async () => {
    // A program in the place of psql, which writes down how it was started.
    const record = join(folder, 'record');
    writeFileSync(
      join(folder, 'psql'),
      `#!/bin/sh\n{ printf '%s\\n' "$*"; env; ps -o args= -p $PPID; } > ${record}\n`,
    );
    chmodSync(join(folder, 'psql'), 0o755);
    const url = new URL(urlFor(database.url, { user: 'ann', password: 'p@ss word' }));
    url.searchParams.set('sslmode', 'require');
    url.searchParams.set('options', '-c search_path=x');
    const done = await runCli(['db', 'psql', '-c', 'select 1', '--', '-x'], {
      env: { PATH: `${folder}:${process.env['PATH']}`, DATABASE_URL: url.href, PGHOSTADDR: '192.0.2.1' },
    });
    expect(done).toEqual({ exit: 0, stdout: '', stderr: '' });
    const [args = '', ...lines] = readFileSync(record, 'utf8').split('\n');
    const variables = lines.filter((line) => /^(PG|DATABASE_URL)/.test(line)).sort();
    expect(args).toBe('-c select 1 -x');
    expect(variables).toEqual([
      `PGDATABASE=${database.name}`,
      'PGHOST=127.0.0.1',
      'PGOPTIONS=-c search_path=x',
      'PGPASSWORD=p@ss word',
      `PGPORT=${url.port}`,
      'PGSSLMODE=require',
      'PGUSER=ann',
    ]);
    // Nor in those of the command itself.
    expect(lines.at(-2)).toMatch(/db psql -c select 1 -- -x$/);
  });

  it.runIf(hasPsql)('prints what GCOS prints without psql', async () => {
    const statements = [
      'create table t (id int, name text, at timestamptz); insert into t values (1, $$a$$, null), (20, $$bcd$$, null) returning id, name',
      'select id, name, id::text as text, 1.50 as "a long name", true as yes from t order by id',
      'update t set id = id; delete from t where id = 1',
      'select * from t where false',
      'drop table t',
    ].flatMap((text) => ['-c', text]);
    const [real, own] = [await run(['--', '-X', ...statements]), await run(statements, bare)];
    const trimmed = (text: string) => text.replaceAll(/ +$/gm, '');
    expect(real).toMatchObject({ exit: 0, stderr: '' });
    expect(own).toEqual({ exit: 0, stderr: '', stdout: trimmed(real.stdout) });
  });

  it.runIf(hasPsql)('ends as psql does: 1 after an error, 4 without a connection', async () => {
    expect(await run(['--', '-v', 'ON_ERROR_STOP=1', '-c', 'selec'])).toMatchObject({ exit: 1 });
    const wrong = urlFor(database.url, { password: 'wrong' });
    expect(await run(['-c', 'select 1'], { DATABASE_URL: wrong })).toMatchObject({ exit: 4 });
  });
});

describe('gcos db psql, without psql', () => {
  it('runs statements, in the embedded server too', async () => {
    const { home, run: inHome } = newHome({ env: bare });
    const done = await inHome('db', 'psql', '-c', 'select 1 as one', '-c', 'create schema s');
    expect(done).toEqual({ exit: 0, stderr: '', stdout: ' one\n-----\n   1\n(1 row)\n\nCREATE SCHEMA\n' });
    expect(statusOf({ home })).toMatchObject({ running: false, clients: [] });
  });

  it('takes statements among the arguments for psql, and shows hidden characters and notices', async () => {
    expect(await run(['--', '-c', `select E'a\\x1b[2J\\nb' as t`], bare)).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining(' a\\u{1b}[2J\\u{a}b\n'),
    });
    expect(await run(['-c', 'drop table if exists missing'], bare)).toEqual({
      exit: 0,
      stdout: 'DROP TABLE\n',
      stderr: 'NOTICE:  table "missing" does not exist, skipping\n',
    });
  });

  it('stops at the first statement that fails', async () => {
    const done = await run(
      ['-c', 'create table before (i int)', '-c', 'selec', '-c', 'drop table before'],
      bare,
    );
    expect(done).toMatchObject({
      exit: 1,
      stdout: '',
      stderr: expect.stringMatching(/^database_error: syntax error/),
    });
    expect(await run(['-c', 'drop table before'], bare)).toMatchObject({ exit: 0 });
  });

  it('explains what is missing to open a session', async () => {
    expect(await run([], bare)).toMatchObject({ exit: 3, stderr: expect.stringMatching(/^psql_missing: /) });
    expect(await run(['--', '-c', 'select 1', '-x'], bare)).toMatchObject({ exit: 3 });
  });

  it('ends at --timeout', async () => {
    expect(await run(['--timeout', '2s', '-c', 'select pg_sleep(600)'], bare)).toMatchObject({
      exit: 1,
      stderr: expect.stringMatching(/^operation_cancelled: /),
    });
  });
});

describe('gcos db psql --json', () => {
  it('prints the results of statements, with psql or without', async () => {
    const expected = {
      results: [
        {
          tag: 'SELECT 2',
          columns: ['n', 'x'],
          rows: [
            ['1', null],
            ['2', null],
          ],
        },
        { tag: 'SELECT 0', columns: ['n'], rows: [] },
      ],
    };
    for (const env of [{}, bare]) {
      const args = [
        '--json',
        '-c',
        'select n, null as x from generate_series(1, 2) as n; select 1 as n where false',
      ];
      expect(JSON.parse((await run(args, env as Record<string, string>)).stdout)).toEqual(expected);
    }
    expect(await run(['--json'])).toMatchObject({ exit: 3 });
  });
});
