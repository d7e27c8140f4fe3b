// What gcos.yaml says of a home, from the file to a sync of the worker: its sources, who owns what by
// patterns and contracts, and the rules of its kits. One login acts for all.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Gcos } from '../../src/index.js';
import { openAt } from '../support/open.js';
import { createSourceHome, type SourceHome } from '../support/source-home.js';

let home: SourceHome;
let gcos: Gcos;

beforeAll(async () => {
  home = await createSourceHome();
  gcos = await openAt(home.url);
  await home.sql(
    `insert into governance_responsibility_scope (scope_code) values ('policy');
     insert into gcos_trust.governance_actor (person_ref, login, approver_type) values ('operator', session_user, 'member');
     insert into coverage_profile (profile_code, class_pattern, risk_class, ttl, required_links)
     values ('CP-ASSET', 'asset', 'write_low', '7 days', '{"policy": ["owner"]}');
     update gcos_trust.governance_setting set setting_value = '{"minutes": 0.00001}' where setting_key = 'source.cadence'`,
  );
  home.write('assets.csv', 'id,team,size\npay-a,,1\npay-b,team-pay,2\nfind-a,team-find,3\nother,,4\n');
});
afterAll(async () => {
  await gcos.close();
  await home.close();
});

const SOURCES = `sources:
  inventory: { kind: file, location: assets.csv, class: asset, code: id, links: { owner: team } }
`;
const OWNERS = `owners:
  - { match: 'pay-*', owner: team-pay }
  - { match: 'find-*', owner: team-search, source: inventory }
  - { match: '*', owner: team-lost, source: elsewhere }
`;
const KITS = `kits:
  postgres-baseline:
    profiles: { table: { risk: write_high, ttl: P2W } }
    detectors: { never_analyzed: { enabled: false }, table_unlogged: { severity: high } }
`;
const write = (...parts: string[]) => home.write('gcos.yaml', ['version: 1', ...parts].join('\n'));
const config = async (verb: 'plan' | 'apply') =>
  (await home.json('config', verb, '--file', `${home.folder}/gcos.yaml`)) as {
    changes: { kind: string; subject: string; change: string; edited: boolean; from: unknown; to: unknown }[];
  };
const differing = async () =>
  (await config('plan')).changes
    .filter(({ change, edited }) => change !== 'none' || edited)
    .map(({ kind, subject, change, edited }) => [kind, subject, change, edited]);
const sync = () =>
  gcos.worker.once({ signal: new AbortController().signal, log: () => undefined, duties: ['sync'] });
const owners = () =>
  home.sql(
    `select object_ref as code, string_agg(owner_gov_code, ' ' order by owner_gov_code) as owners from governance_object_ownership
     where lifecycle_status = 'active' and source_id is not null group by 1 order by 1`,
  );

