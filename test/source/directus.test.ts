// The reader of a Directus project: what it yields of version 11 and of version 10, with a login that may
// read its tables and no more; and what it says where there is no project, or no right to read it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSql } from '../../scripts/sql.mjs';
import { dumpSchema } from '../../src/db/index.js';
import { absentTable, type DirectusTable } from '../../src/source/directus/tables.js';
import type { SourceObject } from '../../src/source/object/index.js';
import { asHost } from '../support/database.js';
import { createProject, FLAWS, readProject } from '../support/directus-project.js';
import { objectOf, type Shop } from '../support/shop.js';

const codesOf = (objects: readonly SourceObject[], kind: string) =>
  objects.filter((each) => each.class === `directus_${kind}`).map((each) => each.code);

const SHARED = {
  folder: ['sales'],
  collection: ['Weird "Name".x', 'articles', 'not_managed', 'customers', 'orders'],
  personal_field: ['"Weird ""Name"".x"."E-Mail"', 'customers.email', 'customers.phone'],
  flow: ['Publish', 'Same name (00000000-0000-4000-8000-0000000000f2)'],
  code_flow: ['Same name (00000000-0000-4000-8000-0000000000f3)'],
  operation: ['Publish/read', 'Same name (00000000-0000-4000-8000-0000000000f3)/run'],
  dashboard: ['Numbers'],
  extension: ['super-header'],
};

for (const version of ['eleven', 'ten'] as const)
  describe(`a project of Directus ${version}`, () => {
    let project: Shop;
    let objects: readonly SourceObject[];
    beforeAll(async () => {
      project = await createProject(version);
      objects = await readProject(project.readerUrl);
    });
    afterAll(() => project?.close());

    it('is read object by object, each under one code, its parent before it', () => {
      for (const [kind, codes] of Object.entries(SHARED)) expect(codesOf(objects, kind), kind).toEqual(codes);
      expect(new Set(objects.map((each) => each.identity)).size).toBe(objects.length);
      const seen = new Set<string>();
      for (const { class: kind, code, parent } of objects) {
        if (parent !== null) expect(seen).toContain(`${parent.class} ${parent.code}`);
        expect(seen).not.toContain(`${kind} ${code}`);
        seen.add(`${kind} ${code}`);
      }
      expect(codesOf(objects, 'field')).toEqual(
        expect.arrayContaining([
          '"Weird ""Name"".x"."a.b"',
          'orders.lines',
          'orders.total',
          'directus_users.nickname',
        ]),
      );
      expect(objects.filter((each) => each.code.includes('directus_users.'))).toHaveLength(1);
    });

    it('takes the owner from the note of the object, of its flow, or of the folders above', () => {
      const owner = (kind: string, code: string) =>
        objectOf(objects, `directus_${kind}`, code).links['owner'];
      expect(owner('collection', 'customers')).toBe('team-crm');
      expect(owner('collection', 'orders')).toBe('team-sales');
      expect(owner('field', 'orders.total')).toBe('team-sales');
      expect(owner('operation', 'Publish/read')).toBe('team-content');
      expect(owner('collection', 'articles')).toBeUndefined();
      expect(objectOf(objects, 'directus_personal_field', 'customers.email').links).toEqual({
        owner: 'team-crm',
        classification: 'personal',
      });
    });

    it('says what its version does not have', () => {
      const { attributes } = objectOf(objects, 'directus_project', 'public');
      const parts = (attributes['not_read'] as { part: string }[]).map((each) => each.part);
      expect(parts).toEqual(
        version === 'eleven' ? ['directus_webhooks'] : ['directus_policies', 'directus_access'],
      );
    });

    it('knows what everyone may do without logging in', () => {
      const [code] = codesOf(objects, 'public_permission');
      expect(code).toBe('articles.read for Public (1)');
      const found = objectOf(objects, 'directus_public_permission', code ?? '');
      expect(found.parent).toEqual({ class: 'directus_collection', code: 'articles' });
      expect(found.attributes).toMatchObject({ public: true, fields: ['*'], filtered: version === 'eleven' });
      expect(codesOf(objects, 'permission')).toEqual([
        version === 'eleven' ? 'orders.read for Editing (2)' : 'orders.read for Editors (2)',
      ]);
    });

    it('is left as it is, by a login that may not write', async () => {
      const before = await dumpSchema(project.db);
      expect(JSON.stringify(await readProject(project.readerUrl))).toBe(JSON.stringify(objects));
      expect(await dumpSchema(project.db)).toBe(before);
      for (const refused of [
        'create table mine ()',
        'delete from directus_flows',
        'select from directus_users',
      ])
        await expect(asHost(project.readerUrl, refused)).rejects.toThrow(/permission denied/);
    });
  });

