// `gcos govern` on a Directus project, as a user runs it: the kind is noticed, the first report, what each
// printed statement does, and the check in a pipeline; beside an ordinary database in the same home.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dumpSchema } from '../src/db/index.js';
import { asHost } from './support/database.js';
import { createProject } from './support/directus-project.js';
import { runHere } from './support/in-process.js';
import { startServer, type TestServer } from './support/server.js';
import type { Shop } from './support/shop.js';

let home: TestServer;
let project: Shop;
beforeAll(async () => {
  [home, project] = await Promise.all([startServer(), createProject('eleven')]);
});
afterAll(async () => {
  await project?.close();
  await home?.stop();
});

const run = (...args: string[]) =>
  runHere(args, { DIRECTUS_URL: project.readerUrl, GCOS_HOME: home.home, DATABASE_URL: undefined });
async function govern(...args: string[]) {
  const { exit, stdout, stderr } = await run('govern', 'env:DIRECTUS_URL', '--name', 'cms', ...args);
  return { exit, stdout, stderr, report: args.includes('--json') ? JSON.parse(stdout) : undefined };
}

interface Blocked {
  readonly class: string;
  readonly code: string;
  readonly what: string;
  readonly statement: string | null;
}

// One history: each test goes on where the one before it ended.
describe('gcos govern on a Directus project', { shuffle: false }, () => {
  it('notices it, closes the ledger, and says what would help most and what it did not read', async () => {
    const before = await dumpSchema(project.db);
    const { exit, stdout, stderr } = await govern();
    expect(exit, stdout + stderr).toBe(0);
    expect(stdout).toMatch(
      /^cms: 5 collections, 17 fields, 3 flows, 2 operations, 2 roles, 3 policies, 2 permissions /,
    );
    expect(stdout).toMatch(/ledger closes in 4 scopes; verified 100 %/);
    expect(stdout).toMatch(/^not read: directus_webhooks \(not in this version: .*\)$/m);
    expect(stdout).toMatch(/3 collections: name an owner +INSERT INTO public\.directus_collections /);
    expect(stdout).toMatch(
      /1 policy, high: admin without tfa +UPDATE public\.directus_policies SET enforce_tfa = true /,
    );
    expect(await dumpSchema(project.db)).toBe(before);
    const again = await govern();
    expect(again.stdout).toMatch(/since the last run: nothing changed; 0 rows written/);
  });

  it('passes the check once each printed statement was executed as it is, and approvals were given', async () => {
    const first = await govern('--check', '--json');
    expect(first.exit, first.stdout).toBe(2);
    const blocked = first.report.blocked as readonly Blocked[];
    const silent = blocked.filter((each) => each.statement === null);
    expect(silent).toEqual([]);
    for (const statement of new Set(blocked.map((each) => each.statement ?? '')))
      await asHost(project.url, statement);
    const rest = (await govern('--check', '--json')).report.blocked as readonly Blocked[];
    expect(rest.map(({ class: kind, what, statement }) => [kind, what, statement])).toEqual([
      ['directus_code_flow', 'give the approval: a line `@approval URL` in its description', null],
      [
        'directus_public_permission',
        'give the approval: a line `@approval URL` in the note of its collection, or of its policy',
        null,
      ],
    ]);
    expect(
      await asHost(
        project.url,
        `select note from directus_collections where collection in ('articles', 'not_managed') order by 1`,
      ),
    ).toEqual([
      { note: '@owner team-sales' },
      { note: "@owner team-sales\nWhat is written. It's \u202ealive" },
    ]);
    await asHost(
      project.url,
      `update directus_flows set description = e'@approval https://example.org/1\\n' || description where id = '00000000-0000-4000-8000-0000000000f3';
       update directus_collections set note = e'@approval https://example.org/2\\n' || note where collection = 'articles'`,
    );
    const last = await govern('--check');
    expect([last.exit, last.stdout]).toEqual([
      0,
      expect.stringMatching(/^ALLOW {2}cms: the gate allows all/),
    ]);
  });

  it('reads the catalogs of the same database with --kind postgres, beside the project in the same home', async () => {
    const { exit, stdout, stderr } = await run(
      'govern',
      'env:DIRECTUS_URL',
      '--name',
      'db',
      '--kind',
      'postgres',
    );
    expect(exit, stdout + stderr).toBe(0);
    expect(stdout).toMatch(/^db: \d\d tables, /);
    const { report } = await govern('--json');
    expect(report.estate.classes).toContainEqual({ class: 'directus_collection', objects: 5 });
    expect(report.ledger.closes).toBe(true);
    const listed = JSON.parse((await run('source', 'list', '--json')).stdout);
    expect(listed.sources.map((each: { name: string; kind: string }) => [each.name, each.kind])).toEqual([
      ['cms', 'directus'],
      ['db', 'postgres'],
    ]);
    const added = await run('source', 'add', 'more', 'directus', 'env:DIRECTUS_URL');
    expect([added.exit, added.stderr]).toEqual([0, '']);
    expect((await run('source', 'sync', 'more')).stdout).toMatch(/directus_collection +5 +5 created/);
  });

  it('says which grants it needs, and where there is no project', async () => {
    await asHost(project.url, `revoke select on directus_flows from ${project.reader}`);
    const denied = await govern();
    expect(denied.exit).toBe(1);
    expect(denied.stderr).toMatch(/source_unreadable: this login may not read all of the Directus project/);
    expect(denied.stderr).toContain(
      'GRANT SELECT ("id", "name", "description", "status", "trigger", "accountability") ON "public".directus_flows',
    );
    await asHost(project.url, 'drop table directus_flows, directus_roles, directus_operations cascade');
    const gone = await govern();
    expect([gone.exit, gone.stderr]).toEqual([
      3,
      expect.stringMatching(/source_invalid: this database holds no Directus project/),
    ]);
  });
});
