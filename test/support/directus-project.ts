// A Directus project as a source: the system tables that matter, as Directus 11 and Directus 10 create them,
// with a small shop in it, and one flaw for each detector. Names are hostile where Directus allows it.
import { openDirectusSource } from '../../src/source/directus/index.js';
import type { SourceObject } from '../../src/source/object/index.js';
import { asHost } from './database.js';
import { createShop, type Shop } from './shop.js';

const COMMON = `
create table directus_collections (collection varchar(64) primary key, icon varchar(64), note text, hidden boolean not null default false,
  singleton boolean not null default false, accountability varchar(255) default 'all', sort integer,
  "group" varchar(64) references directus_collections, collapse varchar(255) not null default 'open', versioning boolean not null default false);
create table directus_users (id uuid primary key, email varchar(255) unique, password varchar(255), token varchar(255), role uuid, nickname text);
create table directus_flows (id uuid primary key, name varchar(255) not null, description text, status varchar(255) not null default 'active',
  trigger varchar(255), accountability varchar(255) default 'all', options json, operation uuid unique, user_created uuid references directus_users);
create table directus_operations (id uuid primary key, name varchar(255), key varchar(255) not null, type varchar(255) not null,
  position_x integer not null default 0, position_y integer not null default 0, options json, resolve uuid unique references directus_operations,
  reject uuid unique references directus_operations, flow uuid not null references directus_flows on delete cascade);
create table directus_dashboards (id uuid primary key, name varchar(255) not null, icon varchar(64) not null default 'dashboard', note text);
create table directus_migrations (version varchar(255) primary key, name varchar(255) not null, timestamp timestamptz default now());
create table directus_settings (id serial primary key, project_name varchar(100));
`;
const FIELDS = `id serial primary key, collection varchar(64) not null, field varchar(64) not null, special varchar(64), interface varchar(64),
  options json, readonly boolean not null default false, hidden boolean not null default false, sort integer, note text,
  required boolean default false`;

const ELEVEN = `
create table directus_fields (${FIELDS}, searchable boolean not null default true);
create table directus_roles (id uuid primary key, name varchar(100) not null, icon varchar(64) not null default 'x', description text,
  parent uuid references directus_roles);
create table directus_policies (id uuid primary key, name varchar(100) not null, icon varchar(64) not null default 'badge', description text,
  ip_access text, enforce_tfa boolean not null default false, admin_access boolean not null default false, app_access boolean not null default false);
create table directus_access (id uuid primary key, role uuid references directus_roles on delete cascade, "user" uuid references directus_users,
  policy uuid not null references directus_policies on delete cascade, sort integer);
create table directus_permissions (id serial primary key, collection varchar(64) not null, action varchar(10) not null, permissions json,
  validation json, presets json, fields text, policy uuid not null references directus_policies on delete cascade);
create table directus_extensions (enabled boolean not null default true, id uuid primary key, folder varchar(255) not null,
  source varchar(255) not null, bundle uuid);
insert into directus_migrations values ('20260211A', 'Add Deployment Webhooks');
insert into directus_roles (id, name, description) values
  ('e6467ada-ed4b-4fcf-921b-01acd344101c', 'Administrator', '$t:admin_description'), ('00000000-0000-4000-8000-0000000000a1', 'Editors', null);
insert into directus_policies (id, name, description, admin_access, app_access) values
  ('abf8a154-5b1c-4a46-ac9c-7300570f4f17', '$t:public_label', '$t:public_description', false, false),
  ('5b2c5576-cfa6-4044-8071-41314fd65f3c', 'Administrator', '$t:admin_description', true, true),
  ('00000000-0000-4000-8000-0000000000b1', 'Editing', e'@owner team-content\\nWhat editors do.', false, true);
insert into directus_access (id, role, policy) values
  ('00000000-0000-4000-8000-0000000000c1', null, 'abf8a154-5b1c-4a46-ac9c-7300570f4f17'),
  ('00000000-0000-4000-8000-0000000000c2', 'e6467ada-ed4b-4fcf-921b-01acd344101c', '5b2c5576-cfa6-4044-8071-41314fd65f3c'),
  ('00000000-0000-4000-8000-0000000000c3', '00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-0000000000b1');
insert into directus_extensions (id, folder, source) values ('00000000-0000-4000-8000-0000000000d1', 'super-header', 'registry');
insert into directus_permissions (collection, action, fields, policy, permissions) values
  ('articles', 'read', '*', 'abf8a154-5b1c-4a46-ac9c-7300570f4f17', '{"status": {"_eq": "published"}}'),
  ('orders', 'read', 'id,total', '00000000-0000-4000-8000-0000000000b1', '{}');
`;

