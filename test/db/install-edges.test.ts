// Installation on incomplete hosts and with limited logins.
import { afterEach, describe, expect, it } from 'vitest';
import type { Gcos } from '../../src/index.js';
import { asHost, createDatabase, urlFor } from '../support/database.js';
import { createEstate, type Estate, openAt } from '../support/estate.js';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function host(kind: 'host' | 'installed' = 'host'): Promise<Estate> {
  const estate = await createEstate(kind);
  open.push(estate);
  return estate;
}

async function openAs(url: string, environment: Record<string, string> = {}): Promise<Gcos> {
  const gcos = await openAt(url, environment);
  open.push(gcos);
  return gcos;
}

/** Creates a role for one test; the role and the objects it owns are dropped afterwards. */
async function createRole(url: string, name: string, attributes = ''): Promise<string> {
  await asHost(url, `create role ${name} login password 'x' ${attributes}`);
  open.push({ close: async () => void (await asHost(url, `drop owned by ${name}; drop role ${name}`)) });
  return urlFor(url, { user: name, password: 'x' });
}

describe('init', () => {
  it('adds extensions in several calls, and ignores repeated names', async () => {
    const bare = await createDatabase();
    open.push(bare);
    const gcos = await openAs(bare.url);
    const before = await gcos.dumpSchema();
    await gcos.init({ with: ['axes', 'axes'], force: true });
    await gcos.init({ with: ['profiles'] });
    const { state } = await gcos.init({ with: ['approvals', 'axes'] });
    expect(state.extensions).toEqual(['axes', 'profiles', 'approvals']);
    await gcos.uninstall();
    expect(await gcos.dumpSchema()).toBe(before);
  });

  it('writes a file for one extension, and a reverse file that removes only this extension', async () => {
    const bare = await createDatabase();
    open.push(bare);
    const gcos = await openAs(bare.url);
    await gcos.init({ force: true });
    const before = await gcos.dumpSchema();
    const files = await gcos.initFiles({ with: ['axes'] }, { forward: 'a.sql', reverse: 'b.sql' });
    await asHost(bare.url, (files?.forward ?? '').replaceAll(/^\\.*$/gm, ''));
    expect(await gcos.dumpSchema()).not.toBe(before);
    await asHost(bare.url, (files?.reverse ?? '').replaceAll(/^\\.*$/gm, ''));
    expect(await gcos.dumpSchema()).toBe(before);
    expect(await gcos.initFiles({}, { forward: 'a.sql', reverse: 'b.sql' })).toBeUndefined();
  });

  it('fails if a grant has no effect', async () => {
    const estate = await host();
    const name = `guest_${process.pid}`;
    const url = await createRole(estate.url, name, 'createrole');
    await asHost(
      estate.url,
      `grant create on schema public to ${name}; grant select on all tables in schema public to ${name}`,
    );
    const gcos = await openAs(url, { GCOS_ROLE_PREFIX: `g${process.pid}_` });
    await expect(gcos.init()).rejects.toMatchObject({
      code: 'roles_missing',
      help: expect.stringContaining('create schema "gcos_trust" authorization'),
    });
    await asHost(estate.url, `grant create on database ${estate.name} to ${name}`);
    await expect(gcos.init()).rejects.toMatchObject({ code: 'privilege_missing', exit: 4 });
    expect((await gcos.status()).schema).toBe('absent');
  });

  it('uses roles that an operator created from the printed statements; uninstall leaves these roles', async () => {
    const estate = await host();
    const prefix = `printed_${process.pid}_`;
    const name = `owner_${process.pid}`;
    const url = await createRole(estate.url, name);
    const tables = await asHost(
      estate.url,
      "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
    );
    for (const table of tables) await asHost(estate.url, `alter table ${table['relname']} owner to ${name}`);
    await asHost(estate.url, `alter schema public owner to ${name}`);
    const gcos = await openAs(url, { GCOS_ROLE_PREFIX: prefix });
    const before = await gcos.dumpSchema();
    const printed = await gcos.init().then(
      () => '',
      (error: { help: string }) => error.help.replace('have an operator run:', ''),
    );
    await asHost(estate.url, printed);
    try {
      expect((await gcos.init()).outcome).toBe('installed');
      await gcos.uninstall();
      expect(await gcos.dumpSchema()).toBe(before);
      expect(
        await asHost(estate.url, `select 1 from pg_roles where rolname like 'printed\\_${process.pid}\\_%'`),
      ).toHaveLength(8);
    } finally {
      for (const each of ['owner', 'trust_owner', 'source', 'reader', 'worker', 'api', 'server', 'pruner']) {
        await asHost(estate.url, `drop owned by ${prefix}${each}; drop role ${prefix}${each}`);
      }
      await asHost(estate.url, `reassign owned by ${name} to postgres`);
    }
  });

  it('is undone by uninstall exactly: privileges that the roles had before stay', async () => {
    const estate = await host();
    const prefix = `had_${process.pid}_`;
    await asHost(
      estate.url,
      `create role ${prefix}reader; grant usage on schema public to ${prefix}reader; grant select, insert on birth_registry to ${prefix}reader`,
    );
    try {
      const gcos = await openAs(estate.url, { GCOS_ROLE_PREFIX: prefix });
      const before = await gcos.dumpSchema();
      await gcos.init();
      await gcos.uninstall();
      expect(await gcos.dumpSchema()).toBe(before);
    } finally {
      await asHost(estate.url, `drop owned by ${prefix}reader; drop role ${prefix}reader`);
    }
  });

  it('is completed by upgrade, which grants privileges on later tables; uninstall revokes them', async () => {
    const estate = await host();
    await asHost(estate.url, 'drop table law_catalog');
    const before = await estate.gcos.dumpSchema();
    await estate.gcos.init();
    await asHost(estate.url, 'create table law_catalog (code text primary key)');
    const report = await estate.gcos.doctor();
    expect(report.lines.filter((line) => line.detail.includes('select on law_catalog'))).toHaveLength(6);
    expect(report.usable).toBe(false);
    const { applied, granted, rows } = await estate.gcos.upgrade();
    expect(applied).toEqual([]);
    expect(granted.map(({ relation, grantee, privilege }) => `${privilege} ${relation} ${grantee}`)).toEqual(
      ['owner', 'reader', 'worker', 'api', 'server', 'pruner'].map(
        (role) => `select law_catalog gcos_${role}`,
      ),
    );
    expect(rows.map(({ table }) => table)).toEqual([]);
    expect(await estate.gcos.upgrade()).toEqual({ applied: [], granted: [], rows: [] });
    expect((await estate.gcos.doctor()).usable).toBe(true);
    await estate.gcos.uninstall();
    await asHost(estate.url, 'drop table law_catalog');
    expect(await estate.gcos.dumpSchema()).toBe(before);
  });

  it('refuses a schema with a foreign table that has the name of a GCOS table', async () => {
    const estate = await host();
    await asHost(estate.url, 'create table governance_group (mine text)');
    await expect(estate.gcos.init()).rejects.toMatchObject({ code: 'schema_foreign', exit: 4 });
  });

  it('is not disturbed by a table of the host with the name of a table that carries trust', async () => {
    const estate = await host();
    await asHost(estate.url, 'create table public.governance_setting (mine text)');
    await estate.gcos.init();
    expect((await estate.gcos.status()).schema).toBe('current');
    await estate.gcos.uninstall();
    expect(await asHost(estate.url, 'select from public.governance_setting')).toEqual([]);
  });

  it('refuses a schema for what carries trust that another role made', async () => {
    const estate = await host();
    await asHost(estate.url, 'create schema gcos_trust');
    await expect(estate.gcos.init()).rejects.toMatchObject({ code: 'schema_foreign', exit: 4 });
  });

  it('writes no file for a newer schema', async () => {
    const estate = await host('installed');
    await asHost(
      estate.url,
      "insert into gcos_migration values ('core', 9999, 'later', 'x', now(), 'x', 'gcos')",
    );
    await expect(estate.gcos.initFiles({}, { forward: 'a', reverse: 'b' })).rejects.toMatchObject({
      code: 'schema_newer',
    });
  });
});

