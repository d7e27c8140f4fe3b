// Owns version 1 of the kit `directus-baseline`. INVARIANT: this version never changes; a change is a new
// version, which is planned, approved and activated like any other change of rules.
import type { KitDocument } from './document.js';

type Detector = KitDocument['detectors'][number];

/** A fact that is true; a missing one is not. */
const is = (fact: string): string => `o.attributes @> '{"${fact}": true}'`;
const isNot = (fact: string): string => `o.attributes @> '{"${fact}": false}'`;
const says = (fact: string, ...values: string[]): string =>
  `o.attributes ->> '${fact}' in (${values.map((each) => `'${each}'`).join(', ')})`;
const classes = (...names: string[]): string =>
  `o.object_class in (${names.map((each) => `'directus_${each}'`).join(', ')})`;

const ROW = `o.attributes ->> 'schema', o.attributes ->> 'id'`;
const set = (table: string, assignment: string): string =>
  `format('UPDATE %I.directus_${table} SET ${assignment} WHERE id = %L;', ${ROW})`;
const remove = (table: string): string => `format('DELETE FROM %I.directus_${table} WHERE id = %L;', ${ROW})`;

const names = (classes: string): string =>
  `array_agg(f.attributes ->> 'name' order by f.code collate "C") filter (where f.object_class in (${classes}))`;
/** What the collection of a permission holds, counted once for all permissions. */
const held = `join (
  select f.source_id, f.attributes ->> 'collection' as collection, ${names(`'directus_field'`)} as plain,
    ${names(`'directus_personal_field'`)} as personal, ${names(`'directus_field', 'directus_personal_field'`)} as fields
  from gcos_source_object f where f.status = 'active' and f.object_class in ('directus_field', 'directus_personal_field')
  group by 1, 2
) as held on held.source_id = o.source_id and held.collection = o.attributes ->> 'collection'`;
const kept = `(select string_agg(k.name, ',' order by k.place) from unnest(held.plain) with ordinality as k(name, place) where o.attributes -> 'fields' ?| array['*', k.name])`;

const PUBLIC: readonly Detector[] = [
  {
    id: 'public_admin',
    severity: 'critical',
    about: 'the public is no administrator',
    reason: 'everyone who reaches the server is its administrator, without logging in',
    where: `where ${classes('policy')} and ${is('public')} and ${is('admin_access')}`,
    fix: set('policies', 'admin_access = false'),
  },
  {
    id: 'public_personal',
    severity: 'critical',
    about: 'personal data is not public',
    reason:
      'everyone who reaches the server reads personal data, without logging in; the statement keeps the other fields',
    where: `${held}
where ${classes('public_permission')} and ${says('action', 'read')}
  and (o.attributes -> 'fields' ? '*' and held.personal is not null or o.attributes -> 'fields' ?| held.personal)`,
    fix: `case when ${kept} is null then ${remove('permissions')}
    else format('UPDATE %I.directus_permissions SET fields = %L WHERE id = %L;', o.attributes ->> 'schema', ${kept}, o.attributes ->> 'id') end`,
  },
  {
    id: 'public_write',
    severity: 'high',
    about: 'the public changes nothing',
    reason:
      'everyone who reaches the server changes items, without logging in; only creating them, as a form does, can be approved',
    where: `where ${classes('public_permission')} and (${says('action', 'update', 'delete')}
  or ${says('action', 'create')} and not o.links ? 'approval')`,
    fix: remove('permissions'),
  },
  {
    id: 'public_system',
    severity: 'high',
    about: 'the tables of Directus itself are not public',
    reason:
      'everyone who reaches the server reads who uses the project and how it is built, without logging in',
    where: `where ${classes('public_permission')} and ${is('system_collection')} and ${says('action', 'read')}
  and not ${says('collection', 'directus_files', 'directus_folders', 'directus_translations')}`,
    fix: remove('permissions'),
  },
];