// One history: each test goes on where the one before it ended.
describe('gcos.yaml of a home', { shuffle: false }, () => {
  it('adds sources, and a sync of the worker takes the links that patterns give', async () => {
    write(SOURCES, OWNERS);
    expect(await differing()).toEqual([
      ['source', 'inventory', 'create', false],
      ['setting', 'source.links', 'change', false],
    ]);
    await config('apply');
    expect(await differing()).toEqual([]);
    await sync();
    // Where the list and a pattern disagree, both are accountable, and no link is chosen.
    expect(await owners()).toEqual([
      { code: 'find-a', owners: 'team-find team-search' },
      { code: 'pay-a', owners: 'team-pay' },
      { code: 'pay-b', owners: 'team-pay' },
    ]);
    expect(
      await home.sql(
        `select code, links ->> 'owner' as owner, attributes -> 'link_conflicts' as said from gcos_source_object where code like 'find%'`,
      ),
    ).toEqual([{ code: 'find-a', owner: null, said: { owner: ['team-find', 'team-search'] } }]);
  });

  it('changes nothing when it is applied and read again', async () => {
    const written = () =>
      home.sql(
        `select (select max(id) from registry_changelog) as audit, (select max(xmin::text::bigint)::text from gcos_source_object) as member,
           (select max(xmin::text::bigint)::text from governance_object_ownership) as owner, (select max(applied_at)::text from governance_managed) as managed`,
      );
    const before = await written();
    await config('apply');
    await sync();
    expect(await written()).toEqual(before);
  });

  it('takes patterns back when the file no longer has them', async () => {
    write(SOURCES);
    expect(await differing()).toEqual([['setting', 'source.links', 'change', false]]);
    await config('apply');
    await sync();
    expect(await owners()).toEqual([
      { code: 'find-a', owners: 'team-find' },
      { code: 'pay-b', owners: 'team-pay' },
    ]);
  });

  it('takes the owner from a data contract, for the sources that it is about', async () => {
    home.write(
      'assets.yaml',
      `apiVersion: v3.1.0\nkind: DataContract\nid: a\nversion: 1.0.0\nstatus: active\nteam: {name: team-contract}\nschema:\n  - name: other\n`,
    );
    home.write('tables.csv', 'id,team\nother,\n');
    const tables =
      '  lists: { kind: file, location: tables.csv, class: collection, code: id, links: { owner: team } }\n';
    await home.sql(
      `insert into coverage_profile (profile_code, class_pattern, risk_class, ttl, required_links)
       values ('CP-COLLECTION', 'collection', 'write_low', '7 days', '{"policy": ["owner"]}')`,
    );
    write(SOURCES + tables, 'contracts: [{ file: assets.yaml, source: inventory }]\n');
    await config('apply');
    await home.json('source', 'sync');
    expect((await owners()).map((each) => each['code'])).toEqual(['find-a', 'pay-b']);
    write(SOURCES + tables, 'contracts: [{ file: assets.yaml, source: lists }]\n');
    await config('apply');
    await home.json('source', 'sync');
    expect(await owners()).toContainEqual({ code: 'other', owners: 'team-contract' });
  });

  it('gives a source another place, which is not watched until it was read', async () => {
    home.write(
      'more.csv',
      'id,team,size\npay-a,,1\npay-b,team-pay,2\nfind-a,team-find,3\nother,,4\nnew,,5\n',
    );
    write(SOURCES.replace('assets.csv', 'more.csv'));
    expect(await differing()).toEqual([
      ['source', 'inventory', 'change', false],
      ['setting', 'source.links', 'change', false],
      ['source', 'lists', 'release', false],
    ]);
    await config('apply');
    expect(await home.sql(`select read_at from gcos_source where name = 'inventory'`)).toEqual([
      { read_at: null },
    ]);
    await home.json('source', 'sync');
    expect(
      await home.sql(
        `select s.read_at is not null as watched, (select count(*)::int from inventory_asset where status = 'active') as objects
         from gcos_source s where s.name = 'inventory'`,
      ),
    ).toEqual([{ watched: true, objects: 5 }]);
    write(
      SOURCES.replace(
        'kind: file, location: assets.csv, class: asset, code: id, links: { owner: team }',
        'kind: postgres, location: "env:X"',
      ),
    );
    const { exit, stderr } = await home.run('config', 'apply', '--file', `${home.folder}/gcos.yaml`);
    expect([exit, stderr]).toEqual([3, expect.stringContaining('source_exists')]);
  });

  it('writes the rules of a kit with what this team changes in it, and shows edits by hand', async () => {
    write(SOURCES.replace('assets.csv', 'more.csv'), KITS);
    const planned = (await config('plan')).changes;
    expect(planned.find((each) => each.subject === 'postgres-baseline:table')).toMatchObject({
      kind: 'profile',
      change: 'create',
      to: { risk: 'write_high', ttl: 'P14D' },
    });
    await config('apply');
    expect(await differing()).toEqual([]);
    expect(
      await home.sql(
        `select measurement_id as id, severity, enabled from measurement_registry
         where measurement_id in ('postgres-baseline:never_analyzed', 'postgres-baseline:table_unlogged') order by 1`,
      ),
    ).toEqual([
      { id: 'postgres-baseline:never_analyzed', severity: 'low', enabled: false },
      { id: 'postgres-baseline:table_unlogged', severity: 'high', enabled: true },
    ]);
    // Whoever writes the kit again keeps what the team changed.
    expect(await gcos.estates.provideRules('postgres-baseline')).toMatchObject({
      changed: expect.any(Number),
    });
    expect(await differing()).toEqual([]);
    await home.sql(
      `update coverage_profile set risk_class = 'read' where profile_code = 'postgres-baseline:table';
       update measurement_registry set enabled = false where measurement_id = 'postgres-baseline:table_unlogged'`,
    );
    expect(await differing()).toEqual([
      ['profile', 'postgres-baseline:table', 'change', true],
      ['detector', 'postgres-baseline:table_unlogged', 'change', true],
    ]);
    await config('apply');
    expect(await differing()).toEqual([]);
  });

  it.each([
    [
      'a class that the kit does not have',
      'kits: {postgres-baseline: {profiles: {tabel: {risk: read}}}}',
      /gcos\.yaml:\d+:\d+: .*did you mean `table`/,
    ],
    ['another kit', 'kits: {postgres-basline: {}}', /gcos\.yaml:\d+:\d+: .*did you mean `postgres-baseline`/],
    [
      'a source without its columns',
      'sources: {a: {kind: file, location: a.csv}}',
      /gcos\.yaml:\d+:\d+: sources\.a\./,
    ],
    ['a password', 'sources: {a: {kind: postgres, location: "postgres://u:p@h/d"}}', /password/],
    [
      'more gaps than one request may list',
      `baseline:\n  until: 2027-01-01\n  reason: legacy\n  gaps:\n${'    - { collection: a, code: b, scope: ownership, link: owner }\n'.repeat(20_001)}`,
      /exception_list_too_long: 20,001 gaps[\s\S]*accepted_gaps/,
    ],
  ])('refuses %s', async (_, text, message) => {
    write(text);
    const { exit, stderr } = await home.run('config', 'plan', '--file', `${home.folder}/gcos.yaml`);
    expect([exit, stderr]).toEqual([3, expect.stringMatching(message)]);
  });
});
