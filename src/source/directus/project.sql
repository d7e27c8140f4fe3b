-- use: ./fragments.sql

-- name: readProject
-- nullable: parent_class, parent_code, note
-- part migrations: (select null::text as "version" where false)
select 'directus_project' as class, :schema::text as code, 'project' as identity, null::text as parent_class, null::text as parent_code,
  null::text as note, '{}'::text[] as above,
  jsonb_build_object('schema', :schema::text, 'migration', (select max(m.version) from {{migrations}} m))::text as attributes

-- name: readRoles
-- nullable: parent_class, parent_code, note
-- part policies: (select null::text as "id", null::text as "name", null::text as "description", null::text as "ip_access", null::boolean as "enforce_tfa", null::boolean as "admin_access", null::boolean as "app_access" where false)
-- part access: (select null::text as "role", null::text as "user", null::text as "policy" where false)
-- part roles: (select null::text as "id", null::text as "name", null::text as "description", null::text as "ip_access", null::boolean as "enforce_tfa", null::boolean as "admin_access", null::boolean as "app_access", null::text as "parent" where false)
with {{policy}}
select 'directus_role' as class, r.code, 'role:' || r.id as identity, 'directus_project' as parent_class, :schema::text as parent_code,
  r.description as note, '{}'::text[] as above,
  (jsonb_build_object('schema', :schema::text, 'id', r.id, 'name', r.base, 'parent', p.code,
    'note_at', jsonb_build_object('schema', quote_ident(:schema::text), 'table', 'directus_roles', 'column', 'description', 'id', r.id))
  || case when r.admin_access is null then jsonb_build_object('policies', (select count(*) from {{access}} a where a.role = r.id))
    else jsonb_build_object('admin_access', r.admin_access, 'app_access', r.app_access, 'enforce_tfa', r.enforce_tfa,
      'ip_access', coalesce(string_to_array(nullif(r.ip_access, ''), ','), '{}')) end)::text as attributes
from role r
left join role p on p.id = r.parent
order by r.id

-- name: readPolicies
-- nullable: parent_class, parent_code, note
-- part policies: (select null::text as "id", null::text as "name", null::text as "description", null::text as "ip_access", null::boolean as "enforce_tfa", null::boolean as "admin_access", null::boolean as "app_access" where false)
-- part access: (select null::text as "role", null::text as "user", null::text as "policy" where false)
-- part roles: (select null::text as "id", null::text as "name", null::text as "description", null::text as "ip_access", null::boolean as "enforce_tfa", null::boolean as "admin_access", null::boolean as "app_access", null::text as "parent" where false)
with {{policy}}
select 'directus_policy' as class, p.code, 'policy:' || p.id as identity, 'directus_project' as parent_class, :schema::text as parent_code,
  p.description as note, '{}'::text[] as above,
  jsonb_build_object('schema', :schema::text, 'id', p.id, 'name', p.base, 'admin_access', p.admin_access, 'app_access', p.app_access,
    'enforce_tfa', p.enforce_tfa, 'ip_access', coalesce(string_to_array(nullif(p.ip_access, ''), ','), '{}'), 'public', p.public,
    'roles', p.roles, 'users', p.users,
    'note_at', jsonb_build_object('schema', quote_ident(:schema::text), 'table', 'directus_policies', 'column', 'description', 'id', p.id))::text as attributes
from policy p
order by p.id

-- name: readCollections
-- Collections and folders, those above first.
-- nullable: parent_class, parent_code, note
-- part collections: (select null::text as "collection", null::text as "note", null::boolean as "hidden", null::boolean as "singleton", null::text as "accountability", null::text as "group", null::boolean as "versioning" where false)
with recursive {{relation}}, {{collection}}
select c.class, c.code, 'collection:' || c.code as identity, coalesce(p.parent_class, 'directus_project') as parent_class,
  coalesce(p.parent_code, :schema::text) as parent_code, c.note, coalesce(p.notes, '{}') as above,
  (jsonb_build_object('schema', :schema::text, 'name', c.code, 'kind', c.kind, 'managed', c.managed,
    'note_at', jsonb_build_object('schema', quote_ident(:schema::text), 'table', 'directus_collections', 'column', 'note', 'collection', c.code))
  || case when not c.managed then '{}' else jsonb_build_object('hidden', c.hidden, 'singleton', c.singleton,
    'accountability', c.accountability, 'versioning', c.versioning) end)::text as attributes
