// The sync of a source, with files: what it writes, what it refuses, and that it is all or nothing.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEstate } from '../support/estate.js';
import { runHere } from '../support/in-process.js';
import { createSourceHome, type SourceHome, WRITTEN } from '../support/source-home.js';

let home: SourceHome;
beforeAll(async () => {
  home = await createSourceHome();
  await home.sql(
    `insert into governance_responsibility_scope (scope_code) values ('policy'), ('health');
     insert into coverage_profile (profile_code, class_pattern, risk_class, ttl, required_links)
     values ('CP-ASSET', 'asset', 'write_high', '7 days', '{"policy": ["owner"]}')`,
  );
});
afterAll(() => home.close());

let serial = 0;
/** A source of its own for a test; `write` replaces its file. */
async function source(text: string, ...flags: string[]) {
  serial += 1;
  const name = `s${serial}`;
  const write = (next: string) => home.write(`${name}.csv`, next);
  await home.json(
    ...['source', 'add', name, 'file', write(text), '--class', 'asset', '--code', 'id'],
    ...['--link', 'owner=team', ...flags],
  );
  return {
    name,
    write,
    sync: async (...more: string[]) => {
      const { syncs } = await home.json('source', 'sync', name, ...more);
      return (syncs as { classes: Record<string, unknown>[]; changed: boolean; owners: unknown }[])[0];
    },
    fails: async (...more: string[]) => {
      const { exit, stdout } = await home.run('source', 'sync', name, ...more, '--json');
      return { exit, ...(JSON.parse(stdout) as { error: { code: string; message: string } }).error };
    },
    births: () =>
      home.sql(
        `select entity_code as code, status from birth_registry where collection_name = '${name}_asset' order by 1`,
      ),
    members: () => home.sql(`select code, status, owner_ref as owner from ${name}_asset order by code`),
    audit: () =>
      home.sql(
        `select entity_code as code, action, alert_detail::json as detail from registry_changelog
         where entity_type = '${name}_asset' and action <> 'source_created' order by id`,
      ),
    owners: () =>
      home.sql(
        `select o.object_ref as code, o.scope, o.owner_gov_code as owner, o.lifecycle_status as status
         from governance_object_ownership o join gcos_source s using (source_id) where s.name = '${name}' order by o.id`,
      ),
  };
}

const list = (count: number): string =>
  `id,team,size\n${Array.from({ length: count }, (_, n) => `a${n},core,${n}`).join('\n')}\n`;

