// Owns the database roles: who they are, how they are created or printed, and how they go away.
// Roles are cluster-wide. GCOS drops only roles it created (marked by their comment) that no other database uses.
import { quoteIdentifier, quoteLiteral } from '../quote.js';

/** owner owns GCOS's objects and cannot log in; the others log in and own nothing. */
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

/** The statements that create one role; they set no password, so nobody can log in before an operator gives it one. */
export function createRoleSql(prefix: string, name: RoleName): string {
  const role = quoteIdentifier(roleOf(prefix, name));
  const statements = [`create role ${role} ${ATTRIBUTES[name]} nosuperuser nocreatedb nocreaterole;`];
  if (name !== 'owner') statements.push(`alter role ${role} set row_security = off;`);
  if (name === 'reader') statements.push(`alter role ${role} set default_transaction_read_only = on;`);
  return statements.join('\n');
}

/** Creates what is missing; two installations in one cluster may race, and then the other one has created it. */
export function ensureRolesSql(prefix: string): string {
  return ROLE_NAMES.map((name) => {
    const role = roleOf(prefix, name);
    // Without superuser rights, owning objects on behalf of a role takes membership in it.
    const membership =
      name === 'owner'
        ? `
    if not (select rolsuper from pg_roles where rolname = current_user) then
      grant ${quoteIdentifier(role)} to current_user;
    end if;`
        : '';
    return `do $gcos$
begin
  if not exists (select from pg_roles where rolname = ${quoteLiteral(role)}) then
    ${createRoleSql(prefix, name).replaceAll('\n', '\n    ')}
    comment on role ${quoteIdentifier(role)} is ${quoteLiteral(ROLE_MARK)};${membership}
  end if;
exception when duplicate_object or unique_violation then null;
end
$gcos$;`;
  }).join('\n');
}

/** Drops the roles GCOS created, as far as no other database of the cluster still uses them. */
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
    exception when dependent_objects_still_exist or insufficient_privilege then
      raise notice 'role % is still in use, or not ours to drop, and stays', role;
    end;
  end loop;
end
$gcos$;`;
}
