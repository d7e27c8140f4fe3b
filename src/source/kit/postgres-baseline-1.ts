// Owns version 1 of the kit `postgres-baseline`. INVARIANT: this version never changes; a change is a new
// version, which is planned, approved and activated like any other change of rules.
import type { KitDocument } from './document.js';

type Detector = KitDocument['detectors'][number];

/** A fact that is true; a missing one is not. */
const is = (fact: string): string => `o.attributes @> '{"${fact}": true}'`;
const isNot = (fact: string): string => `o.attributes @> '{"${fact}": false}'`;
const toPublic = (...privileges: string[]): string =>
  `o.attributes -> 'public_privileges' ?| array[${privileges.map((each) => `'${each}'`).join(', ')}]`;
const classes = (...names: string[]): string =>
  `o.object_class in (${names.map((each) => `'${each}'`).join(', ')})`;

const FUNCTIONS: readonly Detector[] = [
  {
    id: 'definer_search_path',
    severity: 'high',
    about: 'functions with the rights of their owner have a pinned search path',
    reason:
      'it runs with the rights of its owner, and the caller chooses by the search path which tables and functions its names stand for',
    where: `where ${classes('function')} and ${is('security_definer')} and o.attributes @> '{"search_path": null}'`,
    fix: `format('ALTER ROUTINE %s SET search_path = pg_catalog, %I, pg_temp;', o.code, o.attributes ->> 'schema')`,
  },
  {
    id: 'definer_superuser',
    severity: 'critical',
    about: 'not everyone runs functions with the rights of a superuser',
    reason: 'everyone who can connect runs it with the rights of a superuser',
    where: `where ${classes('function')} and ${is('security_definer')} and ${is('owner_superuser')} and ${is('public_schema')}
  and ${toPublic('EXECUTE')} and o.attributes ->> 'returns' is distinct from 'trigger'`,
    fix: `format('REVOKE EXECUTE ON ROUTINE %s FROM PUBLIC;', o.code)`,
  },
];

const ACCESS: readonly Detector[] = [
  {
    id: 'personal_data_public',
    severity: 'critical',
    about: 'personal data is not readable by everyone',
    reason: 'everyone who can connect reads it',
    where: `where ${classes('personal_column')} and ${is('public_readable')} and ${isNot('row_security')}`,
    fix: `format('REVOKE SELECT ON %s FROM PUBLIC;', o.parent_code)`,
  },
  {
    id: 'public_writes',
    severity: 'high',
    about: 'not everyone writes tables',
    reason: 'everyone who can connect changes its rows',
    where: `where ${classes('table', 'partition', 'view', 'foreign_table')} and ${is('public_schema')}
  and ${toPublic('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE')}`,
    fix: `format('REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON %s FROM PUBLIC;', o.code)`,
  },
  {
    id: 'public_creates',
    severity: 'high',
    about: 'not everyone creates objects in schemas',
    reason: 'everyone who can connect can put a function or a table of the same name in front of yours',
    where: `where ${classes('schema')} and ${toPublic('CREATE')}`,
    fix: `format('REVOKE CREATE ON SCHEMA %s FROM PUBLIC;', o.code)`,
  },
  {
    id: 'superuser_login',
    severity: 'high',
    about: 'superusers do not log in',
    reason: 'a client with its password has the server: no privilege and no policy applies to it',
    // The first superuser of a server must stay one.
    where: `where ${classes('role')} and ${is('login')} and ${is('superuser')} and ${isNot('bootstrap')}`,
    fix: `format('ALTER ROLE %s NOSUPERUSER;', o.code)`,
  },
  {
    id: 'bypass_rls_login',
    severity: 'high',
    about: 'logins do not bypass row-level security',
    reason: 'it logs in and sees all rows, whatever the policies say',
    where: `where ${classes('role')} and ${is('login')} and ${is('bypass_rls')} and ${isNot('superuser')}`,
    fix: `format('ALTER ROLE %s NOBYPASSRLS;', o.code)`,
  },
  {
    id: 'login_owns_tables',
    severity: 'low',
    about: 'roles that log in own no tables',
    reason:
      'a login that owns tables can drop them, and no policy applies to it unless it is forced; grant the login what it needs afterwards',
    where: `where ${classes('role')} and ${is('login')} and ${isNot('superuser')} and o.attributes -> 'owned_relations' > '0'`,
    fix: `format('CREATE ROLE %1$I NOLOGIN; REASSIGN OWNED BY %2$s TO %1$I;', left(o.attributes ->> 'name', 14) || '_owner_' || substr(md5(o.code), 1, 6), o.code)`,
  },
  {
    id: 'table_option_secret',
    severity: 'critical',
    about: 'options of foreign tables hold no secret',
    reason: 'everyone who can connect reads the options of foreign tables',
    where: `cross join jsonb_array_elements_text(o.attributes -> 'secret_options') as s(option)
where ${classes('foreign_table')}`,
    fix: `format('ALTER FOREIGN TABLE %s OPTIONS (DROP %I);', o.code, s.option)`,
  },
  {
    id: 'server_option_secret',
    severity: 'critical',
    about: 'options of foreign servers hold no secret',
    reason: 'everyone who can connect reads the options of foreign servers',
    // Once for each server.
    where: `cross join jsonb_array_elements_text(o.attributes -> 'server_secret_options') as s(option)
where ${classes('foreign_table')} and not exists (
  select from gcos_source_object c
  where c.source_id = o.source_id and c.object_class = 'foreign_table' and c.status = 'active'
    and c.attributes -> 'server' = o.attributes -> 'server' and c.code < o.code)`,
    fix: `format('ALTER SERVER %I OPTIONS (DROP %I);', o.attributes ->> 'server', s.option)`,
  },
  {
    id: 'subscription_password',
    severity: 'high',
    about: 'connections of subscriptions hold no password',
    reason:
      'every dump of the catalogs has the password: name a file with passfile= in its connection instead',
    where: `where ${classes('subscription')} and ${is('password_in_connection')}`,
    fix: `null::text`,
  },
];