it('takes the approval of a public permission from its collection, else from its policy', async () => {
  const project = await createProject('eleven', {
    more: `update directus_policies set description = '@approval https://example.org/policy' where name = '$t:public_label';
      update directus_collections set note = e'@owner team-content\\n@approval https://example.org/articles' where collection = 'articles';
      insert into directus_permissions (collection, action, fields, policy)
        values ('directus_files', 'read', '*', 'abf8a154-5b1c-4a46-ac9c-7300570f4f17')`,
  });
  try {
    const objects = await readProject(project.readerUrl);
    const links = (code: string) => objectOf(objects, 'directus_public_permission', code).links;
    expect(links('articles.read for Public (1)')).toEqual({
      owner: 'team-content',
      approval: 'https://example.org/articles',
    });
    expect(links('directus_files.read for Public (3)')).toEqual({ approval: 'https://example.org/policy' });
  } finally {
    await project.close();
  }
});

it('reads folders that are in each other, and texts that no text of PostgreSQL can hold', async () => {
  const project = await createProject('eleven', {
    more: `insert into directus_collections (collection, note) values ('one', '@owner team-one'), ('two', null);
      update directus_collections set "group" = case collection when 'one' then 'two' else 'one' end where collection in ('one', 'two');
      update directus_operations set options = '{"url": "http://a\\u0000b", "code": "\\\\u0000"}' where key = 'run'`,
  });
  try {
    const objects = await readProject(project.readerUrl);
    expect(objectOf(objects, 'directus_folder', 'two').links).toEqual({ owner: 'team-one' });
    const run = objects.find((each) => each.code.endsWith('/run'));
    expect(run?.attributes).toMatchObject({ scheme: 'http', code_bytes: 6 });
  } finally {
    await project.close();
  }
});

it('hands on no secret of a flow or a webhook', async () => {
  for (const version of ['eleven', 'ten'] as const) {
    const project = await createProject(version, { more: `${FLAWS.both}${FLAWS[version]}` });
    try {
      const objects = await readProject(project.readerUrl);
      expect(JSON.stringify(objects)).not.toContain('very-secret');
      expect(objects.find((each) => each.code.endsWith("Open 'door'/send"))?.attributes).toMatchObject({
        secret_headers: ['Authorization'],
        scheme: 'http',
        local: false,
      });
      expect(objects.find((each) => each.code.endsWith("Open 'door'/near"))?.attributes['local']).toBe(true);
    } finally {
      await project.close();
    }
  }
});

describe('what is no readable project', () => {
  it('is one error with the grants that it needs, and they suffice', async () => {
    const project = await createProject('eleven', { denied: true });
    try {
      const error = await readProject(project.readerUrl).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        code: 'source_unreadable',
        help: expect.stringContaining('GRANT SELECT ("collection", "note"'),
      });
      const { facts } = error as { facts: { grants: string[] } };
      expect(facts.grants).toHaveLength(11);
      for (const grant of facts.grants) await asHost(project.url, grant);
      expect((await readProject(project.readerUrl)).length).toBeGreaterThan(30);
      // No more than what is read.
      await expect(asHost(project.readerUrl, 'select icon from directus_collections')).rejects.toThrow(
        /denied/,
      );
    } finally {
      await project.close();
    }
  });

  it('is one error with help: no project, several, or tables of another form', async () => {
    const project = await createProject('eleven');
    try {
      await asHost(project.url, 'alter table directus_flows rename column trigger to begins');
      await expect(readProject(project.readerUrl)).rejects.toThrow(/directus_flows has no column `trigger`/);
      await asHost(
        project.url,
        `create schema other; grant usage on schema other to ${project.reader};
         ${['collections', 'fields', 'migrations', 'permissions', 'roles'].map((each) => `create table other.directus_${each} ()`).join('; ')}`,
      );
      await expect(readProject(project.readerUrl)).rejects.toMatchObject({
        code: 'source_invalid',
        message: expect.stringContaining('several Directus projects: in the schemas `other`, `public`'),
      });
      await asHost(project.url, 'drop schema other cascade; drop table directus_roles cascade');
      await expect(readProject(project.readerUrl)).rejects.toMatchObject({
        code: 'source_invalid',
        help: expect.stringContaining('--kind postgres'),
      });
    } finally {
      await project.close();
    }
  });
});

it('checks its statements with the columns that it reads', () => {
  const { statements } = readSql('src/source/directus/project.sql');
  for (const { name, parts } of statements)
    for (const [part, example] of Object.entries(parts))
      expect(example, `${name} ${part}`).toBe(absentTable(part as DirectusTable));
});