from collection c
left join placed p on p.code = c.code
order by coalesce(p.depth, 0), c.code collate "C"

-- name: readFields
-- Columns of the tables of collections, and what Directus itself adds. Of its own tables, only the fields
-- that a project added. A field that has a row and no column is an alias, or what a column left behind.
-- nullable: parent_class, parent_code, note
-- part collections: (select null::text as "collection", null::text as "note", null::boolean as "hidden", null::boolean as "singleton", null::text as "accountability", null::text as "group", null::boolean as "versioning" where false)
-- part fields: (select null::text as "id", null::text as "collection", null::text as "field", null::text as "special", null::text as "interface", null::text as "note", null::boolean as "hidden", null::boolean as "readonly", null::boolean as "required", null::boolean as "searchable" where false)
with recursive {{relation}}, {{collection}},
col as (
  select r.name as collection, a.attname::text as field, format_type(a.atttypid, a.atttypmod) as type, t.typname::text as type_name,
    t.typcategory::text as type_category
  from relation r
  join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
  join pg_type t on t.oid = a.atttypid
),
field as (
  select coalesce(f.collection, k.collection) as collection, coalesce(f.field, k.field) as field, f.id, f.special, f.interface, f.note,
    f.hidden, f.readonly, f.required, f.searchable, k.type, k.type_name, k.type_category
  from (
    select distinct on (f.collection, f.field) f.*
    from {{fields}} f
    order by f.collection, f.field, f.id
  ) f
  full join col k on k.collection = f.collection and k.field = f.field
)
select 'directus_field' as class, quote_ident(f.collection) || '.' || quote_ident(f.field) as code,
  'field:' || quote_ident(f.collection) || '.' || quote_ident(f.field) as identity, c.class as parent_class, c.code as parent_code, f.note,
  array_remove(array[c.note] || p.notes, null) as above,
  (jsonb_build_object('schema', :schema::text, 'id', f.id, 'name', f.field, 'collection', f.collection, 'type', f.type,
    'type_name', f.type_name, 'type_category', f.type_category,
    'special', coalesce(string_to_array(nullif(f.special, ''), ','), '{}'), 'interface', f.interface,
    'note_at', jsonb_build_object('schema', quote_ident(:schema::text), 'table', 'directus_fields', 'column', 'note', 'id', f.id,
      'collection', f.collection, 'field', f.field))
  || case when f.id is null then '{}' else jsonb_build_object('hidden', f.hidden, 'readonly', f.readonly, 'required', f.required,
    'searchable', f.searchable) end)::text as attributes
from field f
left join collection c on c.code = f.collection
left join placed p on p.code = c.code
where c.code is not null or f.id is not null
order by f.collection collate "C", f.field collate "C"

