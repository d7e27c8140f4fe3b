// The kit `directus-baseline`: each detector finds its flaw in a project of the version that can have it and
// nothing in a sound one, and each statement that fixes it executes as it is and makes the detector pass.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quoteLiteral } from '../../src/db/index.js';
import { countingQuery, kit, kitHash, listingQuery } from '../../src/source/kit/index.js';
import { visibleStatement } from '../../src/source/postgres/index.js';
import { asHost, createDatabase, type TestDatabase } from '../support/database.js';
import { createProject, FLAWS, readProject } from '../support/directus-project.js';

const document = kit('directus-baseline', 1);
type Found = Record<string, { code: string; reason: string; fix: string | null }[]>;

let home: TestDatabase;
beforeAll(async () => {
  home = await createDatabase();
  await asHost(
    home.url,
    `create table gcos_source_object (source_id integer default 1, object_class text, code text, identity text,
       parent_class text, parent_code text, attributes jsonb, links jsonb, status text default 'active')`,
  );
});
afterAll(() => home?.close());

async function found(url: string): Promise<Found> {
  const rows = (await readProject(url)).map(({ parent, class: object_class, ...each }) => ({
    ...each,
    object_class,
    parent_class: parent?.class,
    parent_code: parent?.code,
  }));
  await asHost(
    home.url,
    `truncate gcos_source_object;
     insert into gcos_source_object (object_class, code, identity, parent_class, parent_code, attributes, links)
     select o.object_class, o.code, o.identity, o.parent_class, o.parent_code, o.attributes, o.links
     from jsonb_to_recordset(${quoteLiteral(JSON.stringify(rows))}) as o(object_class text, code text, identity text,
       parent_class text, parent_code text, attributes jsonb, links jsonb)`,
  );
  const lists: Found = {};
  for (const detector of document.detectors) {
    const counting = countingQuery(detector);
    const listed = await asHost(home.url, listingQuery(counting) ?? '');
    const [counted] = await asHost(home.url, counting);
    expect(Number(counted?.['count'])).toBe(listed.length);
    if (listed.length > 0) lists[detector.id] = listed as Found[string];
  }
  return lists;
}

const PUBLIC = 'for Public';
const FLAWED = {
  code_on_request: ["Open 'door'"],
  full_access_on_request: ["Open 'door'/all"],
  request_plain: ["Open 'door'/send"],
  request_secret: ["Open 'door'/send"],
  flow_untraced: ["Open 'door'"],
  personal_untraced: ['customers'],
  credentials_shown: ['customers.password'],
  field_dangling: ['articles.gone'],
};
const OF = {
  eleven: {
    ...FLAWED,
    public_admin: ['Public'],
    public_personal: [`customers.read ${PUBLIC} (3)`, `customers.read ${PUBLIC} (4)`],
    public_write: [`articles.update ${PUBLIC} (5)`],
    public_system: [`directus_users.read ${PUBLIC} (6)`],
    personal_wildcard: ['customers.read for Editing (7)'],
    permission_dangling: ['dropped.read for Editing (8)'],
    admin_without_tfa: ['Administrator', 'Public'],
    policy_unused: ["Spare 'one'"],
  },
  ten: {
    ...FLAWED,
    public_personal: [`customers.read ${PUBLIC} (3)`],
    public_write: [`orders.create ${PUBLIC} (5)`],
    public_system: [`directus_roles.read ${PUBLIC} (4)`],
    admin_without_tfa: ['Administrator'],
    webhook_plain: ['Partner'],
    webhook_secret: ['Partner'],
  },
};

describe('directus-baseline', () => {
  it.each(['eleven', 'ten'] as const)(
    'finds each flaw of Directus %s, and its statements repair each that a statement can',
    async (version) => {
      const project = await createProject(version, {
        more: `${FLAWS.both}${FLAWS[version]}`,
        // As DB_SEARCH_PATH of Directus allows.
        ...(version === 'eleven' ? { place: '"My ""CMS"""' } : {}),
      });
      try {
        const before = await found(project.readerUrl);
        expect(
          Object.fromEntries(
            Object.entries(before).map(([id, rows]) => [id, rows.map((row) => row.code).sort()]),
          ),
        ).toEqual(OF[version]);
        for (const { fix } of Object.values(before).flat())
          if (fix !== null) await asHost(project.url, visibleStatement(fix));
        const secrets = version === 'eleven' ? ['request_secret'] : ['request_secret', 'webhook_secret'];
        expect(Object.keys(await found(project.readerUrl)).sort()).toEqual(secrets);
        expect(
          await asHost(
            project.url,
            `select options ->> 'url' as url from directus_operations where key in ('send', 'near') order by key`,
          ),
        ).toEqual([
          { url: 'http://localhost:8055/x' },
          { url: 'https://user:very-secret@partner.example/in' },
        ]);
        if (version === 'eleven')
          expect(
            await asHost(
              project.url,
              `select fields from directus_permissions where collection = 'customers' order by id`,
            ),
          ).toEqual([{ fields: 'id,name' }, { fields: 'email,id,name,password,phone' }]);
      } finally {
        await project.close();
      }
    },
  );

  it('finds nothing in a sound project but an administrator without a second factor', async () => {
    const project = await createProject('eleven');
    try {
      expect(Object.keys(await found(project.readerUrl))).toEqual(['admin_without_tfa']);
    } finally {
      await project.close();
    }
  });

  it('of a released version never changes', () => {
    expect(kitHash(document)).toMatchInlineSnapshot(`"df5fa6cb18fd"`);
  });

  it('has a flaw for each detector', () => {
    expect(document.detectors.map((each) => each.id).sort()).toEqual(
      [...new Set([...Object.keys(OF.eleven), ...Object.keys(OF.ten)])].sort(),
    );
  });
});
