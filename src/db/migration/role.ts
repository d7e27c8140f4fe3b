// Owns the database roles: their names, and the SQL that creates and drops them. Roles are cluster-wide. GCOS
// drops only roles that it created (marked by their comment) and that no other database uses.
import { quoteIdentifier, quoteLiteral } from '../quote.js';

/**
 * `owner` owns the tables beside the host's and the functions that read and write host tables; `trust_owner`
 * owns what carries trust, and never touches a host table; `source` owns the host's tables where GCOS created
 * them, and nothing but functions elsewhere. None of them can log in. The other roles log in and own nothing.
 * `server` is the login of `gcos serve`: it may what `api` may, and its own session has no person.
 */
export const ROLE_NAMES = [
  'owner',
  'trust_owner',
  'source',
  'reader',
  'worker',
  'api',
  'server',
  'pruner',
] as const;
export type RoleName = (typeof ROLE_NAMES)[number];

/** The roles that own objects; the role that installs is a member of all of them meanwhile. */
export const OWNER_NAMES = ['owner', 'trust_owner', 'source'] as const satisfies readonly RoleName[];
const isOwner = (name: RoleName): boolean => (OWNER_NAMES as readonly RoleName[]).includes(name);

const ROLE_MARK = 'gcos: created by gcos init';

export function roleOf(prefix: string, name: RoleName): string {
  return `${prefix}${name}`;
}

/** The roles that log in, as a list for GRANT and REVOKE. */
export function loginRoles(prefix: string): readonly string[] {
  return ROLE_NAMES.filter((name) => !isOwner(name)).map((name) => roleOf(prefix, name));
}

const ATTRIBUTES: Readonly<Record<RoleName, string>> = {
  owner: 'nologin noinherit',
  trust_owner: 'nologin noinherit',
  source: 'nologin noinherit',
  reader: 'login noinherit',
  worker: 'login noinherit',
  api: 'login noinherit',
  server: 'login noinherit',
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
  if (!isOwner(name)) statements.push(`alter role ${role} set row_security = off;`);
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
    comment on role ${quoteIdentifier(role)} is ${quoteLiteral(ROLE_MARK)};${limit}
  end if;
exception when duplicate_object or unique_violation then null;
end
$gcos$;`;
  }).join('\n');
}

/**
 * Makes the connected role a member of the owner roles while it creates, changes or drops their objects. A
 * superuser needs no membership. The role must be able to use it (SET), which an ADMIN option alone does not
 * allow.
 */
export function joinOwnersSql(prefix: string): string {
  return `do $gcos$
declare
  role name;
begin
  if (select rolsuper from pg_roles where rolname = session_user) then
    return;
  end if;
  foreach role in array ${ownerList(prefix)} loop
    begin
      execute format('grant %I to %I', role, session_user);
    exception when insufficient_privilege then
      if not pg_has_role(session_user, role, 'member') then
        raise exception '% is not a member of % and may not become one', session_user, role using errcode = 'insufficient_privilege',
          hint = format('have an operator run: grant %I to %I', role, session_user);
      end if;
    end;
  end loop;
end
$gcos$;`;
}

/**
 * Ends the membership: a login that is a member of an owner role could act as its functions do. A membership
 * that another role granted stays, and `gcos doctor` reports it. With `andRead` the role may read from then
 * on, as a member of the reader role.
 */
export function leaveOwnersSql(prefix: string, andRead: boolean): string {
  const read = andRead
    ? `
  begin
    execute format('grant %I to %I', ${quoteLiteral(roleOf(prefix, 'reader'))}, session_user);
  exception when insufficient_privilege then
    raise notice '% may not become a member of ${roleOf(prefix, 'reader')}: an operator decides what it reads', session_user;
  end;`
    : '';
  return `do $gcos$
declare
  role name;
begin
  if (select rolsuper from pg_roles where rolname = session_user) then
    return;
  end if;
  foreach role in array ${ownerList(prefix)} loop
    begin
      if exists (select from pg_roles where rolname = role) then
        execute format('revoke %I from %I', role, session_user);
      end if;
    exception when insufficient_privilege then
      raise notice 'the membership of % in % stays: another role granted it', session_user, role;
    end;
  end loop;${read}
end
$gcos$;`;
}

const ownerList = (prefix: string): string =>
  `array[${OWNER_NAMES.map((name) => quoteLiteral(roleOf(prefix, name))).join(', ')}]::name[]`;

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
