// Settings by command, completion from the command tree, exit codes that a script can use, tables that fit a
// terminal, and flags before and after a command.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settings } from '../../src/modules.js';
import { startCli } from '../support/cli.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { runHere } from '../support/in-process.js';
import { createPeople, type People, type Person } from '../support/people.js';
import { until } from '../support/wait.js';

let estate: Estate;
let people: People;
let person: Person;
const run = (...args: string[]) => runHere(args, { DATABASE_URL: estate.url });
const runAs = ({ url }: { url: string }, ...args: string[]) => runHere(args, { DATABASE_URL: url });

beforeAll(async () => {
  estate = await createEstate('scanned');
  people = createPeople(estate.url);
  person = await people.person('clerk', 'member');
});
afterAll(async () => {
  await people.close();
  await estate.close();
});

const stored = async (key: string): Promise<string> =>
  String(
    (
      await asHost(
        estate.url,
        `select setting_value::text as v from gcos_trust.governance_setting where setting_key = '${key}'`,
      )
    )[0]?.['v'],
  );

describe('a setting', () => {
  it('has a row with its declared default, meaning and who may change it', async () => {
    const rows = await asHost(
      estate.url,
      `select p.payload -> 'settings' as settings from gcos_trust.gcos_log p where p.kind = 'log.opened'`,
    );
    expect(rows[0]?.['settings']).toEqual(
      Object.fromEntries(settings.map((each) => [each.key, each.default])),
    );
    const declared = settings.map(({ key, about, changedBy }) => ({ key, about, changed_by: changedBy }));
    expect(
      await asHost(
        estate.url,
        `select setting_key as key, about, changed_by from gcos_trust.governance_setting order by setting_key collate "C"`,
      ),
    ).toEqual(declared);
  });

  it('that a person may change: shows the old and the new value, and the change is audited and logged', async () => {
    const done = await runAs(person, 'setting', 'set', 'scan.lag', '{"seconds": 600, "groups": 1000}');
    expect(done).toMatchObject({ exit: 0, stderr: '' });
    expect(done.stdout).toBe(
      'scan.lag: {"groups":1000,"seconds":900} → {"seconds":600,"groups":1000}, by clerk\n',
    );
    expect(JSON.parse(await stored('scan.lag'))).toEqual({ seconds: 600, groups: 1_000 });
    const [audited] = await asHost(
      estate.url,
      `select changed_by, alert_detail from registry_changelog where entity_type = 'governance_setting' and entity_code = 'scan.lag'`,
    );
    expect(JSON.stringify(audited)).toContain('clerk');
    expect(
      await asHost(
        estate.url,
        `select 1 from gcos_trust.gcos_log where kind = 'setting.changed' and subject = 'scan.lag'`,
      ),
    ).toHaveLength(1);
    const again = await runAs(person, 'setting', 'set', 'scan.lag', '{"groups": 1000, "seconds": 600}');
    expect(again.stdout).toContain('already');
    const { settings: listed } = JSON.parse((await run('--json', 'setting', 'list', '--changed')).stdout);
    expect(listed.map((each: { key: string }) => each.key)).toContain('scan.lag');
    const got = await run('setting', 'get', 'scan.lag');
    for (const part of ['600', '900', 'number > 0', 'a person', 'candidate_scan_lag'])
      expect(got.stdout).toContain(part);
  });

  it('of the ruleset changes the rules in the tables, and says that it needs an approval', async () => {
    const before = (await estate.gcos.rulesets.seeDrift()).drifted;
    const done = await runAs(person, 'setting', 'set', 'exception.limits', '{"longest_days": 90}');
    expect(done.stdout).toMatch(/it is part of the ruleset: .*`gcos ruleset propose`/);
    expect(before).toBe(false);
    expect((await estate.gcos.rulesets.seeDrift()).drifted).toBe(true);
  });

  it('that limits what others can do needs a login that may update the table', async () => {
    const value = '{"gate_days": 1, "snapshot_days": 1}';
    const refused = await runAs(person, 'setting', 'set', 'prune.minimum_age', value);
    expect(refused).toMatchObject({ exit: 3, stderr: expect.stringMatching(/^setting_protected: /) });
    expect(JSON.parse(await stored('prune.minimum_age'))).toEqual({ gate_days: 90, snapshot_days: 7 });
    expect((await run('setting', 'set', 'prune.minimum_age', value, '--dry-run')).exit).toBe(0);
    expect(JSON.parse(await stored('prune.minimum_age'))).toEqual({ gate_days: 90, snapshot_days: 7 });
  });

  it('of the ruleset is protected while no ruleset is in force: the tables themselves are', async () => {
    const fresh = await createEstate('installed');
    try {
      const { login, url } = await people.login('early');
      await asHost(
        fresh.url,
        `insert into gcos_trust.governance_actor (person_ref, login, approver_type) values ('early', '${login}', 'member')`,
      );
      const own = new URL(url);
      own.pathname = new URL(fresh.url).pathname;
      const refused = await runAs({ url: own.href }, 'setting', 'set', 'approval.accept_unverified', 'true');
      expect(refused).toMatchObject({ exit: 3, stderr: expect.stringMatching(/^setting_protected: /) });
    } finally {
      await fresh.close();
    }
  });

  it.each([
    ['setting_unknown', ['scan.lagg', '1'], 'did you mean `scan.lag`'],
    ['setting_value_invalid', ['scan.lag', '{"seconds": -1, "groups": 1}'], 'seconds'],
    ['setting_value_invalid', ['scan.lag', 'soon'], 'soon'],
    ['setting_of_command', ['worker.paused', '{"paused": true}'], 'worker.paused'],
  ])('is refused with %s: %j', async (code, args, message) => {
    const refused = await runAs(person, 'setting', 'set', ...args);
    expect(refused.exit).toBe(3);
    expect(refused.stderr).toMatch(new RegExp(`^${code}: `));
    expect(refused.stderr).toContain(message);
  });

  it('is not changed by a login without a person', async () => {
    const login = await people.login('nobody');
    const refused = await runAs(login, 'setting', 'set', 'scan.lag', '{"seconds": 1, "groups": 1}');
    expect(refused).toMatchObject({ exit: 3, stderr: expect.stringMatching(/^actor_unknown: /) });
  });
});