describe('a sync', () => {
  it('gives each object a birth, a member row and its owner in the required scopes; a second one writes no row', async () => {
    const { sync, births, members, owners } = await source('id,team,size\na,core,1\nb,,2\n');
    expect(await sync()).toMatchObject({
      changed: true,
      classes: [{ class: 'asset', objects: 2, created: 2, changed: 0, gone: 0, renamed: 0, returned: 0 }],
      owners: { begun: 1, ended: 0 },
    });
    expect(await births()).toEqual([
      { code: 'a', status: 'born' },
      { code: 'b', status: 'born' },
    ]);
    expect(await members()).toEqual([
      { code: 'a', status: 'active', owner: 'core' },
      { code: 'b', status: 'active', owner: null },
    ]);
    expect(await owners()).toEqual([{ code: 'a', scope: 'policy', owner: 'core', status: 'active' }]);
    const before = await home.sql(WRITTEN);
    expect(await sync()).toMatchObject({ changed: false });
    expect(await home.sql(WRITTEN)).toEqual(before);
  });

  it('leaves statistics of what it wrote, so that what takes it in is planned for its size', async () => {
    const lines = Array.from({ length: 300 }, (_, i) => `planned-${i},core\n`);
    const { sync } = await source(`id,team\n${lines.join('')}`);
    await sync();
    const known = await home.sql(
      `select relname, reltuples >= 300 as counted from pg_class
       where relname in ('birth_registry', 'gcos_source_object') and relnamespace = 'public'::regnamespace order by 1`,
    );
    expect(known).toEqual([
      { relname: 'birth_registry', counted: true },
      { relname: 'gcos_source_object', counted: true },
    ]);
  });

  it('says what changed, what is gone and what returned; births stay, and their status follows', async () => {
    const { sync, write, births, members, audit, owners } = await source(
      'id,team,size\na,core,1\nb,core,2\nc,core,3\n',
    );
    await sync();
    write('id,team,size\na,data,1\nb,core,20\n');
    expect(await sync()).toMatchObject({
      classes: [{ objects: 2, created: 0, changed: 2, gone: 1, renamed: 0, returned: 0 }],
      owners: { begun: 1, ended: 2 },
    });
    expect(await audit()).toEqual(
      expect.arrayContaining([
        { code: 'a', action: 'source_changed', detail: { changed: ['link owner'] } },
        { code: 'b', action: 'source_changed', detail: { changed: ['size'] } },
        { code: 'c', action: 'source_gone', detail: {} },
      ]),
    );
    expect((await births()).map((each) => each['status'])).toEqual(['born', 'born', 'gone']);
    expect((await members()).map((each) => each['status'])).toEqual(['active', 'active', 'gone']);
    expect(await owners()).toEqual([
      { code: 'a', scope: 'policy', owner: 'core', status: 'superseded' },
      { code: 'b', scope: 'policy', owner: 'core', status: 'active' },
      { code: 'c', scope: 'policy', owner: 'core', status: 'superseded' },
      { code: 'a', scope: 'policy', owner: 'data', status: 'active' },
    ]);
    write('id,team,size\na,data,1\nb,core,20\nc,core,3\n');
    expect(await sync()).toMatchObject({ classes: [{ objects: 3, created: 0, returned: 1 }] });
    expect((await births()).map((each) => each['status'])).toEqual(['born', 'born', 'born']);
    expect((await audit()).at(-1)).toEqual({ code: 'c', action: 'source_returned', detail: {} });
  });

  it('knows a renamed object by its identity', async () => {
    const { sync, write, births, audit } = await source(
      'id,team,key\nold,core,7\nother,core,8\n',
      '--identity',
      'key',
    );
    await sync();
    write('id,team,key\nnew,core,7\nother,core,8\n');
    expect(await sync()).toMatchObject({ classes: [{ objects: 2, created: 0, gone: 0, renamed: 1 }] });
    expect(await births()).toEqual([
      { code: 'new', status: 'born' },
      { code: 'old', status: 'gone' },
      { code: 'other', status: 'born' },
    ]);
    expect(await audit()).toEqual(
      expect.arrayContaining([
        { code: 'old', action: 'source_renamed', detail: { to: 'new' } },
        { code: 'new', action: 'source_renamed', detail: { from: 'old' } },
      ]),
    );
  });

  it('stops at a source that shrank, and changes nothing, unless it is accepted', async () => {
    const { sync, fails, write, births } = await source(list(110));
    await sync();
    write(list(99));
    expect(await sync()).toMatchObject({ classes: [{ gone: 11 }] });
    write(list(88));
    const before = await home.sql(WRITTEN);
    expect(await fails()).toMatchObject({
      exit: 1,
      code: 'source_shrank',
      message: expect.stringContaining('11 of 99 objects of class asset'),
    });
    write('id,team,size\n');
    expect(await fails()).toMatchObject({ code: 'source_shrank' });
    expect(await home.sql(WRITTEN)).toEqual(before);
    expect(await sync('--accept-shrink')).toMatchObject({ classes: [{ gone: 99 }] });
    expect((await births()).length).toBe(110);
  });

  it.each([
    ['fields', 'id,team\na,core\nb\n', 'line 3: 1 fields, where the header has 2'],
    ['quotes', 'id,team\na,core\nb,"core\nc,core\n', 'line 3: a quote is not closed'],
    ['a code', 'id,team\na,core\n,core\n', 'line 3: `id`, the code of an object, is empty'],
    ['a column', 'id,teem\na,core\n', 'line 1: there is no column `team`: did you mean `teem`?'],
    [
      'a repeated code',
      'id,team\na,core\nb,core\na,data\n',
      'asset a is listed twice, as objects 1 and 3 of what was read',
    ],
  ])('names the line of a broken file, and changes nothing: %s', async (_, text, message) => {
    const { sync, fails, write } = await source('id,team\na,core\nz,core\n');
    await sync();
    const before = await home.sql(WRITTEN);
    write(text);
    expect(await fails()).toMatchObject({ exit: 3, code: 'source_invalid', message });
    expect(await home.sql(WRITTEN)).toEqual(before);
  });

  it('reads hostile names as they are: quotes, line ends, separators, escapes, right-to-left text', async () => {
    const codes = [
      'a,b',
      'say "x"',
      'two\nlines',
      '\\N',
      '\\.',
      'tab\there',
      "it's; drop table x",
      'שלום',
      '😀'.repeat(15),
      '--',
    ];
    const { sync, births } = await source(
      `id,team\r\n${codes.map((code) => `"${code.replaceAll('"', '""')}",core`).join('\r\n')}\r\n`,
    );
    expect(await sync()).toMatchObject({ classes: [{ created: codes.length }] });
    expect((await births()).map((each) => each['code']).sort()).toEqual([...codes].sort());
    expect(await sync()).toMatchObject({ changed: false });
  });

  it('reads JSON lines, with facts of any form', async () => {
    const path = home.write(
      'm.jsonl',
      '{"id": 1, "team": "core", "tags": ["a"]}\n\n{"id": "m2", "team": null}\n',
    );
    await home.json(
      'source',
      'add',
      'models',
      'file',
      path,
      '--class',
      'model',
      '--code',
      'id',
      '--link',
      'owner=team',
    );
    await home.json('source', 'sync', 'models');
    expect(await home.sql('select code, owner_ref, attributes from models_model order by code')).toEqual([
      { code: '1', owner_ref: 'core', attributes: { tags: ['a'] } },
      { code: 'm2', owner_ref: null, attributes: {} },
    ]);
    home.write('m.jsonl', '{"id": 1}\n[2]\n');
    const { exit, stderr } = await home.run('source', 'sync', 'models');
    expect([exit, stderr]).toEqual([3, expect.stringContaining('line 2: not a JSON object')]);
  });

  it('keeps what it knew of a file that is not there, and says since when it fails', async () => {
    const { name, sync, fails, members } = await source(list(3));
    await sync();
    await home.sql(
      `update gcos_source set config = config || '{"path": "/nowhere.csv"}' where name = '${name}'`,
    );
    expect(await fails()).toMatchObject({ exit: 1, code: 'source_unreadable' });
    expect(await fails()).toMatchObject({ code: 'source_unreadable' });
    expect((await members()).map((each) => each['status'])).toEqual(['active', 'active', 'active']);
    const { sources } = await home.json('source', 'list');
    expect((sources as Record<string, unknown>[]).find((each) => each['name'] === name)).toMatchObject({
      failure: { times: 2, code: 'source_unreadable' },
    });
  });
});