const ACCESS: readonly Detector[] = [
  {
    id: 'personal_wildcard',
    severity: 'medium',
    about: 'permissions on personal data name their fields',
    reason: 'each field that is added later is in it, too; the statement names the fields of today',
    where: `${held}
where ${classes('permission')} and ${says('action', 'create', 'read', 'update')} and o.attributes -> 'fields' ? '*'
  and held.personal is not null`,
    fix: `format('UPDATE %I.directus_permissions SET fields = %L WHERE id = %L;', o.attributes ->> 'schema', array_to_string(held.fields, ','), o.attributes ->> 'id')`,
  },
  {
    id: 'permission_dangling',
    severity: 'low',
    about: 'permissions are about collections that there are',
    reason: 'its collection is gone: it applies again to the next collection of that name',
    where: `where ${classes('permission', 'public_permission')} and ${isNot('collection_known')}`,
    fix: remove('permissions'),
  },
  {
    id: 'admin_without_tfa',
    severity: 'high',
    about: 'administrators log in with a second factor',
    reason:
      'one stolen password is the whole project; the statement asks its users for a second factor at their next login',
    where: `where ${classes('policy', 'role')} and ${is('admin_access')} and ${isNot('enforce_tfa')}`,
    fix: `case o.object_class when 'directus_role' then ${set('roles', 'enforce_tfa = true')}
    else ${set('policies', 'enforce_tfa = true')} end`,
  },
  {
    id: 'policy_unused',
    severity: 'low',
    about: 'policies are in use',
    reason: 'no role and no user has it: its permissions wait for the first one who gets it',
    where: `where ${classes('policy')} and ${isNot('public')} and o.attributes @> '{"roles": 0, "users": 0}'`,
    fix: remove('policies'),
  },
];

const FLOWS: readonly Detector[] = [
  {
    id: 'code_on_request',
    severity: 'high',
    about: 'no code runs at the request of the public',
    reason:
      'everyone who knows its address runs its code: a webhook of a flow asks for no login; the statement stops the flow',
    where: `where ${classes('code_flow')} and ${says('status', 'active')} and ${says('trigger', 'webhook')}`,
    fix: set('flows', `status = ''inactive''`),
  },
  {
    id: 'full_access_on_request',
    severity: 'high',
    about: 'no operation has all rights at the request of the public',
    reason:
      'everyone who knows the address of the flow reads or writes items with the rights of an administrator',
    where: `where ${classes('operation')} and ${says('permissions', '$full')} and ${says('flow_status', 'active')} and ${says('flow_trigger', 'webhook')}`,
    fix: set('operations', `options = jsonb_set(options::jsonb, ''{permissions}'', ''"$trigger"'')::json`),
  },
  {
    id: 'request_plain',
    severity: 'high',
    about: 'flows send nothing in plain text',
    reason: 'what the operation sends and gets can be read and changed on its way',
    where: `where ${classes('operation')} and ${says('type', 'request')} and ${says('scheme', 'http')} and ${isNot('local')}`,
    fix: set(
      'operations',
      `options = jsonb_set(options::jsonb, ''{url}'', to_jsonb(regexp_replace(options ->> ''url'', ''^\\s*http:'', ''https:'', ''i'')))::json`,
    ),
  },
  {
    id: 'request_secret',
    severity: 'high',
    about: 'flows hold no secrets',
    reason:
      'everyone who may read flows, and every backup, has the secret: put it into an environment variable that FLOWS_ENV_ALLOW_LIST names, and write {{$env.NAME}} in the header',
    where: `where ${classes('operation')} and o.attributes -> 'secret_headers' <> '[]'`,
    fix: 'null::text',
  },
  {
    id: 'flow_untraced',
    severity: 'medium',
    about: 'flows leave a trace',
    reason: 'its runs are recorded nowhere: afterwards it cannot be said what it did',
    where: `where ${classes('flow', 'code_flow')} and ${says('status', 'active')} and o.attributes @> '{"accountability": null}'`,
    fix: set('flows', `accountability = ''all''`),
  },
  {
    id: 'webhook_plain',
    severity: 'high',
    about: 'webhooks send nothing in plain text',
    reason: 'the items that it sends can be read and changed on their way',
    where: `where ${classes('webhook')} and ${says('status', 'active')} and ${says('scheme', 'http')} and ${isNot('local')}`,
    fix: set('webhooks', `url = regexp_replace(url, ''^\\s*http:'', ''https:'', ''i'')`),
  },
  {
    id: 'webhook_secret',
    severity: 'high',
    about: 'webhooks hold no secrets',
    reason: 'everyone who may read webhooks, and every backup, has the secret: replace the webhook by a flow',
    where: `where ${classes('webhook')} and o.attributes -> 'secret_headers' <> '[]'`,
    fix: 'null::text',
  },
];

