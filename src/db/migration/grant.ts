// Owns the privileges that GCOS grants its roles on the host. GCOS grants only missing privileges, records
// and verifies them, and later revokes exactly these. A privilege that an operator granted earlier stays.
import { quoteIdentifier, quoteLiteral } from '../quote.js';
import type { Transaction } from '../transaction.js';
import { readAcl } from './grant.sql.js';
import type { Names } from './migration.js';
import { ROLE_NAMES, roleOf } from './role.js';

/**
 * The privileges of GCOS on the host. All GCOS roles read. Only the owner role writes, through its functions;
 * it has no login.
 */
export interface HostGrants {
  readonly read: readonly string[];
  /**
   * Privileges of the owner role: `insert`, `update`, and `delete` only on tables from which GCOS prunes
   * rows.
   */
  readonly write: readonly {
    readonly relation: string;
    readonly privileges: readonly ('insert' | 'update' | 'delete')[];
  }[];
  /** Sequences that generate keys of the tables into which the owner role inserts. */
  readonly sequences: readonly string[];
}

/** One privilege of one role; relation '' is the schema itself. */
export interface Grant {
  readonly relation: string;
  readonly grantee: string;
  readonly privilege: string;
}

export const roleNames = (names: Names): string[] => ROLE_NAMES.map((name) => roleOf(names.rolePrefix, name));

/**
 * INVARIANT: the owner of what carries trust has no privilege on the host, so no code of the host runs as it.
 * The role of sources owns the host's tables, or must not touch them: all it gets is to see whether it does.
 */
const hostRoles = (names: Names): string[] =>
  ROLE_NAMES.filter((name) => name !== 'trust_owner' && name !== 'source').map((name) =>
    roleOf(names.rolePrefix, name),
  );

function wanted(names: Names, host: HostGrants): Grant[] {
  const roles = hostRoles(names);
  const owner = roleOf(names.rolePrefix, 'owner');
  return [
    ...[...roles, roleOf(names.rolePrefix, 'source')].map((grantee) => ({
      ...{ relation: '', grantee, privilege: 'usage' },
    })),
    ...host.read.flatMap((relation) => roles.map((grantee) => ({ relation, grantee, privilege: 'select' }))),
    ...host.write.flatMap(({ relation, privileges }) =>
      privileges.map((privilege) => ({ relation, grantee: owner, privilege })),
    ),
    ...host.sequences.map((relation) => ({ relation, grantee: owner, privilege: 'usage' })),
  ];
}

const keyOf = (grant: Grant): string => JSON.stringify([grant.relation, grant.grantee, grant.privilege]);

/** The required privileges that the roles do not have yet. */
export async function missingGrants(
  tx: Transaction,
  names: Names,
  host: HostGrants,
): Promise<readonly Grant[]> {
  const present = new Set(
    (await tx.run(readAcl, { schema: names.schema, roles: roleNames(names) })).map(keyOf),
  );
  return wanted(names, host).filter((grant) => !present.has(keyOf(grant)));
}

/** One statement per relation and privilege, for all affected roles. */
function statements(names: Names, grants: readonly Grant[], verb: 'grant' | 'revoke'): string[] {
  const groups = new Map<string, { grant: Grant; roles: string[] }>();
  for (const grant of grants) {
    const key = JSON.stringify([grant.relation, grant.privilege]);
    const group = groups.get(key) ?? { grant, roles: [] };
    group.roles.push(quoteIdentifier(grant.grantee));
    groups.set(key, group);
  }
  const schema = quoteIdentifier(names.schema);
  return [...groups.values()].map(({ grant, roles }) => {
    const kind = grant.relation === '' ? 'schema' : grant.privilege === 'usage' ? 'sequence' : 'table';
    const object = grant.relation === '' ? schema : `${schema}.${quoteIdentifier(grant.relation)}`;
    return `${verb} ${grant.privilege} on ${kind} ${object} ${verb === 'grant' ? 'to' : 'from'} ${roles.join(', ')};`;
  });
}

export const grantSql = (names: Names, grants: readonly Grant[]): string =>
  statements(names, grants, 'grant').join('\n');
export const revokeSql = (names: Names, grants: readonly Grant[]): string =>
  statements(names, grants, 'revoke').join('\n');

/** Records the granted privileges, so that uninstall revokes exactly these. */
export function recordGrantsSql(names: Names, grants: readonly Grant[]): string {
  if (grants.length === 0) return '';
  const rows = grants.map(
    (grant) => `(${[grant.relation, grant.grantee, grant.privilege].map(quoteLiteral).join(', ')})`,
  );
  return `insert into ${quoteIdentifier(names.schema)}.gcos_grant (relation, grantee, privilege) values\n${rows.join(',\n')}\non conflict do nothing;`;
}

/** Fails the transaction if a grant had no effect: for GRANT without grant option the server only warns. */
export function verifyGrantsSql(names: Names, grants: readonly Grant[]): string {
  const tables = grants.filter((grant) => grant.relation !== '' && grant.privilege !== 'usage');
  if (tables.length === 0) return '';
  const column = (pick: (grant: Grant) => string) =>
    `array[${tables.map((grant) => quoteLiteral(pick(grant))).join(', ')}]::text[]`;
  return `do $gcos$
declare
  lacking text;
begin
  select string_agg(distinct g.relation, ', ') into lacking
  from unnest(${column((grant) => grant.relation)},
    ${column((grant) => grant.grantee)},
    ${column((grant) => grant.privilege)}) as g(relation, grantee, privilege)
  where not has_table_privilege(g.grantee, format('%I.%I', ${quoteLiteral(names.schema)}, g.relation), g.privilege);
  if lacking is not null then
    raise exception 'privileges could not be granted on: %', lacking using errcode = 'insufficient_privilege',
      hint = 'connect as the owner of these tables';
  end if;
end
$gcos$;`;
}