const TEN = `
create table directus_fields (${FIELDS});
create table directus_roles (id uuid primary key, name varchar(100) not null, icon varchar(30) not null default 'x', description text,
  ip_access text, enforce_tfa boolean not null default false, admin_access boolean not null default false, app_access boolean not null default true);
create table directus_permissions (id serial primary key, role uuid references directus_roles on delete cascade, collection varchar(64) not null,
  action varchar(10) not null, permissions json, validation json, presets json, fields text);
create table directus_webhooks (id serial primary key, name varchar(255) not null, method varchar(10) not null default 'POST',
  url varchar(255) not null, status varchar(10) not null default 'active', data boolean not null default true, actions varchar(100) not null,
  collections text not null, headers json);
create table directus_extensions (name varchar(255) primary key, enabled boolean not null default true);
insert into directus_migrations values ('20231215A', 'Add Focalpoints');
insert into directus_roles (id, name, description, admin_access, enforce_tfa) values
  ('e6467ada-ed4b-4fcf-921b-01acd344101c', 'Administrator', '$t:admin_description', true, true),
  ('00000000-0000-4000-8000-0000000000a1', 'Editors', '@owner team-content', false, false);
insert into directus_extensions (name) values ('super-header');
insert into directus_permissions (collection, action, fields, role) values
  ('articles', 'read', '*', null), ('orders', 'read', 'id,total', '00000000-0000-4000-8000-0000000000a1');
`;

const SHOP = `
create table articles (id serial primary key, title varchar(255), body text, status varchar(20));
create table orders (id serial primary key, customer integer, total numeric);
create table customers (id serial primary key, name varchar(255), email varchar(255), phone varchar(50));
create table "Weird ""Name"".x" (id serial primary key, "a.b" text, "E-Mail" text);
create table not_managed (id serial primary key);
create table directus_away (id integer);
insert into directus_collections (collection, note) values ('sales', e'@owner team-sales\\nEverything that is sold.');
insert into directus_collections (collection, note, "group") values
  ('orders', null, 'sales'), ('customers', e'@owner team-crm\\nPeople who buy.', 'sales'), ('articles', e'What is written. It''s \\u202ealive', null),
  ('Weird "Name".x', null, null);
insert into directus_fields (collection, field, special, note) values
  ('customers', 'email', null, '@classification personal'), ('customers', 'phone', null, null), ('orders', 'lines', 'o2m', null),
  ('articles', 'title', null, 'Shown above.'), ('directus_users', 'nickname', null, null);
insert into directus_flows (id, name, description, trigger) values
  ('00000000-0000-4000-8000-0000000000f1', 'Publish', e'@owner team-content\\nAt night.', 'schedule'),
  ('00000000-0000-4000-8000-0000000000f2', 'Same name', null, 'event'), ('00000000-0000-4000-8000-0000000000f3', 'Same name', null, 'event');
insert into directus_operations (id, key, type, flow, options) values
  ('00000000-0000-4000-8000-000000000011', 'read', 'item-read', '00000000-0000-4000-8000-0000000000f1', '{"collection": "articles", "permissions": "$trigger"}'),
  ('00000000-0000-4000-8000-000000000012', 'run', 'exec', '00000000-0000-4000-8000-0000000000f3', '{"code": "module.exports = () => 1"}');
insert into directus_dashboards (id, name) values ('00000000-0000-4000-8000-0000000000e1', 'Numbers');
`;