const DATA: readonly Detector[] = [
  {
    id: 'personal_untraced',
    severity: 'medium',
    about: 'changes of personal data leave a trace',
    reason: 'Directus records neither who changed an item nor what it was before',
    where: `where ${classes('collection')} and ${is('managed')} and o.attributes @> '{"accountability": null}' and exists (
  select from gcos_source_object f where f.source_id = o.source_id and f.status = 'active'
    and f.object_class = 'directus_personal_field' and f.attributes ->> 'collection' = o.code)`,
    fix: `format('UPDATE %I.directus_collections SET accountability = ''all'' WHERE collection = %L;', o.attributes ->> 'schema', o.code)`,
  },
  {
    id: 'credentials_shown',
    severity: 'high',
    about: 'credentials are not shown',
    reason:
      'everyone who may read the field sees it in plain text: concealed, Directus shows only that there is something',
    where: `where ${classes('personal_field')} and ${says('personal', 'credential')}
  and not o.attributes -> 'special' ?| array['conceal', 'hash']`,
    fix: `case when o.attributes ->> 'id' is null then format('INSERT INTO %I.directus_fields (collection, field, special) VALUES (%L, %L, ''conceal'');',
      o.attributes ->> 'schema', o.attributes ->> 'collection', o.attributes ->> 'name')
    else ${set('fields', `special = concat_ws('','', nullif(special, ''''), ''conceal'')`)} end`,
  },
  {
    id: 'field_dangling',
    severity: 'low',
    about: 'fields have a column',
    reason: 'its column is gone: what Directus keeps of it applies to the next column of that name',
    where: `where ${classes('field')} and o.attributes ->> 'id' is not null and o.attributes @> '{"type": null}'
  and not o.attributes -> 'special' ?| array['alias', 'no-data', 'group', 'o2m', 'm2m', 'm2a', 'o2a', 'files', 'translations']`,
    fix: remove('fields'),
  },
];

const owned = { ownership: ['owner'] };
const entrusted = { access: ['owner'] };

export const directusBaseline1: KitDocument = {
  name: 'directus-baseline',
  version: 1,
  about: 'what a team answers for in a Directus project, and what goes wrong in most',
  scopes: [
    { code: 'ownership', about: 'a team answers for it' },
    { code: 'privacy', about: 'personal data is classified' },
    { code: 'access', about: 'a team answers for who may do what, and what is public has an approval' },
    { code: 'execution', about: 'code that runs has an approval' },
  ],
  links: [
    { link: 'classification', form: '^[A-Za-z][A-Za-z0-9_-]*$' },
    { link: 'retention', form: '^P[0-9YMWDTHS]+$' },
    { link: 'approval', form: '^https?://' },
  ],
  profiles: [
    { class: 'directus_collection', risk: 'write_low', ttl: 'P7D', inherits: false, links: owned },
    {
      class: 'directus_personal_field',
      risk: 'write_low',
      ttl: 'P7D',
      inherits: false,
      links: { privacy: ['owner', 'classification'] },
    },
    { class: 'directus_flow', risk: 'write_low', ttl: 'P7D', inherits: false, links: owned },
    {
      class: 'directus_code_flow',
      risk: 'write_low',
      ttl: 'P7D',
      inherits: false,
      links: { ownership: ['owner'], execution: ['owner', 'approval'] },
    },
    { class: 'directus_role', risk: 'write_low', ttl: 'P30D', inherits: false, links: entrusted },
    { class: 'directus_policy', risk: 'write_low', ttl: 'P30D', inherits: false, links: entrusted },
    {
      class: 'directus_public_permission',
      risk: 'write_low',
      ttl: 'P7D',
      inherits: false,
      links: { access: ['owner', 'approval'] },
    },
    { class: 'directus_dashboard', risk: 'write_low', ttl: 'P30D', inherits: false, links: owned },
    // Parts of what a team owns, and what has no text that could name a team.
    { class: 'directus_project', risk: 'descriptive', ttl: 'P90D', inherits: true, links: {} },
    { class: 'directus_folder', risk: 'descriptive', ttl: 'P90D', inherits: true, links: {} },
    { class: 'directus_field', risk: 'descriptive', ttl: 'P90D', inherits: true, links: {} },
    { class: 'directus_permission', risk: 'descriptive', ttl: 'P30D', inherits: true, links: {} },
    { class: 'directus_operation', risk: 'descriptive', ttl: 'P30D', inherits: true, links: {} },
    { class: 'directus_webhook', risk: 'descriptive', ttl: 'P30D', inherits: true, links: {} },
    { class: 'directus_extension', risk: 'descriptive', ttl: 'P30D', inherits: true, links: {} },
  ],
  detectors: [...PUBLIC, ...ACCESS, ...FLOWS, ...DATA],
};
