// Owns the database roles: their names, and the SQL that creates and drops them. Roles are cluster-wide. GCOS
// drops only roles that it created (marked by their comment) and that no other database uses.
import { quoteIdentifier, quoteLiteral } from '../quote.js';

/** `owner` owns GCOS's objects and cannot log in; the other roles log in and own nothing. */
export const ROLE_NAMES = ['owner', 'reader', 'worker', 'api', 'pruner'] as const;
export type RoleName = (typeof ROLE_NAMES)[number];

const ROLE_MARK = 'gcos: created by gcos init';

export function roleOf(prefix: string, name: RoleName): string {
  return `${prefix}${name}`;
}

/** The roles that log in, as a list for GRANT and REVOKE. */
export function loginRoles(prefix: string): readonly string[] {
  return ROLE_NAMES.filter((name) => name !== 'owner').map((name) => roleOf(prefix, name));
}

const ATTRIBUTES: Readonly<Record<RoleName, string>> = {
  owner: 'nologin noinherit',
  reader: 'login noinherit',
  worker: 'login noinherit',
  api: 'login noinherit',
  pruner: 'login noinherit',
};

/**
 * Limits what a query of a detector writes to temporary files. Only a superuser may set this limit, or a role
 * with that privilege; the reader cannot raise it.
 */
export function limitFilesSql(prefix: string): string {
  return `alter role ${quoteIdentifier(roleOf(prefix, 'reader'))} set temp_file_limit = '1GB';`;
}

/**
 * The statements that create one role without a password: no login is possible until an operator sets one.
 */
export function createRoleSql(prefix: string, name: RoleName): string {
  const role = quoteIdentifier(roleOf(prefix, name));
  const statements = [`create role ${role} ${ATTRIBUTES[name]} nosuperuser nocreatedb nocreaterole;`];
  if (name !== 'owner') statements.push(`alter role ${role} set row_security = off;`);
  if (name === 'reader') statements.push(`alter role ${role} set default_transaction_read_only = on;`);
  return statements.join('\n');
}

/**
 * Creates the missing roles. It ignores "already exists", because another installation may create them
 * meanwhile.
 */
export function ensureRolesSql(prefix: string): string {
  return ROLE_NAMES.map((name) => {
    const role = roleOf(prefix, name);
    // A login that is not a superuser must be a member of the owner role to create objects for it.
    const membership =
      name === 'owner'
        ? `
    if not (select rolsuper from pg_roles where rolname = current_user) then
      grant ${quoteIdentifier(role)} to current_user;
    end if;`
        : '';
    const limit =
      name === 'reader'
        ? `
    begin
      ${limitFilesSql(prefix)}
    exception when insufficient_privilege then
      raise notice 'the temporary files of detectors have no limit: only a superuser can set it';
    end;`
        : '';
    return `do $gcos$
begin
  if not exists (select from pg_roles where rolname = ${quoteLiteral(role)}) then
    ${createRoleSql(prefix, name).replaceAll('\n', '\n    ')}
    comment on role ${quoteIdentifier(role)} is ${quoteLiteral(ROLE_MARK)};${membership}${limit}
  end if;
exception when duplicate_object or unique_violation then null;
end
$gcos$;`;
  }).join('\n');
}

/** Drops the roles that GCOS created, unless another database of the cluster still uses them. */
export function dropRolesSql(prefix: string): string {
  const list = ROLE_NAMES.map((name) => quoteLiteral(roleOf(prefix, name))).join(', ');
  return `do $gcos$
declare
  role name;
begin
  for role in
    select r.rolname from pg_roles r
    where r.rolname in (${list}) and shobj_description(r.oid, 'pg_authid') = ${quoteLiteral(ROLE_MARK)}
  loop
    begin
      execute format('drop role %I', role);
    -- Internal error: another database that uses the role was dropped while PostgreSQL named what depends on
    -- it.
    exception when dependent_objects_still_exist or insufficient_privilege or internal_error then
      raise notice 'role % is kept: it is still in use, or the connected role may not drop it', role;
    end;
  end loop;
end
$gcos$;`;
}