const POLICIES: readonly Detector[] = [
  {
    id: 'rls_without_policy',
    severity: 'medium',
    about: 'tables with row-level security have a policy',
    reason: 'only its owner sees rows: a policy says whether that is meant',
    where: `where ${classes('table', 'partition')} and ${is('row_security')} and o.attributes @> '{"policies": 0}'`,
    fix: `format('CREATE POLICY owner_only ON %s TO %I USING (true);', o.code, o.attributes ->> 'owner')`,
  },
  {
    id: 'policy_without_rls',
    severity: 'critical',
    about: 'tables with policies have row-level security',
    reason: 'its policies are there and do not apply',
    where: `where ${classes('table', 'partition')} and ${isNot('row_security')} and o.attributes -> 'policies' > '0'`,
    fix: `format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY;', o.code)`,
  },
  {
    id: 'trigger_disabled',
    severity: 'medium',
    about: 'triggers are enabled',
    reason: 'it is there and does not fire',
    where: `where ${classes('trigger')} and o.attributes @> '{"enabled": "disabled"}'`,
    fix: `format('ALTER TABLE %s ENABLE TRIGGER %I;', o.parent_code, o.attributes ->> 'name')`,
  },
];

const TABLES: readonly Detector[] = [
  {
    id: 'primary_key_missing',
    severity: 'medium',
    about: 'tables have a primary key',
    reason:
      'its rows have no name: no row can be corrected alone, and logical replication cannot update it; the statement rewrites the table',
    // In a partitioned table the key must contain the partition key.
    where: `where ${classes('table')} and o.attributes @> '{"kind": "table", "primary_key": null}'`,
    fix: `format('ALTER TABLE %s ADD COLUMN %I bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY;', o.code, coalesce((
  select n.name
  from unnest(array['id', 'row_id']) with ordinality as n(name, place)
  where not exists (
    select from gcos_source_object c
    where c.source_id = o.source_id and c.object_class in ('column', 'personal_column') and c.parent_code = o.code
      and c.status = 'active' and c.attributes ->> 'name' = n.name)
  order by n.place
  limit 1), 'id_' || substr(md5(o.code), 1, 6)))`,
  },
  {
    id: 'foreign_key_unindexed',
    severity: 'low',
    about: 'foreign keys have an index',
    reason:
      'each delete and each change of a key in the table that it points to reads this table from end to end',
    where: `cross join jsonb_array_elements(o.attributes -> 'foreign_keys_without_index') as k(found)
where ${classes('table')}`,
    fix: `format('CREATE INDEX %sON %s (%s);', case when o.attributes @> '{"kind": "table"}' then 'CONCURRENTLY ' else '' end, o.code, (
  select string_agg(quote_ident(c.name), ', ' order by c.place)
  from jsonb_array_elements_text(k.found -> 'columns') with ordinality as c(name, place)))`,
  },
  {
    id: 'index_invalid',
    severity: 'medium',
    about: 'indexes are valid',
    reason:
      'building it has failed: each write pays for it, no query uses it, and if it is unique it guards nothing',
    where: `cross join jsonb_array_elements_text(o.attributes -> 'invalid_indexes') as i(name)
where ${classes('table', 'partition', 'materialized_view')}`,
    fix: `format('REINDEX INDEX CONCURRENTLY %s;', i.name)`,
  },
  {
    id: 'never_analyzed',
    severity: 'low',
    about: 'tables with rows have statistics',
    reason: 'nothing has ever counted its rows: the planner guesses, and autovacuum does not run',
    where: `where ${classes('table', 'materialized_view')} and ${isNot('analyzed')} and o.attributes -> 'rows_estimate' >= '1000'`,
    fix: `format('ANALYZE %s;', o.code)`,
  },
  {
    id: 'table_unlogged',
    severity: 'low',
    about: 'tables survive a crash',
    reason: 'a crash of the server empties it, and no standby has it',
    where: `where ${classes('table')} and o.attributes @> '{"persistence": "unlogged"}'`,
    fix: `format('ALTER TABLE %s SET LOGGED;', o.code)`,
  },
];