describe('a filter that names nothing', () => {
  it.each([
    [['finding', 'list', '--type', 'owner_gab'], 'did you mean `owner_gap`'],
    [['finding', 'list', '--by-fix', '--owner', 'GOV-SIVV'], 'did you mean `GOV-SIV`'],
    [['ledger', 'show', '--owner', 'nobody'], '`nobody`'],
    [['ledger', 'show', '--scope', 'exekution'], 'did you mean `execution`'],
    [['exception', 'list', '--scope', 'nope'], 'execution'],
    [
      [
        'exception',
        'request',
        'dot_tools',
        'DOT-117',
        '--scope',
        'execution',
        '--link',
        'ownr',
        '--reason',
        'a',
        '--for',
        '1d',
      ],
      'did you mean `owner`',
    ],
    [['input', 'trust', 'nope', '--level', 'trusted', '--reason', 'a'], '`nope`'],
    [['input', 'trust', 'dot_tools', '--collection', '--level', 'trusted'], 'needs a reason'],
    [['worker', 'run', '--only', 'scaner'], 'did you mean `scanner`'],
    [['intake', 'replay', '--from', '-1'], '`-1`'],
    [['gate', 'prune', '--before', 'notadate'], '`notadate`'],
  ])('%j is an error', async (args, text) => {
    const { exit, stdout, stderr } = await run(...args);
    expect(stderr).toContain(text);
    expect({ exit, stdout }).toEqual({ exit: 3, stdout: '' });
  });
});

describe('exit codes for scripts', () => {
  it('finding list --fail-on: 2 if a listed finding is that severe or more, on whichever page', async () => {
    expect((await run('finding', 'list', '--fail-on', 'low')).exit).toBe(2);
    const { findings } = await estate.gcos.findings.list({ limit: 10_000 });
    const has = (severity: string) => findings.some((each) => each.severity === severity);
    expect((await run('finding', 'list', '--fail-on', 'critical')).exit).toBe(has('critical') ? 2 : 0);
    expect((await run('finding', 'list', '--severity', 'low', '--fail-on', 'high')).exit).toBe(0);
    expect((await run('finding', 'list')).exit).toBe(0);
  });

  it('status --exit-code: 2 unless all three answers are yes', async () => {
    const status = JSON.parse((await run('status', '--json')).stdout);
    const answers = [status.accounted, status.current, status.production].map((each) => each.answer);
    expect((await run('status', '--exit-code')).exit).toBe(answers.every((each) => each === 'yes') ? 0 : 2);
    expect((await run('status')).exit).toBe(0);
    await asHost(estate.url, 'begin; truncate gov_intake_watch; commit');
    expect((await run('status', '--exit-code')).exit).toBe(2);
  });

  it('ledger export --out to a place that cannot be written fails before any work, and leaves nothing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gcos-out-'));
    try {
      writeFileSync(join(folder, 'file'), 'x');
      // No server answers there: the place is checked before anything is connected.
      const nowhere = { DATABASE_URL: 'postgresql://x@127.0.0.1:1/x' };
      const failed = await runHere(['ledger', 'export', '--out', join(folder, 'file/below')], nowhere);
      expect(failed).toMatchObject({ exit: 3, stderr: expect.stringMatching(/^file_unwritable: /) });
      const unreachable = await runHere(['ledger', 'export', '--out', join(folder, 'a/b')], nowhere);
      expect(unreachable).toMatchObject({
        exit: 4,
        stderr: expect.stringMatching(/^database_unreachable: /),
      });
      expect(existsSync(join(folder, 'a'))).toBe(false);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('up --stay and worker run end alike on Ctrl-C: exit code 0, and the same last line', async () => {
    const stop = async (...args: string[]) => {
      const { child, done } = startCli([...args, '--port', 'off'], { env: { DATABASE_URL: estate.url } });
      let log = '';
      child.stderr?.on('data', (text: string) => {
        log += text;
      });
      await until('the worker has started', async () => log.includes('"worker_started"'));
      child.kill('SIGINT');
      const { exit, stderr } = await done;
      const { level, event, message } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '{}');
      return { exit, level, event, message };
    };
    const stayed = await stop('up', '--stay', '--no-backfill');
    expect(stayed).toEqual(await stop('worker', 'run'));
    expect(stayed).toMatchObject({ exit: 0 });
    expect(JSON.stringify(stayed)).toContain('worker_stopped');
  });
});

