// Least privilege, enforced by the server: the tests log in as each role.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asHost, urlAs } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';

const ROLES = ['worker', 'reader', 'api', 'server', 'pruner'];

describe('the GCOS roles', () => {
  let estate: Estate;
  const as = (role: string, text: string) => asHost(urlAs(estate.url, role), text);

  beforeAll(async () => {
    estate = await createEstate('installed');
  });
  afterAll(() => estate.close());

  const untouchable = [
    'birth_registry',
    'meta_catalog',
    'collection_registry',
    'normative_registry',
    'law_catalog',
    'governance_docs',
  ];

  it.each(untouchable)('worker: no write of any kind to %s', async (table) => {
    const [column] = await asHost(
      estate.url,
      `select attname as name from pg_attribute where attrelid = '${table}'::regclass and attnum = 1`,
    );
    for (const text of [
      `insert into ${table} select * from ${table} limit 1`,
      `update ${table} set ${column?.['name']} = ${column?.['name']}`,
      `delete from ${table}`,
      `truncate ${table}`,
      `begin; lock table ${table} in row exclusive mode`,
    ]) {
      await expect(as('worker', text), text).rejects.toMatchObject({ code: '42501' });
    }
  });

  it('worker: no update of a row it did not write in system_issues', async () => {
    await expect(as('worker', "update system_issues set status = 'resolved'")).rejects.toMatchObject({
      code: '42501',
    });
    await expect(as('worker', 'delete from system_issues')).rejects.toMatchObject({ code: '42501' });
  });

  it('worker: no update of evolution_snapshots', async () => {
    await expect(as('worker', "update evolution_snapshots set notes = 'x'")).rejects.toMatchObject({
      code: '42501',
    });
    await expect(as('worker', 'delete from evolution_snapshots')).rejects.toMatchObject({ code: '42501' });
  });

  it.each(ROLES)('%s: reads the host, changes no schema, cannot switch to another role', async (role) => {
    expect(await as(role, 'select count(*)::int as n from birth_registry')).toEqual([{ n: 20_000 }]);
    expect(await as(role, 'select count(*)::int as n from governance_setting')).toHaveLength(1);
    for (const text of [
      'create table mine (id int)',
      'alter table birth_registry add column x int',
      'create index on birth_registry (born_at)',
      'set role gcos_owner',
      'set role postgres',
      'drop table governance_setting',
      "insert into gcos_migration values ('core', 99, 'x', 'x', now(), 'x', 'x')",
      "update governance_setting set setting_value = '{}'",
    ]) {
      await expect(as(role, text), text).rejects.toMatchObject({
        code: expect.stringMatching(/^(42501|25006)$/),
      });
    }
  });

  it('reader: its sessions are read-only by default', async () => {
    expect(await as('reader', 'show default_transaction_read_only')).toEqual([
      { default_transaction_read_only: 'on' },
    ]);
  });

  it('server: may what api may, and assert sign-ins, no more and no less', async () => {
    const may = (role: string) =>
      asHost(
        estate.url,
        `select 'call ' || p.oid::regprocedure as what from pg_proc p
           where p.pronamespace = 'gcos_trust'::regnamespace and has_function_privilege('gcos_${role}', p.oid, 'execute')
         union all
         select n.privilege || ' ' || c.oid::regclass from pg_class c
           cross join unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) as n(privilege)
           where c.relkind in ('r', 'v') and c.relnamespace in ('gcos_trust'::regnamespace, 'public'::regnamespace)
             and has_table_privilege('gcos_${role}', c.oid, n.privilege)
         order by 1`,
      );
    const allowed = await may('api');
    expect(allowed.length).toBeGreaterThan(150);
    const own = 'call gcos_sign_in(text)';
    const ofServer = (await may('server')).map(({ what }) => what);
    expect(ofServer).toContain(own);
    expect(ofServer.filter((what) => what !== own)).toEqual(allowed.map(({ what }) => what));
  });

  it('owners: cannot log in; no role is a member of another', async () => {
    const rows = await asHost(
      estate.url,
      `select r.rolname, r.rolcanlogin, r.rolsuper, r.rolcreaterole, r.rolcreatedb, r.rolbypassrls,
         (select count(*)::int from pg_auth_members m where m.member = r.oid) as memberships
       from pg_roles r where r.rolname like 'gcos\\_%' order by 1`,
    );
    expect(rows.map((row) => row['rolname'])).toEqual([
      'gcos_api',
      'gcos_owner',
      'gcos_pruner',
      'gcos_reader',
      'gcos_server',
      'gcos_source',
      'gcos_trust_owner',
      'gcos_worker',
    ]);
    for (const row of rows) {
      const login = !/owner$|source$/.test(String(row['rolname']));
      expect(row).toMatchObject({
        rolcanlogin: login,
        rolsuper: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolbypassrls: false,
        memberships: 0,
      });
    }
  });
});
