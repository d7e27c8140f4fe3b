// Owns the SQL that installs, upgrades or removes GCOS's schema. `gcos init` runs exactly the statements that
// `gcos init --dry-run` writes into the file for a DBA; only the surrounding frame differs.
import { createHash } from 'node:crypto';
import { quoteIdentifier, quoteLiteral } from '../quote.js';
import { type Grant, grantSql, recordGrantsSql, revokeSql, verifyGrantsSql } from './grant.js';
import { checksumOf, type Extension, type Migration, type Names, renderTemplate } from './migration.js';
import { dropRolesSql, ensureRolesSql, joinOwnersSql, leaveOwnersSql, loginRoles, roleOf } from './role.js';

/**
 * Serialises installation, upgrade and removal in one database. A transaction-level lock works behind a
 * pooler. It is the only advisory lock of GCOS, because it comes before any table: another login that holds
 * it delays a DBA, and nothing else.
 */
export const LOCK_SQL = "select pg_advisory_xact_lock(hashtextextended('gcos schema', 0));";

export interface InstallParts extends Names {
  readonly migrations: readonly Migration[];
  readonly extensions: readonly Extension[];
  /** The privileges that the roles still lack on the host. */
  readonly grants: readonly Grant[];
  readonly seeds: readonly string[];
  /** The tables whose rows are noted before and after, so that the caller can say what changed. */
  readonly noted?: readonly string[];
  readonly appliedWith: 'gcos' | 'file';
}

export interface UninstallParts extends Names {
  readonly migrations: readonly Migration[];
  readonly extensions: readonly Extension[];
  /** The privileges that init and upgrade granted. */
  readonly grants: readonly Grant[];
  readonly purges: readonly string[];
  /** False if only an extension is removed: the roles are still needed. */
  readonly dropRoles: boolean;
  /** Whether the tables of a host that GCOS created are dropped, too. */
  readonly dropHost: boolean;
}

function section(title: string, ...parts: readonly string[]): string {
  return [`-- ${title}`, ...parts.filter((part) => part !== '')].join('\n');
}

function relation(names: Names, table: string): string {
  return `${quoteIdentifier(names.schema)}.${quoteIdentifier(table)}`;
}

function record(
  names: Names,
  kind: 'core' | 'with',
  id: number,
  step: { name: string; up: string; down: string },
  appliedWith: string,
): string {
  const values = [
    quoteLiteral(kind),
    id,
    quoteLiteral(step.name),
    quoteLiteral(checksumOf(step)),
    quoteLiteral(appliedWith),
  ];
  return `insert into ${relation(names, 'gcos_migration')} (kind, id, name, checksum, applied_with)\nvalues (${values.join(', ')});`;
}

/**
 * Statements run with only the server's own schema on the search path: no function or table of the host can
 * stand in for another.
 */
const PINNED_PATH = 'set local search_path = pg_catalog, pg_temp;';

/**
 * Runs the statements as the owner role, which has CREATE on both schemas, and may write settings, only while
 * they run.
 */
function asOwner(names: Names, ...statements: readonly string[]): string {
  const { schema, trust, owner, trustOwner, source, settings } = identifiers(names);
  return [
    `grant create on schema ${schema} to ${owner};`,
    `grant create on schema ${trust} to ${owner}, ${source};`,
    `set local role ${owner};`,
    ...statements,
    `set local role ${trustOwner};`,
    `revoke insert, update, delete on ${settings} from ${owner};`,
    'reset role;',
    `revoke create on schema ${trust} from ${owner}, ${source};`,
    `revoke create on schema ${schema} from ${owner};`,
  ].join('\n');
}

function identifiers(names: Names) {
  const trust = quoteIdentifier(names.trustSchema);
  return {
    schema: quoteIdentifier(names.schema),
    trust,
    owner: quoteIdentifier(roleOf(names.rolePrefix, 'owner')),
    trustOwner: quoteIdentifier(roleOf(names.rolePrefix, 'trust_owner')),
    source: quoteIdentifier(roleOf(names.rolePrefix, 'source')),
    settings: `${trust}.governance_setting`,
  };
}

