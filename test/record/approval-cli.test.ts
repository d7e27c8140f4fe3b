// `gcos request` and the people of the demo, through the command line.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { provideActors } from '../../src/demo/index.js';
import { runCli } from '../support/cli.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { createPeople, type People, type Person } from '../support/people.js';

let demo: Estate;
const run = (...args: string[]) => runCli(args, { env: { DATABASE_URL: demo.url } });

describe('the people of the demo', () => {
  afterEach(() => demo?.close());

  it('gcos up --demo maps the login and adds people, on the first run only', async () => {
    demo = await createEstate('installed');
    const first = await run('up', '--demo', '--yes');
    expect(first).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining('people to decide with (--as NAME): operator, president, council-1'),
    });
    expect((await run('up', '--demo', '--yes')).stderr).not.toContain('people to decide with');
    expect(
      await asHost(
        demo.url,
        'select approver_type, count(*)::int as n from governance_actor group by 1 order by 1',
      ),
    ).toEqual([
      { approver_type: 'council', n: 3 },
      { approver_type: 'member', n: 3 },
      { approver_type: 'president', n: 1 },
    ]);
  });

  it('are not added to a host that is not the demo', async () => {
    demo = await createEstate('installed');
    await asHost(demo.url, "comment on table birth_registry is 'births'");
    expect(await provideActors(demo.gcos.db)).toEqual([]);
    const [setting] = await asHost(
      demo.url,
      "select setting_value from governance_setting where setting_key = 'approval.accept_unverified'",
    );
    expect(setting).toEqual({ setting_value: false });
  });
});

describe('gcos request', () => {
  beforeEach(async () => {
    demo = await createEstate('ruled');
  });
  afterEach(() => demo?.close());

  it('lets one operator complete a quorum with unverified identities', async () => {
    const { code } = await demo.gcos.requests.open('gcos.ruleset.activate', {
      ruleset: 'gov-rs-0123456789ab',
    });
    const listed = await run('request', 'list');
    expect(listed).toMatchObject({ exit: 0, stderr: '' });
    expect(listed.stdout).toMatch(
      new RegExp(
        `${code} +gcos.ruleset.activate +high +pending +operator +still missing: one president and two council members`,
      ),
    );
    const dry = await run('request', 'approve', code, '--as', 'president', '--dry-run');
    expect(dry).toMatchObject({ exit: 0, stderr: 'dry run: nothing was changed\n' });
    expect(dry.stdout).toContain('still missing: two council members');
    expect((await run('request', 'show', code)).stdout).toContain('no decisions yet');

    await run('request', 'approve', code, '--as', 'president');
    const one = await run('request', 'approve', code, '--as', 'council-1', '--reason', 'checked twice');
    expect(one.stdout).toMatch(
      /council-1 +council +approve +unverified identity, login \S+ +counts .*"checked twice"/,
    );
    expect(one.stdout).toContain('still missing: one more council member');
    const done = JSON.parse((await run('request', 'approve', code, '--as', 'council-2', '--json')).stdout);
    expect(done).toMatchObject({ code, status: 'approved', missing: [], approvals: 3 });
    const late = await run('request', 'reject', code, '--as', 'council-3', '--reason', 'too late');
    expect(late).toMatchObject({
      exit: 2,
      stdout: '',
      stderr: expect.stringMatching(/^request_closed: [^\n]+\n {2}help: [^\n]+\n$/),
    });
  });

  it('rejects, withdraws and pages requests, and refuses invalid arguments', async () => {
    const open = async () => (await demo.gcos.requests.open('gcos.exception.grant', { object: 'A-1' })).code;
    const [first, second] = [await open(), await open()];
    expect(await run('request', 'reject', first, '--as', 'president')).toMatchObject({
      exit: 3,
      stderr: expect.stringContaining('request_invalid: a rejection needs a reason'),
    });
    expect((await run('request', 'reject', first, '--as', 'president', '--reason', 'no')).stdout).toContain(
      `${first}, rejected`,
    );
    expect((await run('request', 'withdraw', second)).stdout).toContain(`${second}, withdrawn`);
    const page = JSON.parse(
      (await run('request', 'list', '--limit', '1', '--after', second, '--json')).stdout,
    );
    expect(page.requests.map((each: { code: string }) => each.code)).toEqual([first]);
    for (const [args, exit, code] of [
      [['approve', first], 2, 'request_closed'],
      [['approve', 'APR-0049'], 3, 'request_foreign'],
      [['show', 'APR-9'], 3, 'request_unknown'],
      [['approve', first, '--as', 'unregistered'], 3, 'actor_unknown'],
      [['list', '--limit', '0'], 3, 'value_invalid'],
      [['list', '--after', 'APR-9'], 3, 'request_unknown'],
      [['approve'], 3, 'usage_invalid'],
    ] as const) {
      const result = await run('request', ...args);
      expect(result.stderr, args.join(' ')).toMatch(new RegExp(`^${code}: [^\\n]+\\n  help: [^\\n]+\\n$`));
      expect(result).toMatchObject({ exit, stdout: '' });
    }
  });
});

describe('people with logins of their own', () => {
  let estate: Estate;
  let people: People;
  let [council, member]: Person[] = [];
  beforeEach(async () => {
    estate = await createEstate('installed');
    people = createPeople(estate.url);
    council = await people.person('council-1', 'council');
    member = await people.person('member-1', 'member');
    await people.person('president', 'president');
  });
  afterEach(async () => {
    await people?.close();
    await estate?.close();
  });

  it('act as the person of their login; --as cannot change that', async () => {
    const { code } = (await member?.gcos.requests.open('gcos.ruleset.activate', {})) ?? { code: '' };
    const as = (url: string | undefined, ...args: string[]) =>
      runCli(['request', ...args], { env: { DATABASE_URL: url } });
    expect((await as(council?.url, 'approve', code)).stdout).toMatch(
      new RegExp(`council-1 +council +approve +verified, login ${council?.login} +counts`),
    );
    for (const name of ['president', 'council-2'])
      expect(await as(council?.url, 'approve', code, '--as', name)).toMatchObject({
        exit: 3,
        stderr: expect.stringContaining('actor_not_allowed'),
      });
    expect(await as(member?.url, 'approve', code)).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('decision_by_proposer'),
    });
    const stranger = await people.login('stranger');
    expect(await as(stranger.url, 'approve', code)).toMatchObject({
      exit: 3,
      stderr: expect.stringContaining(`values ('PERSON', '${stranger.login}', 'member')`),
    });
    // Reading needs no row in governance_actor.
    expect((await as(stranger.url, 'show', code)).stdout).toContain(
      'still missing: one president and one more council member',
    );
  });
});
