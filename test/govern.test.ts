// `gcos govern` on an ordinary shop, as a user runs it: the first report, what changed since, and the check
// in a pipeline. The shop has a server of its own, so its roles are those of a shop; the login may only
// connect.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asHost, urlFor } from './support/database.js';
import { runHere } from './support/in-process.js';
import { startServer, type TestServer } from './support/server.js';
import { createShop, type Shop } from './support/shop.js';

let server: TestServer;
let home: TestServer;
let shop: Shop;

beforeAll(async () => {
  [server, home] = await Promise.all([startServer(), startServer()]);
  shop = await createShop('', { serverUrl: server.url });
});
afterAll(async () => {
  await shop.close();
  await Promise.all([server.stop(), home.stop()]);
});

/** Everything that defines the shop, with the transaction that wrote it. */
const definition = () =>
  asHost(
    shop.url,
    `select 'class' as what, c.oid::text as id, c.relname || c.relkind::text || c.relfilenode || coalesce(c.relacl::text, '') as text from pg_class c
     union all select 'column', a.attrelid || ' ' || a.attnum, a.xmin || a.attname from pg_attribute a
     union all select 'routine', p.oid::text, p.xmin || p.proname from pg_proc p
     union all select 'comment', d.objoid || ' ' || d.objsubid, d.xmin || d.description from pg_description d
     union all select 'role', r.oid::text, r.xmin || r.rolname from pg_authid r
     order by 1, 2`,
  );

/** Every row of a verdict and of a source, with the transaction that wrote it. */
const stateRows = () =>
  asHost(
    home.url,
    `select 'group' as what, xmin::text as by, row_id::text as id from governance_candidate_state
     union all select 'object', xmin::text, row_id::text from governance_candidate_object
     union all select 'birth', xmin::text, collection_name || ' ' || entity_code from birth_registry
     union all select 'member', xmin::text, object_class || ' ' || code from gcos_source_object
     union all select 'audit', xmin::text, id::text from registry_changelog
     union all select 'owner', xmin::text, id::text from governance_object_ownership
     order by 1, 3`,
  );

const run = (...args: string[]) =>
  runHere(args, { SHOP_URL: shop.readerUrl, GCOS_HOME: home.home, DATABASE_URL: undefined });
async function govern(...args: string[]) {
  const { exit, stdout, stderr } = await run('govern', 'env:SHOP_URL', '--name', 'shop', ...args);
  return { exit, stdout, stderr, report: args.includes('--json') ? JSON.parse(stdout) : undefined };
}