/**
 * The schema of what carries trust: only its owner creates there; all roles of GCOS may use it. An operator
 * may have created it for a role that may not create schemas: then it must be empty and have the right owner.
 */
function createTrustSchema(names: Names): string {
  const { trust, owner, trustOwner, source } = identifiers(names);
  const users = [owner, source, ...loginRoles(names.rolePrefix).map(quoteIdentifier)];
  return [
    `do $gcos$
declare
  found record;
begin
  select n.oid, n.nspowner = ${quoteLiteral(trustOwner)}::regrole as is_own into found
  from pg_namespace n where n.nspname = ${quoteLiteral(names.trustSchema)};
  if found.oid is null then
    create schema ${trust} authorization ${trustOwner};
  elsif not found.is_own or exists (select from pg_class c where c.relnamespace = found.oid)
    or exists (select from pg_proc p where p.pronamespace = found.oid) then
    raise exception 'the schema ${names.trustSchema} exists, and is not an empty schema of ${roleOf(names.rolePrefix, 'trust_owner')}' using errcode = 'duplicate_schema';
  end if;
end
$gcos$;`,
    `comment on schema ${trust} is 'GCOS: its functions, and the tables that carry trust';`,
    `grant usage on schema ${trust} to ${users.join(', ')};`,
  ].join('\n');
}

/**
 * The tables of an extension belong to the host, which may also create them itself: their SQL names no
 * schema.
 */
const inHostSchema = (names: Names, sql: string): string[] => [
  `set local search_path = ${quoteIdentifier(names.schema)}, pg_temp;`,
  renderTemplate(sql, names).trim(),
  PINNED_PATH,
];

/**
 * Notes the number of rows of each table that exists, and a digest of them, in a setting of the transaction.
 * Part of the script, because only the owner role may read all of them.
 */
function noteRows(names: Names, noted: readonly string[], when: 'before' | 'after'): string {
  const tables = noted.map((each) => quoteLiteral(renderTemplate(each, names)));
  return `do $gcos$
declare
  each text;
  counted jsonb;
  found jsonb := '{}';
begin
  foreach each in array array[${tables.join(', ')}]::text[] loop
    if to_regclass(each) is not null then
      execute format('select jsonb_build_object(''rows'', count(*), ''digest'', coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text) from %s t', each)
        into counted;
      found := found || jsonb_build_object((parse_ident(each))[2], counted);
    end if;
  end loop;
  perform set_config('gcos.rows_${when}', found::text, true);
end
$gcos$;`;
}

function addedTables(names: Names, extension: Extension): string[] {
  const tables = extension.tables.map((table) => relation(names, table)).join(', ');
  return [
    ...inHostSchema(names, extension.up),
    `grant select on ${tables} to ${loginRoles(names.rolePrefix).map(quoteIdentifier).join(', ')};`,
  ];
}

/**
 * Creates the tables of a host in a database that has none. It comes before the rest of an installation,
 * whose privileges and rows follow from these tables.
 */
export function hostSql(names: Names, extension: Extension): string {
  const { schema, source } = identifiers(names);
  return [
    PINNED_PATH,
    section('roles: created if missing, without passwords', ensureRolesSql(names.rolePrefix)),
    section('membership of the installing role, for this transaction', joinOwnersSql(names.rolePrefix)),
    section(
      'the tables of the host, which belong to the role of sources',
      `grant usage, create on schema ${schema} to ${source};`,
      `set local role ${source};`,
      ...inHostSchema(names, extension.up),
      'reset role;',
    ),
  ].join('\n\n');
}

/**
 * Removes the tables of a host that GCOS created, or keeps them without a privilege of the roles that log in.
 */
