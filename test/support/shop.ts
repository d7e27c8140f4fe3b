// An ordinary shop as a source: 20 tables with foreign keys, partitions, quoted and mixed-case names, a table
// called `select`, generated columns, an extension's objects. Nothing in it knows GCOS.
import { randomBytes } from 'node:crypto';
import type { SourceObject } from '../../src/source/object/index.js';
import { openPostgresSource, type PostgresSourceOptions } from '../../src/source/postgres/index.js';
import { asHost, createDatabase, ROLE_PASSWORD, type TestDatabase, urlFor } from './database.js';

const SHOP = `
create extension hstore;
create extension pg_stat_statements;
create schema sales;
create type order_status as enum ('new', 'paid', 'sent');
create domain email_text as text check (value like '%@%');
create type sales.money_range as range (subtype = numeric);
create type point3 as (x integer, y integer, z integer);
create table customers (id bigint generated always as identity primary key, email text not null unique, first_name text,
  "lastName" text, birth_date date, email_verified boolean, contact email_text, created_at timestamptz default now());
comment on table customers is e'@owner team-crm\\n@classification personal\\nPeople who buy.';
comment on column customers.email is '@classification personal';
create table addresses (id bigint primary key, customer_id bigint not null references customers, street text, postal_code text);
create table categories (id integer primary key, parent_id integer references categories, name text);
create index on categories (parent_id);
create table products (id integer primary key, category_id integer references categories, name text, price numeric,
  price_with_tax numeric generated always as (price * 1.2) stored, tags hstore);
create index on products (category_id);
create table stock (product_id integer references products, warehouse_id integer, amount integer, primary key (product_id, warehouse_id));
create table warehouses (id integer primary key, name text);
create table orders (id bigint primary key, customer_id bigint references customers, status order_status, placed_at timestamptz);
create table order_items (order_id bigint references orders, line integer, product_id integer references products, primary key (order_id, line));
create table payments (id bigint, paid_on date, iban text, amount numeric, primary key (id, paid_on)) partition by range (paid_on);
create table payments_2025 partition of payments for values from ('2025-01-01') to ('2026-01-01');
create table payments_2026 partition of payments for values from ('2026-01-01') to ('2027-01-01') partition by list (id);
create table payments_2026_rest partition of payments_2026 default;
create table invoices (id bigint primary key, order_id bigint references orders);
create table "select" ("from" integer primary key, "Where" text);
create table "Mixed Case" ("Id" integer primary key, "Phone Number" text);
create table sales.campaigns (id integer primary key, name text);
create table sales.coupons (code text, campaign_id integer references sales.campaigns);
create table sessions (id uuid primary key, customer_id bigint references customers, client inet);
create unlogged table carts (id uuid primary key, customer_id bigint);
create table reviews (id bigint primary key, product_id integer references products, body text);
create table tickets (id bigint primary key, customer_id bigint references customers);
create table audit_log (at timestamptz, what text);
create table settings (key text primary key, value text);
create view customer_names as select id, first_name from customers;
create materialized view product_prices as select id, price from products;
create function total(order_id bigint) returns numeric language sql as 'select 1.0';
create function total(order_id integer, variadic more text[]) returns numeric language sql as 'select 2.0';
create procedure close_day(day date) language sql as 'select 1';
create function touch() returns trigger language plpgsql as 'begin return new; end';
create aggregate any_of(boolean) (sfunc = boolor_statefunc, stype = boolean);
create aggregate rows_of(*) (sfunc = int8inc, stype = bigint, initcond = '0');
create trigger touch before update on orders for each row execute function touch();
create trigger touch before update on payments for each row execute function touch();
create trigger moved after insert or update of email on customers for each row when (new.email like '%@example.org') execute function touch();
alter table customers enable row level security;
create policy own_row on customers for select to public using (email = current_user);
create publication orders_out for table orders, order_items;
`;

export interface Shop extends TestDatabase {
  /** A login that may connect, and nothing else. */
  readonly reader: string;
  readonly readerUrl: string;
}

/** A database with the shop, and `more` in it. */
export async function createShop(
  more = '',
  options: { readonly serverUrl?: string; readonly schema?: string } = {},
): Promise<Shop> {
  const database = await createDatabase(options);
  const reader = `reader_${randomBytes(6).toString('hex')}`;
  await asHost(
    database.url,
    `${options.schema ?? SHOP}; create role ${reader} login password '${ROLE_PASSWORD}' noinherit;
     revoke all on database ${database.name} from public; grant connect on database ${database.name} to ${reader}; ${more}`,
  );
  return {
    ...database,
    reader,
    readerUrl: urlFor(database.url, { user: reader, password: ROLE_PASSWORD }),
    async close() {
      await database.close();
      await asHost(urlFor(database.url, { database: 'postgres' }), `drop role ${reader}`);
    },
  };
}

/** Everything that the source at `url` reads. */
export async function readSource(
  url: string,
  options: Partial<PostgresSourceOptions> = {},
): Promise<readonly SourceObject[]> {
  const source = openPostgresSource({
    target: { kind: 'url', url },
    connectTimeoutMs: 10_000,
    statementTimeoutMs: 60_000,
    ...options,
  });
  try {
    const objects: SourceObject[] = [];
    for await (const each of source.read()) objects.push(each);
    return objects;
  } finally {
    await source.close?.();
  }
}

/** The object of a class with this code. */
export function objectOf(objects: readonly SourceObject[], kind: string, code: string): SourceObject {
  const found = objects.find((each) => each.class === kind && each.code === code);
  if (found === undefined) throw new Error(`the source has no ${kind} ${code}`);
  return found;
}
