// The command `gcos input`.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { createPeople, type People, type Person } from '../support/people.js';

let estate: Estate;
let people: People;
let keeper: Person;
const run = (...args: string[]) => runCli(['input', ...args, '--database-url', keeper.url]);

beforeEach(async () => {
  estate = await createEstate('backfilled');
  people = createPeople(estate.url);
  keeper = await people.person('keeper', 'member');
});
afterEach(async () => {
  await people?.close();
  await estate?.close();
});

it('lists inputs that are not accepted, page by page, each on one printable line', async () => {
  const whole = await run('list', '--collection', 'articles');
  expect(whole.exit, whole.stderr).toBe(0);
  expect(whole.stdout).toContain('missing:species_code');
  expect(whole.stdout).toContain('A-\\u{1}99151');
  expect(whole.stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  const seen: unknown[] = [];
  for (let after: string | null = null, page = 0; page < 30; page += 1) {
    const more: string[] = after === null ? [] : ['--after', after];
    const { stdout } = await run('list', '--json', '--limit', '40', ...more);
    const found = JSON.parse(stdout) as { inputs: { key: string }[]; next: string | null };
    seen.push(...found.inputs.map((each) => each.key));
    after = found.next;
    if (after === null) break;
  }
  const [all] = await asHost(
    estate.url,
    'select count(*)::int as n from governance_input_state where cured_at is null',
  );
  expect(seen).toHaveLength(Number(all?.['n']));
  expect(new Set(seen).size).toBe(seen.length);
  expect((await run('list', '--state', 'quarantined')).stdout).toContain(
    'the input gate has accepted everything here',
  );
  expect((await run('list', '--after', 'no such key')).exit).toBe(3);
  expect((await run('list', '--state', 'odd')).exit).toBe(3);
});

it('quarantines, releases and trusts in the name of the caller', async () => {
  const dry = await run('quarantine', 'articles', 'A-99123', '--reason', 'odd', '--dry-run');
  expect(dry.stdout).toContain('1 of 1 quarantined by keeper; rolled back');
  const quarantined = await run('quarantine', 'articles', 'A-99123', 'A-99124', '--reason', 'odd', '--json');
  expect(JSON.parse(quarantined.stdout)).toEqual({
    person: 'keeper',
    verified: true,
    identity_level: 'login',
    changed: 2,
    dry_run: false,
  });
  expect((await run('list', '--state', 'quarantined')).stdout).toContain('quarantined by keeper: odd');
  expect((await run('release', 'articles', 'A-99123')).stdout).toContain('1 of 1 released by keeper');
  const again = await run('release', 'articles', 'A-99123');
  expect([again.exit, again.stderr]).toEqual([3, expect.stringContaining('input_not_quarantined')]);
  const unknown = await run('quarantine', 'articles', 'NO-SUCH-CODE');
  expect([unknown.exit, unknown.stderr]).toEqual([3, expect.stringContaining('input_object_unknown')]);
  const trusted = await run(
    'trust',
    'FEED-UNVERIFIED',
    '--level',
    'trusted',
    '--scope',
    'policy',
    '--reason',
    'checked',
  );
  expect(trusted.stdout).toContain(
    'origin FEED-UNVERIFIED is trusted in policy (before: no decision), by keeper',
  );
  const withoutSource = await run('trust', '--level', 'trusted');
  expect([withoutSource.exit, withoutSource.stdout]).toEqual([3, '']);
  const shown = await run('trust', 'FEED-UNVERIFIED');
  expect(shown.stdout).toMatch(
    /FEED-UNVERIFIED +origin +policy +trusted +keeper +checked; waits for the next evaluation/,
  );
  const audit = await asHost(
    estate.url,
    `select action, entity_code from registry_changelog where entity_type = 'governance_input' order by id`,
  );
  expect(audit).toEqual([
    { action: 'quarantine', entity_code: expect.stringMatching(/^articles\/A-9912[34]$/) },
    { action: 'quarantine', entity_code: expect.stringMatching(/^articles\/A-9912[34]$/) },
    { action: 'release', entity_code: 'articles/A-99123' },
    { action: 'trust', entity_code: 'origin/FEED-UNVERIFIED' },
  ]);
});