function removeHost(parts: UninstallParts, extension: Extension): string {
  const { schema, source, owner } = identifiers(parts);
  if (parts.dropHost)
    return section(
      'the tables of the host, which GCOS created',
      ...inHostSchema(parts, extension.down),
      `revoke usage, create on schema ${schema} from ${source};`,
    );
  const readers = [owner, ...loginRoles(parts.rolePrefix).map(quoteIdentifier)].join(', ');
  return section(
    'the tables of the host, which GCOS created, stay with their rows',
    `do $gcos$
declare
  kept regclass;
begin
  for kept in
    select c.oid from pg_class c
    where c.relnamespace = ${quoteLiteral(schema)}::regnamespace and c.relkind in ('r', 'v') and c.relowner = ${quoteLiteral(source)}::regrole
  loop
    execute format('revoke all on table %s from ${readers.replaceAll("'", "''")}', kept);
  end loop;
end
$gcos$;`,
  );
}

function migrationSteps(parts: InstallParts): string[] {
  const core = parts.migrations.map((migration) =>
    section(
      `${String(migration.id).padStart(4, '0')} ${migration.name}`,
      renderTemplate(migration.up, parts).trim(),
      record(parts, 'core', migration.id, migration, parts.appliedWith),
    ),
  );
  const extensions = parts.extensions.map((extension) =>
    section(
      `with ${extension.name}`,
      ...(extension.isHost ? [] : addedTables(parts, extension)),
      record(parts, 'with', extension.id, extension, parts.appliedWith),
    ),
  );
  const seeds =
    parts.seeds.length === 0
      ? []
      : [section('rows GCOS needs', ...parts.seeds.map((seed) => renderTemplate(seed, parts).trim()))];
  const { noted = [] } = parts;
  return [
    ...(noted.length === 0 ? [] : [noteRows(parts, noted, 'before')]),
    ...core,
    section('record of the granted privileges', recordGrantsSql(parts, parts.grants)),
    ...extensions,
    ...seeds,
    ...(noted.length === 0 ? [] : [noteRows(parts, noted, 'after')]),
  ];
}

const GRANTS_TITLE =
  'privileges on the host: all roles read; only the owner role, which cannot log in, writes, through its functions';

export function installSql(parts: InstallParts): string {
  return [
    PINNED_PATH,
    section('roles: created if missing, without passwords', ensureRolesSql(parts.rolePrefix)),
    section('membership of the installing role, for this transaction', joinOwnersSql(parts.rolePrefix)),
    section('the schema of what carries trust', createTrustSchema(parts)),
    section(GRANTS_TITLE, grantSql(parts, parts.grants)),
    section("GCOS's own tables and functions", asOwner(parts, ...migrationSteps(parts))),
    section('verify that every grant took effect', verifyGrantsSql(parts, parts.grants)),
    section('end of the membership', leaveOwnersSql(parts.rolePrefix, true)),
  ].join('\n\n');
}

export function upgradeSql(parts: InstallParts): string {
  const { owner, trustOwner, settings } = identifiers(parts);
  return [
    PINNED_PATH,
    section('membership of the upgrading role, for this transaction', joinOwnersSql(parts.rolePrefix)),
    section(GRANTS_TITLE, grantSql(parts, parts.grants)),
    `set local role ${trustOwner};\ngrant insert, update, delete on ${settings} to ${owner};\nreset role;`,
    section('pending migrations', asOwner(parts, ...migrationSteps(parts))),
    section('verify that every grant took effect', verifyGrantsSql(parts, parts.grants)),
    section('end of the membership', leaveOwnersSql(parts.rolePrefix, true)),
  ].join('\n\n');
}