/** One flaw for each detector; those that only one version can have, by version. */
export const FLAWS = {
  both: `
insert into directus_flows (id, name, trigger, accountability) values
  ('00000000-0000-4000-8000-0000000001f1', 'Open ''door''', 'webhook', null);
insert into directus_operations (id, key, type, flow, options) values
  ('00000000-0000-4000-8000-000000000111', 'all', 'item-read', '00000000-0000-4000-8000-0000000001f1', '{"permissions": "$full"}'),
  ('00000000-0000-4000-8000-000000000112', 'code', 'exec', '00000000-0000-4000-8000-0000000001f1', '{"code": "1"}'),
  ('00000000-0000-4000-8000-000000000113', 'send', 'request', '00000000-0000-4000-8000-0000000001f1',
    '{"url": "HTTP://user:very-secret@partner.example/in", "headers": [{"header": "Authorization", "value": "Bearer very-secret"}, {"header": "X-Key-Token", "value": "{{$env.KEY}}"}]}'),
  ('00000000-0000-4000-8000-000000000114', 'near', 'request', '00000000-0000-4000-8000-0000000001f1', '{"url": "http://localhost:8055/x"}'),
  ('00000000-0000-4000-8000-000000000115', 'odd', 'request', '00000000-0000-4000-8000-0000000001f1', '[1, 2]');
alter table customers add column password varchar(255);
update directus_collections set accountability = null where collection = 'customers';
insert into directus_fields (collection, field) values ('articles', 'gone');
`,
  eleven: `
insert into directus_policies (id, name) values ('00000000-0000-4000-8000-0000000001b1', 'Spare ''one''');
insert into directus_permissions (collection, action, fields, policy) values
  ('customers', 'read', '*', 'abf8a154-5b1c-4a46-ac9c-7300570f4f17'), ('customers', 'read', 'email', 'abf8a154-5b1c-4a46-ac9c-7300570f4f17'),
  ('articles', 'update', '*', 'abf8a154-5b1c-4a46-ac9c-7300570f4f17'), ('directus_users', 'read', 'id', 'abf8a154-5b1c-4a46-ac9c-7300570f4f17'),
  ('customers', 'read', '*', '00000000-0000-4000-8000-0000000000b1'), ('dropped', 'read', 'id', '00000000-0000-4000-8000-0000000000b1');
update directus_policies set admin_access = true where name = '$t:public_label';
`,
  ten: `
update directus_roles set enforce_tfa = false;
insert into directus_webhooks (name, url, actions, collections, headers) values
  ('Partner', 'http://partner.example/?key=very-secret', 'create,update', 'orders', '[{"header": "X-Api-Key", "value": "very-secret"}]');
insert into directus_permissions (collection, action, fields, role) values
  ('customers', 'read', 'id,email', null), ('directus_roles', 'read', '*', null), ('orders', 'create', '*', null);
`,
} as const;

/** The columns of Directus that are read, and nothing else: not a user, not a setting. */
const TABLES = [
  'collections',
  'fields',
  'flows',
  'operations',
  'roles',
  'permissions',
  'dashboards',
  'extensions',
  'migrations',
];
const VERSION = { eleven: [...TABLES, 'policies', 'access'], ten: [...TABLES, 'webhooks'] };

export interface ProjectOptions {
  readonly serverUrl?: string;
  readonly more?: string;
  /** Where the tables are; default: public. */
  readonly place?: string;
  /** Without the right to read anything. */
  readonly denied?: boolean;
}

/** A database with a project of this version, and a login that may read its tables. */
export async function createProject(
  version: 'eleven' | 'ten',
  { serverUrl, more = '', place, denied = false }: ProjectOptions = {},
): Promise<Shop> {
  const schema = `${COMMON}${version === 'eleven' ? ELEVEN : TEN}${SHOP}${more}`;
  const project = await createShop('', { schema, ...(serverUrl === undefined ? {} : { serverUrl }) });
  const tables = VERSION[version].map((each) => `directus_${each}`).join(', ');
  if (!denied) await asHost(project.url, `grant select on ${tables} to ${project.reader}`);
  if (place !== undefined)
    await asHost(
      project.url,
      `alter schema public rename to ${place}; create schema public; alter database ${project.name} set search_path = ${place};
       grant usage on schema ${place} to ${project.reader}`,
    );
  return project;
}

/** Everything that the source at `url` reads. */
export async function readProject(url: string): Promise<readonly SourceObject[]> {
  const source = openDirectusSource({
    target: { kind: 'url', url },
    connectTimeoutMs: 10_000,
    statementTimeoutMs: 60_000,
  });
  try {
    const objects: SourceObject[] = [];
    for await (const each of source.read()) objects.push(each);
    return objects;
  } finally {
    await source.close?.();
  }
}
