// The kit `postgres-baseline`: each detector finds its flaw in a real database and nothing in a sound one,
// and each statement that fixes it executes as it is and makes the detector pass.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quoteLiteral } from '../../src/db/index.js';
import { countingQuery, kit, kitHash, listingQuery, withOverrides } from '../../src/source/kit/index.js';
import { visibleStatement } from '../../src/source/postgres/index.js';
import { asHost, createDatabase, type TestDatabase } from '../support/database.js';
import { createShop, readSource, type Shop } from '../support/shop.js';

const suffix = randomBytes(6).toString('hex');
const ADMIN = `Admin "x" ${suffix}`;
const SYNC = `sync_${suffix}`;
const OWNER = `Shop Owner ${suffix}`;
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** One flaw for each detector, under names that need quotes. */
const FLAWS = `
create role ${quoted(ADMIN)} login superuser;
create role ${SYNC} login bypassrls;
create role ${quoted(OWNER)} login;
create schema "Bad ""Place""";
grant create, usage on schema "Bad ""Place""" to public;
create table "Bad ""Place"""."Log" (id text, row_id text, "At" timestamptz);
create table "Bad ""Place"""."Line" (id bigint primary key, "Order Id" bigint references orders, part bigint, of bigint);
create unlogged table "Bad ""Place"""."Fast" (id integer primary key);
create table "Bad ""Place"""."People" (id integer primary key, email text, phone text);
grant select on "Bad ""Place"""."People" to public;
grant select (email) on customers to public;
grant update on settings to public;
create table "Bad ""Place"""."Hidden" (id integer primary key);
alter table "Bad ""Place"""."Hidden" enable row level security;
create table "Bad ""Place"""."Open" (id integer primary key);
create policy nobody on "Bad ""Place"""."Open" using (false);
create trigger "Off" before update on "Bad ""Place"""."Open" for each row execute function touch();
alter table "Bad ""Place"""."Open" disable trigger "Off";
create table "Bad ""Place"""."Owned" (id integer primary key);
alter table "Bad ""Place"""."Owned" owner to ${quoted(OWNER)};
create table "Bad ""Place"""."Never" (id integer primary key) with (autovacuum_enabled = false);
insert into "Bad ""Place"""."Never" select generate_series(1, 5000);
create function "Bad ""Place"""."Grant It"("how much" integer) returns integer language sql security definer as 'select 1';
create procedure "Bad ""Place""".pay(integer) language sql security definer as 'select 1';
create foreign data wrapper w${suffix};
create server "Else where" foreign data wrapper w${suffix} options (host 'h', "Api_Key" 'x');
create foreign table "Bad ""Place"""."Far" (id integer) server "Else where" options (password 'x', file 'f');
create foreign table "Bad ""Place"""."Farther" (id integer) server "Else where";
create subscription "Sub" connection 'host=nowhere password=secret' publication p with (connect = false, slot_name = none);`;

const document = kit('postgres-baseline', 1);