/** Removes everything, or without `dropRoles` only the extensions. */
export function uninstallSql(parts: UninstallParts): string {
  const { schema, trust, owner } = identifiers(parts);
  const host = parts.extensions.find((extension) => extension.isHost);
  const added = parts.extensions.filter((extension) => extension !== host);
  const extensions = added.map(
    (extension) =>
      `${inHostSchema(parts, extension.down).join('\n')}\ndelete from ${relation(parts, 'gcos_migration')} where kind = 'with' and id = ${extension.id};`,
  );
  const core = parts.migrations.toReversed().map((migration) => renderTemplate(migration.down, parts).trim());
  return [
    PINNED_PATH,
    section('membership of the removing role, for this transaction', joinOwnersSql(parts.rolePrefix)),
    // First, because GCOS's own tables identify the rows that GCOS wrote.
    ...(parts.purges.length === 0
      ? []
      : [
          section(
            'rows GCOS wrote into host tables',
            // A purge leaves the host's schema on the search path, for the host's triggers.
            ...parts.purges.flatMap((purge) => [renderTemplate(purge, parts).trim(), PINNED_PATH]),
          ),
        ]),
    section(
      "GCOS's own tables, without CASCADE: objects that GCOS did not create stay",
      // The owner role may create meanwhile: the reverse of a replaced view creates the previous view.
      `grant create on schema ${schema} to ${owner};`,
      ...extensions,
      ...core,
      `revoke create on schema ${schema} from ${owner};`,
    ),
    ...(parts.dropRoles ? [section('the schema of what carries trust', `drop schema ${trust};`)] : []),
    section('privileges on the host, exactly as they were granted', revokeSql(parts, parts.grants)),
    ...(host === undefined ? [] : [removeHost(parts, host)]),
    section('end of the membership', leaveOwnersSql(parts.rolePrefix, !parts.dropRoles)),
    ...(parts.dropRoles
      ? [section('roles that gcos init created and no other database uses', dropRolesSql(parts.rolePrefix))]
      : []),
  ].join('\n\n');
}

export interface FileFrame {
  readonly title: string;
  readonly version: string;
  readonly schema: string;
  /** The name of the reverse file, or of the file that this one reverses. */
  readonly counterpart: string | undefined;
  readonly counterpartRole: 'reverse' | 'forward';
  /** Statements that stop the file before its first change if it was not made for this database. */
  readonly guard: string;
}

/**
 * Wraps `body` into a file for psql: one transaction, a short lock time-out, and a checksum of all
 * statements.
 */
export function psqlFile(frame: FileFrame, body: string): string {
  const run = [
    'begin;',
    "set local lock_timeout = '3s';",
    PINNED_PATH,
    LOCK_SQL,
    frame.guard,
    '',
    body,
    '',
    'commit;',
    '',
  ].join('\n');
  const checksum = createHash('sha256').update(run).digest('hex');
  return [
    `-- ${frame.title} (GCOS ${frame.version}).`,
    '-- Review it, then apply it as a role that owns the host tables and may create roles:',
    '--   psql -X -v ON_ERROR_STOP=1 -f THIS_FILE -h HOST -U USER -d DATABASE',
    frame.counterpart === undefined
      ? ''
      : `-- ${frame.counterpartRole === 'reverse' ? 'Its exact reverse' : 'It reverses'}: ${frame.counterpart}`,
    `-- sha256 of everything below the line that starts with \\set: ${checksum}`,
    '\\set ON_ERROR_STOP on',
    run,
  ]
    .filter((line, index) => line !== '' || index > 4)
    .join('\n');
}

/** Stops an installation file if GCOS is already installed. */
export const absentGuard = (names: Names): string => `do $gcos$
begin
  if to_regclass(${quoteLiteral(relation(names, 'gcos_migration'))}) is not null then
    raise exception 'GCOS is already installed in this schema; nothing was changed';
  end if;
end
$gcos$;`;

/** Stops a removal or upgrade file if the file was made for a different state of the schema. */
export function exactGuard(names: Names, steps: readonly string[]): string {
  const migrations = relation(names, 'gcos_migration');
  return `do $gcos$
declare
  found text[];
begin
  if to_regclass(${quoteLiteral(migrations)}) is not null then
    select array_agg(kind || ' ' || id order by kind, id) into found from ${migrations};
  end if;
  if found is distinct from array[${steps.map(quoteLiteral).join(', ')}]::text[] then
    raise exception 'the GCOS schema here is not the one this file was made for; nothing was changed';
  end if;
end
$gcos$;`;
}