describe('gcos source', () => {
  it('adds the same source once, and refuses another one under its name', async () => {
    const path = home.write('once.csv', 'id\na\n');
    const add = (...more: string[]) =>
      home.run('source', 'add', 'once', 'file', path, '--class', 'asset', '--code', ...more, '--json');
    expect(JSON.parse((await add('id')).stdout)).toMatchObject({ added: true });
    expect(JSON.parse((await add('id')).stdout)).toMatchObject({ added: false });
    expect((await add('name')).stdout).toContain('source_exists');
    const kind = await home.run('source', 'add', 'x', 'fil', path);
    expect([kind.exit, kind.stderr]).toEqual([3, expect.stringContaining('did you mean `file`?')]);
    const named = await home.run(
      'source',
      'add',
      'No Name',
      'file',
      path,
      '--class',
      'asset',
      '--code',
      'id',
    );
    expect([named.exit, named.stderr]).toEqual([3, expect.stringContaining('source_invalid')]);
  });

  it('removes a source: its objects are gone, its births stay, and it can come back', async () => {
    const { name, sync, births, members } = await source(list(20));
    await sync();
    expect((await home.run('source', 'remove', name, '--yes')).exit).toBe(0);
    expect((await births()).every((each) => each['status'] === 'gone')).toBe(true);
    expect((await members()).every((each) => each['status'] === 'gone')).toBe(true);
    await home.json(
      ...['source', 'add', name, 'file', `${home.folder}/${name}.csv`, '--class', 'asset', '--code', 'id'],
      ...['--link', 'owner=team'],
    );
    expect(await sync()).toMatchObject({ classes: [{ returned: 20, created: 0 }] });
  });

  it('is refused beside a host that GCOS did not create', async () => {
    const estate = await createEstate('installed');
    try {
      const path = home.write('host.csv', 'id\na\n');
      const { exit, stderr } = await runHere(
        ['source', 'add', 'shop', 'file', path, '--class', 'asset', '--code', 'id'],
        { DATABASE_URL: estate.url },
      );
      expect([exit, stderr]).toEqual([4, expect.stringContaining('source_not_home')]);
    } finally {
      await estate.close();
    }
  });
});
