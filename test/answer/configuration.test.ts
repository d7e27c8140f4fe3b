// gcos.yaml through its commands: what plan shows, what apply does, once and again, and what edits by hand
// look like.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { checkout } from '../support/cli.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { runHere } from '../support/in-process.js';

const DAY_MS = 86_400_000;
const until = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
const document = (more = '') => `version: 1
approval:
  policy:
    approvals: 1
    self_approval: true
accepted_gaps:
  - collection: venues
    scope: health
    link: owner
    until: ${until(30)}
    reason: moved next month
owners:
  - match: public.*
    owner: team-checkout
${more}`;

describe('gcos config', () => {
  let estate: Estate;
  let folder: string;
  beforeEach(async () => {
    estate = await createEstate('judged');
    folder = mkdtempSync(join(tmpdir(), 'gcos-config-'));
  });
  afterEach(async () => {
    await estate?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const write = (text: string, name = 'gcos.yaml') => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const run = (verb: string, file: string, ...more: string[]) =>
    runHere(['config', verb, '--file', file, ...more], { DATABASE_URL: estate.url });
  const changes = async (file: string) =>
    (
      JSON.parse((await run('plan', file, '--json')).stdout) as {
        changes: { kind: string; subject: string; change: string; edited: boolean }[];
      }
    ).changes.map(({ kind, change, edited }) => [kind, change, edited]);

  it('plans, applies once, and then has nothing to do', async () => {
    const file = write(document());
    expect(await changes(file)).toEqual([
      ['setting', 'change', false],
      ['exception', 'create', false],
    ]);
    const before = await asHost(estate.url, 'select count(*)::int as n from governance_exception');
    expect((await run('plan', file)).stdout).toMatch(
      /~ setting +approval\.policy +\{"quorum".*→ \{"approvals"/,
    );
    expect(await asHost(estate.url, 'select count(*)::int as n from governance_exception')).toEqual(before);
    const applied = await run('apply', file);
    expect(applied).toMatchObject({ exit: 0, stderr: '' });
    expect(applied.stdout).toMatch(/APR-\d+ waits: `gcos request show APR-\d+`/);
    expect(applied.stdout).toContain('in force once `gcos ruleset propose` is approved and activated');
    expect(await changes(file)).toEqual([
      ['setting', 'none', false],
      ['exception', 'none', false],
    ]);
    const rows = () =>
      asHost(
        estate.url,
        `select (select count(*)::int from governance_exception) as exceptions, (select count(*)::int from governance_request) as requests,
           (select count(*)::int from registry_changelog) as audits, (select max(applied_at)::text from governance_managed) as applied`,
      );
    const after = await rows();
    expect((await run('apply', file)).exit).toBe(0);
    expect(await rows()).toEqual(after);
    expect(await asHost(estate.url, 'select kind, applied_by from governance_managed order by 1')).toEqual([
      { kind: 'exception', applied_by: 'operator' },
      { kind: 'setting', applied_by: 'operator' },
    ]);
  });

  it('shows edits by hand, and what the file no longer names', async () => {
    const file = write(document());
    await run('apply', file);
    const [row] = await asHost(
      estate.url,
      'select managed_key from governance_managed where kind = $$exception$$',
    );
    await estate.gcos.settings.set('approval.policy', '{"approvals": 2, "self_approval": false}');
    await estate.gcos.exceptions.revoke(String(row?.['managed_key']), { reason: 'by hand' });
    expect(await changes(file)).toEqual([
      ['setting', 'change', true],
      ['exception', 'create', false],
      ['exception', 'release', true],
    ]);
    expect((await run('plan', file)).stdout).toContain('edited by hand');
    await run('apply', write('version: 1\n'));
    expect(await asHost(estate.url, 'select 1 from governance_managed')).toEqual([]);
    expect((await estate.gcos.settings.get('approval.policy')).value).toEqual({
      approvals: 2,
      self_approval: false,
    });
  });

  it('writes bodies only where GCOS added their registry', async () => {
    const file = write('version: 1\nbodies:\n  team-checkout: {name: Checkout}\n');
    expect(await run('plan', file)).toMatchObject({
      exit: 3,
      stderr: expect.stringContaining('config_unappliable'),
    });
    await asHost(
      estate.url,
      `insert into gcos_migration (kind, id, name, checksum, applied_with) select 'with', 3, 'ownership', checksum, applied_with from gcos_migration limit 1`,
    );
    expect(await changes(file)).toEqual([['body', 'create', false]]);
    expect((await run('apply', file)).exit).toBe(0);
    expect(await changes(file)).toEqual([['body', 'none', false]]);
    await asHost(estate.url, `update governance_registry set name = 'Other' where code = 'team-checkout'`);
    expect(await changes(file)).toEqual([['body', 'change', true]]);
    await run('apply', file);
    expect(await changes(file)).toEqual([['body', 'none', false]]);
  });

  it('names disagreements of contracts and patterns, and applies nothing then', async () => {
    write(
      `apiVersion: v3.1.0\nkind: DataContract\nid: a\nversion: 1.0.0\nstatus: active\nteam: {name: team-a}\nschema:\n  - name: public.orders\n`,
      'orders.yaml',
    );
    const file = write(document('contracts: [orders.yaml]\n'));
    expect((await run('plan', file)).stdout).toContain(
      'disagreement: table public.orders: owner is team-a or team-checkout',
    );
    expect(await run('apply', file)).toMatchObject({
      exit: 3,
      stderr: expect.stringContaining('config_contradictory'),
    });
    expect(await asHost(estate.url, 'select 1 from governance_managed')).toEqual([]);
    const gone = write(document('contracts: [nowhere.yaml]\n'));
    expect((await run('plan', gone)).stderr).toMatch(
      /gcos\.yaml:15:13: contracts\.0: cannot read `nowhere\.yaml`/,
    );
  });

  it.each([
    ['an unknown key', 'version: 1\nownerz: []\n', /gcos\.yaml:2:9: ownerz: there is no such key/],
    ['another version', 'version: 2\n', /gcos\.yaml:1:10: version: /],
    [
      'a pattern without a link',
      'version: 1\nowners:\n  - match: a\n',
      /gcos\.yaml:3:5: owners\.0: a pattern gives/,
    ],
    [
      'an empty quorum',
      'version: 1\napproval:\n  policy:\n    approvals: 0\n    self_approval: true\n',
      /gcos\.yaml:4:16: approval\.policy\.approvals/,
    ],
    ['a tab', 'version: 1\n\tx: 1\n', /gcos\.yaml:2:\d+: /],
    ['no content', '', /gcos\.yaml:1:1: version: /],
  ])('refuses %s with line and column', async (_, text, message) => {
    const refused = await run('plan', write(text));
    expect(refused).toMatchObject({ exit: 3, stdout: '' });
    expect(refused.stderr).toMatch(message);
  });

  it('has a published schema that accepts what the command accepts', async () => {
    const schema = JSON.parse(readFileSync(join(checkout, 'docs/reference/gcos.schema.json'), 'utf8'));
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
    expect(validate(parse(document())), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ version: 1, ownerz: [] })).toBe(false);
    expect(validate({ version: 1, approval: { policy: { approvals: 0, self_approval: true } } })).toBe(false);
  });
});

describe('a member with psql', () => {
  it('marks rows only as the person of their login, with what the database has', async () => {
    const estate = await createEstate('installed');
    const { createPeople } = await import('../support/people.js');
    const people = createPeople(estate.url);
    try {
      const member = await people.person('mia', 'member');
      const stranger = await people.login('stranger');
      const DENIED = { code: '42501' };
      await expect(
        asHost(
          member.url,
          `insert into governance_managed values ('setting', 'x', '{}', now(), 'president')`,
        ),
      ).rejects.toMatchObject(DENIED);
      await expect(
        asHost(stranger.url, `select gcos_manage('{setting}', '{approval.policy}')`),
      ).rejects.toMatchObject(DENIED);
      await asHost(
        member.url,
        `select gcos_manage('{setting,setting,nonsense}', '{approval.policy,no.such,x}')`,
      );
      expect(
        await asHost(
          estate.url,
          `select m.kind, m.managed_key, m.applied_by, m.content = s.setting_value as same
           from governance_managed m join governance_setting s on s.setting_key = m.managed_key`,
        ),
      ).toEqual([{ kind: 'setting', managed_key: 'approval.policy', applied_by: 'mia', same: true }]);
    } finally {
      await people.close();
      await estate.close();
    }
  });
});