const owned = { ownership: ['owner'] };
const exchanged = { ownership: ['owner'], exchange: ['owner', 'approval'] };

export const postgresBaseline1: KitDocument = {
  name: 'postgres-baseline',
  version: 1,
  about: 'what a team answers for in a PostgreSQL database, and what goes wrong in most',
  scopes: [
    { code: 'ownership', about: 'a team answers for it' },
    { code: 'privacy', about: 'personal data is classified' },
    { code: 'access', about: 'a team answers for who may log in' },
    { code: 'exchange', about: 'data that leaves or enters the database has an approval' },
  ],
  links: [
    { link: 'classification', form: '^[A-Za-z][A-Za-z0-9_-]*$' },
    { link: 'retention', form: '^P[0-9YMWDTHS]+$' },
    { link: 'approval', form: '^https?://' },
  ],
  profiles: [
    { class: 'schema', risk: 'write_low', ttl: 'P30D', inherits: false, links: owned },
    { class: 'table', risk: 'write_low', ttl: 'P7D', inherits: false, links: owned },
    { class: 'view', risk: 'write_low', ttl: 'P30D', inherits: false, links: owned },
    { class: 'materialized_view', risk: 'write_low', ttl: 'P30D', inherits: false, links: owned },
    { class: 'foreign_table', risk: 'write_low', ttl: 'P7D', inherits: false, links: exchanged },
    { class: 'function', risk: 'write_low', ttl: 'P30D', inherits: false, links: owned },
    {
      class: 'personal_column',
      risk: 'write_low',
      ttl: 'P7D',
      inherits: false,
      links: { privacy: ['owner', 'classification'] },
    },
    { class: 'role', risk: 'write_low', ttl: 'P30D', inherits: false, links: { access: ['owner'] } },
    { class: 'publication', risk: 'write_low', ttl: 'P7D', inherits: false, links: exchanged },
    { class: 'subscription', risk: 'write_low', ttl: 'P7D', inherits: false, links: exchanged },
    // Parts of what a team owns: their tables and schemas answer for them.
    { class: 'partition', risk: 'descriptive', ttl: 'P90D', inherits: true, links: {} },
    { class: 'column', risk: 'descriptive', ttl: 'P90D', inherits: true, links: {} },
    { class: 'policy', risk: 'descriptive', ttl: 'P30D', inherits: true, links: {} },
    { class: 'trigger', risk: 'descriptive', ttl: 'P30D', inherits: true, links: {} },
    { class: 'type', risk: 'descriptive', ttl: 'P90D', inherits: true, links: {} },
    { class: 'extension', risk: 'descriptive', ttl: 'P30D', inherits: true, links: {} },
  ],
  detectors: [...FUNCTIONS, ...ACCESS, ...POLICIES, ...TABLES],
};