// One history: each test goes on where the one before it ended.
describe('gcos govern', { shuffle: false }, () => {
  it('closes the ledger over a database that it only reads, and says what would help most', async () => {
    const before = await definition();
    const { exit, stdout, stderr } = await govern();
    expect(exit, stdout + stderr).toBe(0);
    expect(stdout).toMatch(/^shop: 20 tables, 65 columns, 1 view, 11 functions, 2 roles, 3 extensions /);
    expect(stdout).toMatch(/ledger closes in 4 scopes; verified 100 %, covered 4 %/);
    expect(stdout).toMatch(/19 tables: name an owner +COMMENT ON TABLE public\.\S.* IS '@owner team-crm';/);
    expect(stdout).toMatch(/tables, medium: primary key missing +ALTER TABLE .* PRIMARY KEY;/);
    expect(await definition()).toEqual(before);
  });

  it('writes no state row when nothing changed', async () => {
    const before = await stateRows();
    const { exit, report, stderr, stdout } = await govern('--json');
    expect(exit, stdout + stderr).toBe(0);
    expect(report).toMatchObject({
      sync: { changed: false },
      ruleset: { activated: false },
      scan: { changed: 0, evaluated: 0 },
    });
    expect(await stateRows()).toEqual(before);
    expect((await govern()).stdout).toMatch(/since the last run: nothing changed; 0 rows written/);
  });

  it('evaluates only the groups of what a comment changed', async () => {
    await asHost(shop.url, `comment on table sales.campaigns is '@owner team-sales'`);
    const { report } = await govern('--json');
    // The table, and its columns, whose owner it names.
    expect(report.sync.classes.filter((each: { changed: number }) => each.changed > 0)).toMatchObject([
      { class: 'column', changed: 2 },
      { class: 'table', changed: 1 },
    ]);
    // With the owner as a body of its own.
    expect(report.scan.evaluated).toBe(4);
    expect(report.estate.gaps.map((each: { code: string }) => each.code)).not.toContain('sales.campaigns');
  });

  it('is kept up to date by the worker, which finds the address where the source says', async () => {
    await asHost(shop.url, `comment on table sales.coupons is '@owner team-sales'`);
    await asHost(
      home.url,
      `update gcos_trust.governance_setting set setting_value = '{"minutes": 0.0001}' where setting_key = 'source.cadence'`,
    );
    const worker = (variables: Record<string, string | undefined>) =>
      runHere(['worker', 'run', '--once'], { GCOS_HOME: home.home, DATABASE_URL: undefined, ...variables });
    const state = async () => JSON.parse((await run('source', 'list', '--json')).stdout).sources[0];
    await worker({ SHOP_URL: undefined });
    expect((await state()).failure).toMatchObject({
      code: 'source_unreadable',
      message: expect.stringContaining('SHOP_URL is not set'),
    });
    await worker({ SHOP_URL: shop.readerUrl });
    expect(await state()).toMatchObject({ failure: null, config: { env: 'SHOP_URL' } });
    const { report } = await govern('--json');
    expect(report.sync.changed).toBe(false);
    expect(report.estate.gaps.map((each: { code: string }) => each.code)).not.toContain('sales.coupons');
  });

  it('keeps a dropped table as a tombstone, and the ledger closes', async () => {
    await asHost(shop.url, 'drop table audit_log');
    const { exit, stdout } = await govern();
    expect(exit, stdout).toBe(0);
    expect(stdout).toMatch(/since the last run: .*1 table gone/);
    const ledger = JSON.parse((await run('ledger', 'verify', '--json')).stdout);
    expect(ledger.closes).toBe(true);
    const owned = ledger.scopes.find((each: { scope: string }) => each.scope === 'ownership');
    // The table, and the container of its columns.
    expect(owned).toMatchObject({ retired: 2 });
  });

  it('stops when half of the tables are missing, and changes nothing', async () => {
    const tables =
      'invoices, reviews, tickets, carts, sessions, settings, stock, warehouses, "select", "Mixed Case", addresses';
    await asHost(
      shop.url,
      `create schema aside; ${tables
        .split(', ')
        .map(
          (each) =>
            `alter table ${each} rename to "${each.replaceAll('"', '')} away"; drop table "${each.replaceAll('"', '')} away" cascade`,
        )
        .join('; ')}`,
    );
    const before = await stateRows();
    const { exit, stdout, stderr } = await govern();
    expect([exit, stderr + stdout]).toEqual([1, expect.stringContaining('source_shrank')]);
    expect(await stateRows()).toEqual(before);
    expect((await govern('--accept-shrink')).exit).toBe(0);
  });

  interface Blocked {
    readonly code: string;
    readonly statement: string | null;
  }
  const check = async (...args: string[]) => govern('--check', ...args);
  const blockedNow = async (): Promise<readonly Blocked[]> => (await check('--json')).report.blocked;

  it('passes once each printed statement was executed as it is', async () => {
    await asHost(shop.url, `comment on publication orders_out is '@approval https://example.org/1'`);
    const first = await check('--json');
    expect(first.exit, first.stdout).toBe(2);
    const blocked = first.report.blocked as readonly Blocked[];
    expect(blocked.filter((each) => each.statement === null)).toEqual([]);
    for (const statement of new Set(blocked.map((each) => each.statement ?? '')))
      await asHost(shop.url, statement);
    const rest = await blockedNow();
    expect(rest).toEqual([]);
  });

  it('blocks a migration that adds a table without an owner, in every format', async () => {
    expect((await check()).exit).toBe(0);
    await asHost(shop.url, 'create table "New Table" (id integer primary key)');
    const { exit, stdout } = await check();
    expect(exit).toBe(2);
    const statement = /^ {4}(COMMENT ON TABLE .*;)$/m.exec(stdout)?.[1] ?? '';
    expect(statement).toBe(`COMMENT ON TABLE public."New Table" IS '@owner team-crm';`);
    const sarif = JSON.parse((await check('--format', 'sarif')).stdout);
    const errors = sarif.runs[0].results.filter((each: { level: string }) => each.level === 'error');
    expect(errors).toMatchObject([{ properties: { fix: statement } }]);
    expect((await check('--format', 'junit')).stdout).toContain('<failure type="orphan"');
    expect((await check('--format', 'github')).stdout).toContain('::error title=gcos%3A orphan::');
    await asHost(shop.url, statement);
    expect((await check()).exit).toBe(0);
  });

  it('refuses to write to the database that it reads, and keeps no password', async () => {
    const same = await runHere(['govern', shop.readerUrl, '--home', shop.url]);
    expect([same.exit, same.stderr]).toEqual([
      3,
      expect.stringContaining('--home names the database that is to be read'),
    ]);
    const given = await run('source', 'add', 'other', 'postgres', shop.readerUrl);
    expect([given.exit, given.stderr]).toEqual([3, expect.stringMatching(/password[\s\S]*env:NAME/)]);
    const once = await run('govern', shop.readerUrl, '--name', 'again');
    expect([once.exit, once.stderr]).toEqual([0, expect.stringContaining('is not stored')]);
    const { password } = new URL(shop.readerUrl);
    expect(
      await asHost(
        home.url,
        `select count(*)::int as held from gcos_source where strpos(config::text, '${password}') > 0`,
      ),
    ).toEqual([{ held: 0 }]);
  });

  it('creates no home for an address that it cannot find', async () => {
    await asHost(home.url, 'create database empty_home');
    const empty = urlFor(home.url, { database: 'empty_home' });
    const refused = await runHere(['govern', 'env:NOT_SET', '--name', 'shop', '--home', empty]);
    expect([refused.exit, refused.stderr]).toEqual([1, expect.stringContaining('NOT_SET is not set')]);
    expect(await asHost(empty, "select 1 from pg_class where relnamespace = 'public'::regnamespace")).toEqual(
      [],
    );
  });
});