-- name: readPermissions
-- nullable: parent_class, parent_code, note
-- part collections: (select null::text as "collection", null::text as "note", null::boolean as "hidden", null::boolean as "singleton", null::text as "accountability", null::text as "group", null::boolean as "versioning" where false)
-- part policies: (select null::text as "id", null::text as "name", null::text as "description", null::text as "ip_access", null::boolean as "enforce_tfa", null::boolean as "admin_access", null::boolean as "app_access" where false)
-- part access: (select null::text as "role", null::text as "user", null::text as "policy" where false)
-- part roles: (select null::text as "id", null::text as "name", null::text as "description", null::text as "ip_access", null::boolean as "enforce_tfa", null::boolean as "admin_access", null::boolean as "app_access", null::text as "parent" where false)
-- part permissions: (select null::text as "id", null::text as "collection", null::text as "action", null::json as "permissions", null::text as "fields", null::text as "role", null::text as "policy" where false)
with recursive {{relation}}, {{collection}}, {{policy}},
permission as (
  select x.id, x.collection, x.action, x.fields, coalesce(p.public, x.policy is null and x.role is null) as public,
    case when p.id is not null then 'directus_policy' when r.id is not null then 'directus_role' end as holder_class,
    coalesce(p.code, r.code, 'Public') as holder, p.description,
    regexp_replace(coalesce(x.permissions::text, ''), '\s', '', 'g') not in ('', '{}', 'null') as filtered
  from {{permissions}} x
  left join policy p on p.id = x.policy
  left join role r on r.id = x.role
)
select case when x.public then 'directus_public_permission' else 'directus_permission' end as class,
  format('%s.%s for %s (%s)', x.collection, x.action, x.holder, x.id) as code, 'permission:' || x.id as identity,
  case when x.public and c.code is not null then c.class else coalesce(x.holder_class, 'directus_project') end as parent_class,
  case when x.public and c.code is not null then c.code when x.holder_class is null then :schema::text else x.holder end as parent_code,
  null::text as note,
  array_remove(array[c.note] || p.notes || array[x.description], null) as above,
  jsonb_build_object('schema', :schema::text, 'id', x.id, 'collection', x.collection, 'action', x.action, 'holder', x.holder,
    'public', x.public, 'filtered', x.filtered, 'system_collection', starts_with(x.collection, 'directus_'),
    'collection_known', c.code is not null or starts_with(x.collection, 'directus_'),
    'fields', string_to_array(regexp_replace(nullif(x.fields, ''), '\s*,\s*', ',', 'g'), ','))::text as attributes
from permission x
left join collection c on c.code = x.collection
left join placed p on p.code = c.code
order by x.id

-- name: readFlows
-- A flow with an operation that runs code is of a class of its own.
-- nullable: parent_class, parent_code, note
-- part operations: (select null::text as "id", null::text as "name", null::text as "key", null::text as "type", null::json as "options", null::text as "flow" where false)
-- part flows: (select null::text as "id", null::text as "name", null::text as "description", null::text as "status", null::text as "trigger", null::text as "accountability" where false)
with {{flow}}
select case when exists (select from unnest(f.types) t where t in {{runs_code}}) then 'directus_code_flow' else 'directus_flow' end as class,
  f.code, 'flow:' || f.id as identity, 'directus_project' as parent_class, :schema::text as parent_code, f.description as note,
  '{}'::text[] as above,
  jsonb_build_object('schema', :schema::text, 'id', f.id, 'name', f.base, 'status', f.status, 'trigger', f.trigger,
    'accountability', f.accountability, 'operation_types', f.types,
    'note_at', jsonb_build_object('schema', quote_ident(:schema::text), 'table', 'directus_flows', 'column', 'description', 'id', f.id))::text as attributes
from flow f
order by f.id

-- name: readOperations
-- Of the options of an operation only what detectors are about: addresses and headers may hold secrets.
-- nullable: parent_class, parent_code, note
-- part operations: (select null::text as "id", null::text as "name", null::text as "key", null::text as "type", null::json as "options", null::text as "flow" where false)
-- part flows: (select null::text as "id", null::text as "name", null::text as "description", null::text as "status", null::text as "trigger", null::text as "accountability" where false)
with {{flow}}
select 'directus_operation' as class, {{named}} as code, 'operation:' || b.id as identity, b.flow_class as parent_class, b.flow as parent_code,
  null::text as note, array_remove(array[b.description], null) as above,
  jsonb_build_object('schema', :schema::text, 'id', b.id, 'key', b.key, 'type', b.type, 'flow_status', b.status, 'flow_trigger', b.trigger,
    'runs_code', b.type in {{runs_code}}, 'code_bytes', octet_length(b.options ->> 'code'),
    'scheme', lower(substring(b.options ->> 'url' from '^\s*([A-Za-z][A-Za-z0-9+.-]*)://')),
    'local', (b.options ->> 'url') ~* '^\s*https?://(localhost|127\.[0-9.]+|\[::1\])([:/?#]|$)',
    'secret_headers', array(
      select h.header ->> 'header'
      from json_array_elements(case when json_typeof(b.options -> 'headers') = 'array' then b.options -> 'headers' else '[]' end) as h(header)
      where h.header ->> 'header' ~* '(authorization|cookie|token|secret|password|api-?key)' and h.header ->> 'value' !~ '\{\{'
        and h.header ->> 'value' <> ''
      order by 1),
    'permissions', b.options ->> 'permissions', 'collection', b.options ->> 'collection')::text as attributes
