// Owns the text that installs, upgrades or removes GCOS's schema. `gcos init` runs exactly the statements that
// `gcos init --dry-run` writes into the file for a DBA; only the frame around them differs.
import { createHash } from 'node:crypto';
import { quoteIdentifier, quoteLiteral } from '../quote.js';
import { type Grant, grantSql, recordGrantsSql, revokeSql, verifyGrantsSql } from './grant.js';
import { checksumOf, type Extension, type Migration, type Names, renderTemplate } from './migration.js';
import { dropRolesSql, ensureRolesSql, loginRoles, roleOf } from './role.js';

/** One installation, upgrade or removal at a time in one database. A transaction-level lock works behind a pooler. */
export const LOCK_SQL = "select pg_advisory_xact_lock(hashtextextended('gcos schema', 0));";

export interface InstallParts extends Names {
  readonly migrations: readonly Migration[];
  readonly extensions: readonly Extension[];
  /** What the roles still lack on the host. */
  readonly grants: readonly Grant[];
  readonly seeds: readonly string[];
  readonly appliedWith: 'gcos' | 'file';
}

export interface UninstallParts extends Names {
  readonly migrations: readonly Migration[];
  readonly extensions: readonly Extension[];
  /** What init and upgrade granted. */
  readonly grants: readonly Grant[];
  readonly purges: readonly string[];
  /** False when only something added later is removed: the roles are still needed. */
  readonly dropRoles: boolean;
}

function section(title: string, ...parts: readonly string[]): string {
  return [`-- ${title}`, ...parts.filter((part) => part !== '')].join('\n');
}

function relation(names: Names, table: string): string {
  return `${quoteIdentifier(names.schema)}.${quoteIdentifier(table)}`;
}

function record(
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
  return `insert into gcos_migration (kind, id, name, checksum, applied_with)\nvalues (${values.join(', ')});`;
}

/** Runs the given statements as the owner role, which may create tables only while they run. */
function asOwner(names: Names, ...statements: readonly string[]): string {
  const schema = quoteIdentifier(names.schema);
  const owner = quoteIdentifier(roleOf(names.rolePrefix, 'owner'));
  return [
    `grant create on schema ${schema} to ${owner};`,
    `set local role ${owner};`,
    ...statements,
    'reset role;',
    `revoke create on schema ${schema} from ${owner};`,
  ].join('\n');
}

function migrationSteps(parts: InstallParts): string[] {
  const core = parts.migrations.map((migration) =>
    section(
      `${String(migration.id).padStart(4, '0')} ${migration.name}`,
      renderTemplate(migration.up, parts).trim(),
      record('core', migration.id, migration, parts.appliedWith),
    ),
  );
  const extensions = parts.extensions.map((extension) =>
    section(
      `with ${extension.name}`,
      renderTemplate(extension.up, parts).trim(),
      `grant select on ${extension.tables.map((table) => relation(parts, table)).join(', ')} to ${loginRoles(parts.rolePrefix).map(quoteIdentifier).join(', ')};`,
      record('with', extension.id, extension, parts.appliedWith),
    ),
  );
  const seeds =
    parts.seeds.length === 0
      ? []
      : [section('rows GCOS needs', ...parts.seeds.map((seed) => renderTemplate(seed, parts).trim()))];
  return [...core, section('what was granted', recordGrantsSql(parts.grants)), ...extensions, ...seeds];
}

const GRANTS_TITLE =
  'what the roles may do with the host: all of them read; only the owner role, as whom nobody logs in, writes, for its functions';

export function installSql(parts: InstallParts): string {
  return [
    section('roles: created if missing, without passwords', ensureRolesSql(parts.rolePrefix)),
    section(GRANTS_TITLE, grantSql(parts, parts.grants)),
    section("GCOS's own tables", asOwner(parts, ...migrationSteps(parts))),
    section('every grant must have had its effect', verifyGrantsSql(parts, parts.grants)),
  ].join('\n\n');
}

export function upgradeSql(parts: InstallParts): string {
  return [
    section(GRANTS_TITLE, grantSql(parts, parts.grants)),
    section('pending migrations', asOwner(parts, ...migrationSteps(parts))),
    section('every grant must have had its effect', verifyGrantsSql(parts, parts.grants)),
  ].join('\n\n');
}

export function uninstallSql(parts: UninstallParts): string {
  const extensions = parts.extensions.map(
    (extension) =>
      `${renderTemplate(extension.down, parts).trim()}\ndelete from gcos_migration where kind = 'with' and id = ${extension.id};`,
  );
  const core = parts.migrations.toReversed().map((migration) => renderTemplate(migration.down, parts).trim());
  return [
    // While GCOS's own tables still say which rows are its own.
    ...(parts.purges.length === 0 ? [] : [section('rows GCOS wrote into host tables', ...parts.purges)]),
    section(
      "GCOS's own tables; nothing that others made is dropped with them",
      // The reverse of a view that was replaced is the view before it: that is created, too.
      asOwner(parts, ...extensions, ...core),
    ),
    section('privileges on the host, exactly as they were granted', revokeSql(parts, parts.grants)),
    ...(parts.dropRoles
      ? [section('roles that gcos init created and nobody else uses', dropRolesSql(parts.rolePrefix))]
      : []),
  ].join('\n\n');
}

export interface FileFrame {
  readonly title: string;
  readonly version: string;
  readonly schema: string;
  /** The name of the file with the reverse, or of the file this one reverses. */
  readonly counterpart: string | undefined;
  readonly counterpartRole: 'reverse' | 'forward';
  /** Statements that stop the file before it changes anything, if it does not fit the database. */
  readonly guard: string;
}

/** Wraps `body` into a file for psql: one transaction, a short lock time-out, a checksum over everything that runs. */
export function psqlFile(frame: FileFrame, body: string): string {
  const run = [
    'begin;',
    "set local lock_timeout = '3s';",
    `set local search_path = ${quoteIdentifier(frame.schema)}, pg_temp;`,
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
    '--   psql -X -v ON_ERROR_STOP=1 -f THIS_FILE "$DATABASE_URL"',
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

/** Stops an installation file where GCOS is installed already. */
export const ABSENT_GUARD = `do $gcos$
begin
  if to_regclass('gcos_migration') is not null then
    raise exception 'GCOS is already installed in this schema; nothing was changed';
  end if;
end
$gcos$;`;

/** Stops a removal or upgrade file where the schema is not the one the file was made for. */
export function exactGuard(steps: readonly string[]): string {
  return `do $gcos$
declare
  found text[];
begin
  if to_regclass('gcos_migration') is not null then
    select array_agg(kind || ' ' || id order by kind, id) into found from gcos_migration;
  end if;
  if found is distinct from array[${steps.map(quoteLiteral).join(', ')}]::text[] then
    raise exception 'the GCOS schema here is not the one this file was made for; nothing was changed';
  end if;
end
$gcos$;`;
}