describe('postgres-baseline', () => {
  let shop: Shop;
  let home: TestDatabase;
  beforeAll(async () => {
    shop = await createShop(FLAWS);
    // An index that could not be built, and statistics that have arrived.
    await asHost(
      shop.url,
      `insert into stock (product_id, warehouse_id) select null, 1 where false;
       insert into audit_log values (now(), 'same'), (now(), 'same');
       select pg_stat_force_next_flush()`,
    );
    await asHost(shop.url, 'create unique index concurrently "Twice" on audit_log (what)').catch(
      () => undefined,
    );
    home = await createDatabase();
    await asHost(
      home.url,
      `create table gcos_source_object (source_id integer default 1, object_class text, code text, identity text,
         parent_class text, parent_code text, attributes jsonb, links jsonb, status text default 'active')`,
    );
  });
  afterAll(async () => {
    await asHost(shop.url, `drop subscription if exists "Sub"; drop owned by ${quoted(OWNER)}`);
    await home.close();
    await shop.close();
    const owners = await asHost(
      home.url.replace(home.name, 'postgres'),
      `select rolname from pg_roles where rolname in (${[ADMIN, SYNC, OWNER].map(quoteLiteral).join(', ')}) or rolname like 'Shop Owner %owner%'`,
    );
    for (const { rolname } of owners)
      await asHost(home.url.replace(home.name, 'postgres'), `drop role ${quoted(String(rolname))}`).catch(
        () => undefined,
      );
  });

  /** What the detectors list of the shop, read by its owner, who may see connections. */
  async function found(): Promise<Record<string, { code: string; reason: string; fix: string | null }[]>> {
    const objects = (await readSource(shop.url)).filter(
      (each) => each.class !== 'role' || [ADMIN, SYNC, OWNER].includes(String(each.attributes['name'])),
    );
    const rows = objects.map(({ parent, class: object_class, ...each }) => ({
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
    const lists: Record<string, { code: string; reason: string; fix: string | null }[]> = {};
    for (const detector of document.detectors) {
      const counting = countingQuery(detector);
      const listed = await asHost(home.url, listingQuery(counting) ?? '');
      const [counted] = await asHost(home.url, counting);
      expect(Number(counted?.['count'])).toBe(listed.length);
      if (listed.length > 0)
        lists[detector.id] = listed as { code: string; reason: string; fix: string | null }[];
    }
    return lists;
  }

  it('finds each flaw, and its statements repair each that a statement can', async () => {
    const before = await found();
    const place = '"Bad ""Place"""';
    expect(
      Object.fromEntries(
        Object.entries(before).map(([id, rows]) => [id, rows.map((row) => row.code).sort()]),
      ),
    ).toEqual({
      definer_search_path: [`${place}."Grant It"(integer)`, `${place}.pay(integer)`],
      definer_superuser: [`${place}."Grant It"(integer)`, `${place}.pay(integer)`],
      personal_data_public: [`${place}."People".email`, `${place}."People".phone`],
      public_writes: ['public.settings'],
      public_creates: [place],
      superuser_login: [quoted(ADMIN)],
      bypass_rls_login: [SYNC],
      login_owns_tables: [quoted(OWNER)],
      table_option_secret: [`${place}."Far"`],
      server_option_secret: [`${place}."Far"`],
      subscription_password: ['"Sub"'],
      rls_without_policy: [`${place}."Hidden"`],
      policy_without_rls: [`${place}."Open"`],
      trigger_disabled: [`"Off" on ${place}."Open"`],
      primary_key_missing: [`${place}."Log"`, 'public.audit_log', 'sales.coupons'].sort(),
      foreign_key_unindexed: expect.arrayContaining([`${place}."Line"`, 'public.orders', 'public.invoices']),
      index_invalid: ['public.audit_log'],
      never_analyzed: [`${place}."Never"`],
      table_unlogged: [`${place}."Fast"`, 'public.carts'],
    });
    // The duplicate that has stopped the index.
    await asHost(shop.url, 'delete from audit_log');
    for (const { fix } of Object.values(before).flat())
      if (fix !== null) await asHost(shop.url, visibleStatement(fix));
    expect(Object.keys(await found())).toEqual(['subscription_password']);
  });

  it('has a column readable by everyone only through the privilege of the column, and its policies apply', async () => {
    // customers.email was granted to PUBLIC and has row-level security: the policies decide.
    const email = (await readSource(shop.url)).find((each) => each.code === 'public.customers.email');
    expect(email?.attributes).toMatchObject({ public_readable: true, row_security: true });
  });
});

describe('a kit', () => {
  it('of a released version never changes', () => {
    expect(kitHash(document)).toMatchInlineSnapshot(`"d7989a567c0f"`);
  });

  it('names its newest version by default, and refuses what there is not', () => {
    expect(kit('postgres-baseline')).toEqual(document);
    expect(() => kit('postgres-basline')).toThrow(/did you mean `postgres-baseline`/);
    expect(() => kit('postgres-baseline', 99)).toThrow(expect.objectContaining({ code: 'kit_unknown' }));
  });

  it('takes overrides of what it has, and refuses others', () => {
    const chosen = withOverrides(document, {
      profiles: {
        table: { risk: 'write_high', ttl: 'P1D', links: { ownership: ['owner'], exchange: ['approval'] } },
      },
      detectors: { table_unlogged: { enabled: false }, never_analyzed: { severity: 'high' } },
    });
    expect(chosen.profiles.find((each) => each.class === 'table')).toEqual({
      class: 'table',
      risk: 'write_high',
      ttl: 'P1D',
      inherits: false,
      links: { ownership: ['owner'], exchange: ['approval'] },
    });
    expect(chosen.disabled).toEqual(['table_unlogged']);
    expect(chosen.detectors.find((each) => each.id === 'never_analyzed')?.severity).toBe('high');
    for (const wrong of [
      { profiles: { tabel: {} } },
      { profiles: { table: { ttl: '7 days' } } },
      { profiles: { table: { links: { ownershp: ['owner'] } } } },
      { profiles: { table: { links: { ownership: ['boss'] } } } },
      { detectors: { unlogged: { enabled: false } } },
      { detector: {} },
    ])
      expect(() => withOverrides(document, wrong as never)).toThrow(
        expect.objectContaining({ code: 'kit_invalid' }),
      );
  });

  it('lists only what a measurement of a kit counts', () => {
    expect(listingQuery('select count(*) from orders')).toBeUndefined();
    expect(listingQuery('select count(*) from (\nselect secret from t\n) as found')).toBeUndefined();
  });
});
