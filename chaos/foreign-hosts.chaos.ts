// The whole life of GCOS beside hosts that are not the demo host as built: doctor, init, up, worker, ledger,
// gate and uninstall, each as a command, and afterwards the schema is byte for byte what it was. The host
// inside a real Directus runs only if GCOS_DIRECTUS names a folder with Directus; the one behind PgBouncer,
// only where PgBouncer is installed.
import { afterEach, expect, inject, it } from 'vitest';
import { buildEstate, estateTables } from '../src/demo/index.js';
import { runCli } from '../test/support/cli.js';
import { asHost, createDatabase, openDatabase, type TestDatabase } from '../test/support/database.js';
import { hasPgBouncer, startPgBouncer } from '../test/support/pgbouncer.js';
import { directus, hasDirectus } from './directus.js';

const ROWS = Number(process.env['GCOS_CHAOS_ROWS'] ?? '20000');
if (!hasPgBouncer) console.warn('skipped: a host behind PgBouncer (apt install pgbouncer)');

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function newDatabase(): Promise<TestDatabase> {
  const database = await createDatabase();
  open.push(database);
  return database;
}

async function build(url: string, schema: string): Promise<void> {
  const db = openDatabase(url, { schema });
  await buildEstate(db, { rows: ROWS });
  await db.close();
}

type Host = Readonly<Record<string, string>> & { readonly DATABASE_URL: string };

/** Runs a command and prints how long it took; fails if its exit code is another. */
async function gcos(host: Host, command: string, exit = 0): Promise<string> {
  const started = performance.now();
  const result = await runCli(command.split(' '), { env: host });
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  console.log(`  gcos ${command}: exit ${result.exit}, ${seconds} s`);
  expect(result.exit, `gcos ${command}\n${result.stdout.slice(-2_000)}\n${result.stderr}`).toBe(exit);
  return result.stdout;
}

/** The whole life of GCOS beside `host`. `member`: an object of it that GCOS explains. */
async function live(host: Host, member = 'dot_tools DOT-118'): Promise<void> {
  const before = await gcos(host, 'schema dump');
  console.log(`  ${(await gcos(host, 'doctor')).trim().split('\n').at(-1)}`);
  await gcos(host, 'init');
  expect(JSON.parse(await gcos(host, 'upgrade --json'))).toEqual({ applied: [], granted: [], rows: [] });
  // The host is a demo estate, whatever became of it: this also registers people and puts the rules into
  // force.
  const { status } = JSON.parse(await gcos(host, 'up --demo --yes --json --quiet'));
  expect(status).toMatchObject({ accounted: { answer: 'yes' }, current: { answer: 'yes' } });
  await gcos(host, 'worker run --once');
  await gcos(host, 'ledger verify');
  expect(JSON.parse(await gcos(host, 'gate check dot_tools DOT-118 --json'))).toMatchObject({
    decisions: [{ answer: 'allow' }],
  });
  expect(JSON.parse(await gcos(host, `explain ${member} --json`)).scopes.length).toBeGreaterThan(0);
  await gcos(host, 'uninstall', 3);
  await gcos(host, 'uninstall --yes --purge');
  expect(await gcos(host, 'schema dump')).toBe(before);
}

it.skipIf(!hasDirectus)('beside a host inside a real Directus', async () => {
  const { url } = await newDatabase();
  const host = { DATABASE_URL: url };
  await directus(url, 'bootstrap');
  const alone = await gcos(host, 'schema dump');
  console.log(`  Directus: ${alone.match(/^relation directus_\w+/gm)?.length} relations`);
  // A demo estate is only built in an empty schema: it moves into that of Directus afterwards.
  await gcos(host, 'demo build --rows 2000 --yes', 3);
  await build(url, 'estate');
  await asHost(
    url,
    `${estateTables.map((table) => `alter table estate.${table} set schema public;`).join('\n')}
     drop schema estate;
     insert into directus_collections (collection, note) values ('birth_registry', 'born objects'), ('dot_tools', 'tools')`,
  );
  await live(host);
  await gcos(host, 'demo drop --yes');
  expect(await gcos(host, 'schema dump')).toBe(alone);
});

it('beside a host with narrower checks and other scopes', async () => {
  const { url } = await newDatabase();
  await build(url, 'public');
  const streams = `('comment', 'review', 'update', 'birth', 'task', 'alert', 'health')`;
  await asHost(
    url,
    `alter table event_type_registry
       add check (event_stream in ${streams}) not valid, add check (delivery_lane in ('immediate', 'delayed')) not valid,
       add check (default_severity in ('info', 'warning', 'critical')) not valid;
     alter table event_outbox
       add check (event_stream in ${streams}) not valid, add check (delivery_lane in ('immediate', 'delayed')) not valid,
       add check (event_severity in ('info', 'warning', 'critical')) not valid;
     alter table system_issues
       add check (severity in ('info', 'warning', 'critical')) not valid, add check (status in ('open', 'closed')) not valid;
     alter table registry_changelog add check (alert_level in ('none', 'warning', 'critical')) not valid;
     insert into governance_responsibility_scope (scope_code, default_owner_hint, status)
       select case scope_code when 'render' then 'Delivery' else 'assurance' end, default_owner_hint, status
       from governance_responsibility_scope where scope_code in ('render', 'audit');
     update governance_object_ownership set scope = case scope when 'render' then 'Delivery' else 'assurance' end
       where scope in ('render', 'audit');
     update exception_registry set scope = case scope when 'render' then 'Delivery' else 'assurance' end
       where scope in ('render', 'audit');
     update coverage_profile p set required_links = (
       select jsonb_object_agg(case e.key when 'render' then 'Delivery' when 'audit' then 'assurance' else e.key end, e.value)
       from jsonb_each(p.required_links) e) where p.required_links <> '{}';
     delete from governance_responsibility_scope where scope_code in ('render', 'audit')`,
  );
  await live({ DATABASE_URL: url });
});

it('beside a host in another schema, with mixed-case names', async () => {
  const { url } = await newDatabase();
  await build(url, 'Platform');
  // The registry of policies gets such a name too, and every text that names it follows.
  await asHost(
    url,
    `set search_path = "Platform";
     alter table policy_registry rename to "PolicyRegistry";
     do $$
     declare
       each record;
     begin
       for each in
         select c.oid::regclass as relation, a.attname
         from pg_class c join pg_attribute a on a.attrelid = c.oid
         where c.relnamespace = '"Platform"'::regnamespace and c.relkind = 'r' and a.attnum > 0
           and not a.attisdropped and a.attgenerated = '' and a.atttypid = 'text'::regtype
       loop
         execute format('update %s set %I = %L where %I = %L', each.relation, each.attname, 'PolicyRegistry', each.attname, 'policy_registry');
       end loop;
     end $$`,
  );
  const [policy] = await asHost(
    url,
    `select entity_code as code from "Platform".birth_registry where collection_name = 'PolicyRegistry' order by id limit 1`,
  );
  await live({ DATABASE_URL: url, GCOS_SCHEMA: 'Platform' }, `PolicyRegistry ${policy?.['code']}`);
  expect(await asHost(url, `select from pg_class where relnamespace = 'public'::regnamespace`)).toEqual([]);
});

it.skipIf(!hasPgBouncer)('beside a host behind PgBouncer in transaction mode', async () => {
  const { url, name } = await newDatabase();
  await build(url, 'public');
  const bouncer = await startPgBouncer(inject('serverUrl'));
  open.push({ close: () => bouncer.stop() });
  await live({ DATABASE_URL: bouncer.url.replace(/[^/]*$/, name) });
});