from (
  select o.id, left(f.code || '/' || o.key, 200) as base, f.code as flow, o.key, o.type, f.description, f.status, f.trigger,
    case when json_typeof(o.options) = 'object' then o.options else '{}' end as options,
    case when exists (select from unnest(f.types) t where t in {{runs_code}}) then 'directus_code_flow' else 'directus_flow' end as flow_class
  from {{operations}} o
  join flow f on f.id = o.flow
) b
order by b.id

-- name: readDashboards
-- nullable: parent_class, parent_code, note
-- part dashboards: (select null::text as "id", null::text as "name", null::text as "note" where false)
select 'directus_dashboard' as class, {{named}} as code, 'dashboard:' || b.id as identity, 'directus_project' as parent_class,
  :schema::text as parent_code, b.note, '{}'::text[] as above,
  jsonb_build_object('schema', :schema::text, 'id', b.id, 'name', b.base,
    'note_at', jsonb_build_object('schema', quote_ident(:schema::text), 'table', 'directus_dashboards', 'column', 'note', 'id', b.id))::text as attributes
from (select d.id, left(d.name, 200) as base, d.note from {{dashboards}} d) b
order by b.id

-- name: readWebhooks
-- Neither their addresses nor the values of their headers, which may be secrets.
-- nullable: parent_class, parent_code, note
-- part webhooks: (select null::text as "id", null::text as "name", null::text as "method", null::text as "url", null::text as "status", null::text as "collections", null::text as "actions", null::json as "headers" where false)
select 'directus_webhook' as class, {{named}} as code, 'webhook:' || b.id as identity, 'directus_project' as parent_class,
  :schema::text as parent_code, null::text as note, '{}'::text[] as above,
  jsonb_build_object('schema', :schema::text, 'id', b.id, 'name', b.base, 'method', b.method, 'status', b.status,
    'actions', string_to_array(b.actions, ','), 'collections', string_to_array(b.collections, ','),
    'scheme', lower(substring(b.url from '^\s*([A-Za-z][A-Za-z0-9+.-]*)://')),
    'local', b.url ~* '^\s*https?://(localhost|127\.[0-9.]+|\[::1\])([:/?#]|$)',
    'secret_headers', array(
      select h.header ->> 'header'
      from json_array_elements(case when json_typeof(b.headers) = 'array' then b.headers else '[]' end) as h(header)
      where h.header ->> 'header' ~* '(authorization|cookie|token|secret|password|api-?key)' and h.header ->> 'value' <> ''
      order by 1))::text as attributes
from (select w.id, left(w.name, 200) as base, w.method, w.status, w.url, w.actions, w.collections, w.headers from {{webhooks}} w) b
order by b.id

-- name: readExtensions
-- nullable: parent_class, parent_code, note
-- part extensions: (select null::boolean as "enabled", null::text as "id", null::text as "name", null::text as "folder", null::text as "source", null::text as "bundle" where false)
select 'directus_extension' as class, {{named}} as code, 'extension:' || b.id as identity, 'directus_project' as parent_class,
  :schema::text as parent_code, null::text as note, '{}'::text[] as above,
  jsonb_build_object('schema', :schema::text, 'id', b.id, 'name', b.base, 'enabled', b.enabled, 'source', b.source)::text as attributes
from (
  select coalesce(e.id, e.name) as id, left(coalesce(p.folder || '/', '') || coalesce(e.folder, e.name, ''), 200) as base, e.enabled, e.source
  from {{extensions}} e
  left join {{extensions}} p on p.id = e.bundle
) b
order by b.id