describe('global flags', () => {
  it('work before, between and after the words of a command', async () => {
    for (const args of [
      ['--json', 'ruleset', 'list'],
      ['ruleset', '--json', 'list'],
      ['ruleset', 'list', '--json'],
    ])
      expect(JSON.parse((await run(...args)).stdout), args.join(' ')).toHaveProperty('rulesets');
    const elsewhere = ['--database-url', 'postgresql://x@127.0.0.1:1/x'];
    expect((await run(...elsewhere, 'status')).exit).toBe(4);
    expect((await run('--timeout', 'soon', 'status')).stderr).toMatch(/^value_invalid: --timeout/);
    expect((await run('--colour', 'status')).stderr).toMatch(/unknown option `--colour`/);
  });
});

describe('a table', () => {
  const wide = (width: string | undefined, ...args: string[]) =>
    runHere(args, { DATABASE_URL: estate.url, COLUMNS: width });

  it('fits the width of the terminal, with every row, and is as wide as its cells in a pipe', async () => {
    const whole = (await wide(undefined, 'finding', 'list')).stdout.split('\n');
    expect(Math.max(...whole.map((line) => line.length))).toBeGreaterThan(100);
    for (const width of [120, 94]) {
      const lines = (await wide(String(width), 'finding', 'list')).stdout.split('\n');
      expect(lines).toHaveLength(whole.length);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
      expect(lines.join('')).toContain('…');
      // Codes are for copying: they are never cut.
      expect(lines.filter((line) => /^GCOS-\d+ /.test(line))).toHaveLength(
        whole.filter((line) => /^GCOS-\d+ /.test(line)).length,
      );
    }
  });

  it('with too many columns shows each row as a block: no number is cut', async () => {
    const whole = (await wide(undefined, 'ledger', 'show')).stdout;
    const narrow = (await wide('60', 'ledger', 'show')).stdout;
    const [row = ''] = /^execution .*$/m.exec(whole) ?? [];
    for (const number of row.match(/\d[\d,]*/g) ?? []) expect(narrow).toContain(number);
    expect(narrow).toMatch(/^scope {2,}execution$/m);
  });
});

describe('completion', () => {
  const script = async (shell: string) => (await run('completion', shell)).stdout;

  /** What bash offers for a line; the cursor is at its end. */
  const complete = (text: string, line: string): string[] => {
    const words = line.split(' ');
    const { stdout, stderr } = spawnSync(
      'bash',
      [
        '--norc',
        '-c',
        `${text}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gcos; printf '%s\\n' "\${COMPREPLY[@]}"`,
        'bash',
        ...words,
      ],
      { encoding: 'utf8' },
    );
    expect(stderr).toBe('');
    return stdout.split('\n').filter((each) => each !== '');
  };

  it('offers commands, options and the values of options in a real bash', async () => {
    const text = await script('bash');
    expect(complete(text, 'gcos led')).toEqual(['ledger']);
    expect(complete(text, 'gcos ledger ')).toEqual(
      expect.arrayContaining(['show', 'verify', 'export', '--json']),
    );
    expect(complete(text, 'gcos --timeout 5s ledger sh')).toEqual(['show']);
    expect(complete(text, 'gcos finding list --sev')).toEqual(['--severity']);
    expect(complete(text, 'gcos finding list --severity ')).toEqual(['critical', 'high', 'medium', 'low']);
    expect(complete(text, 'gcos scan run --mode f')).toEqual(['full']);
  });

  it.each(['bash', 'zsh', 'fish'])('is a script that %s can read', async (shell) => {
    const text = await script(shell);
    for (const command of ['ledger', 'break-glass', 'setting']) expect(text).toContain(command);
    const checked = spawnSync(shell, ['-n'], { input: text, encoding: 'utf8' });
    // Where the shell is not installed, only the words are compared.
    if (checked.error === undefined) expect(checked).toMatchObject({ status: 0, stderr: '' });
  });
});