describe('schema dump', () => {
  it.each([
    [
      'a partition',
      'create table part (id int) partition by range (id); create table part_1 partition of part for values from (1) to (2)',
      'alter table part detach partition part_1',
    ],
    ['a sequence', 'create sequence s', 'alter sequence s increment 7'],
    [
      'a type',
      "create type t as enum ('a')",
      'grant usage on type t to postgres with grant option; revoke usage on type t from public',
    ],
    ['a composite type', 'create type c as (a int)', 'alter type c add attribute b int'],
    ['statistics', 'select 1', 'create statistics st on collection_name, status from birth_registry'],
    ['a comment', 'select 1', "comment on column birth_registry.status is 'x'"],
    ['replica identity', 'select 1', 'alter table birth_registry replica identity full'],
    ['a column privilege', 'select 1', 'grant update (status) on birth_registry to public'],
    [
      'a disabled trigger',
      'create function f() returns trigger language plpgsql as $$ begin return new; end $$; create trigger g before insert on birth_registry for each row execute function f()',
      'alter table birth_registry disable trigger g',
    ],
  ])('shows a change of %s', async (_, prepare, change) => {
    const { gcos, url } = await host();
    await asHost(url, prepare);
    const before = await gcos.dumpSchema();
    await asHost(url, change);
    expect(await gcos.dumpSchema()).not.toBe(before);
  });

  it('fails for a schema that does not exist', async () => {
    const { url } = await host();
    const gcos = await openAs(url, { GCOS_SCHEMA: 'typo' });
    await expect(gcos.dumpSchema()).rejects.toMatchObject({ code: 'schema_missing', exit: 4 });
  });
});
