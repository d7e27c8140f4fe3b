// Owns what GCOS grants its roles on the host: only what they do not have yet, written down, verified, and taken back
// exactly. A privilege an operator gave them before stays theirs.
import { quoteIdentifier, quoteLiteral } from '../quote.js';
import type { Transaction } from '../transaction.js';
import { readAcl } from './grant.sql.js';
import type { Names } from './migration.js';
import { ROLE_NAMES, roleOf } from './role.js';

/** What GCOS may do with the host: everybody reads, and the owner role, as whom nobody logs in, writes for its functions. */
export interface HostGrants {
  readonly read: readonly string[];
  /** The owner role's own privileges: `insert` for appending, `update` for writing, `delete` only where rows are pruned. */
  readonly write: readonly {
    readonly relation: string;
    readonly privileges: readonly ('insert' | 'update' | 'delete')[];
  }[];
  /** Sequences that feed the keys of tables the owner role inserts into. */
  readonly sequences: readonly string[];
}

/** One privilege of one role; relation '' is the schema itself. */
export interface Grant {
  readonly relation: string;
  readonly grantee: string;
  readonly privilege: string;
}

export const roleNames = (names: Names): string[] => ROLE_NAMES.map((name) => roleOf(names.rolePrefix, name));

function wanted(names: Names, host: HostGrants): Grant[] {
  const roles = roleNames(names);
  const owner = roleOf(names.rolePrefix, 'owner');
  return [
    ...roles.map((grantee) => ({ relation: '', grantee, privilege: 'usage' })),
    ...host.read.flatMap((relation) => roles.map((grantee) => ({ relation, grantee, privilege: 'select' }))),
    ...host.write.flatMap(({ relation, privileges }) =>
      privileges.map((privilege) => ({ relation, grantee: owner, privilege })),
    ),
    ...host.sequences.map((relation) => ({ relation, grantee: owner, privilege: 'usage' })),
  ];
}

const keyOf = (grant: Grant): string => JSON.stringify([grant.relation, grant.grantee, grant.privilege]);

/** What is wanted and not there yet. */
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

/** One statement per relation and privilege, for all roles that get or lose it. */
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

/** Writes down what was granted, so that exactly that is taken back. */
export function recordGrantsSql(grants: readonly Grant[]): string {
  if (grants.length === 0) return '';
  const rows = grants.map(
    (grant) => `(${[grant.relation, grant.grantee, grant.privilege].map(quoteLiteral).join(', ')})`,
  );
  return `insert into gcos_grant (relation, grantee, privilege) values\n${rows.join(',\n')}\non conflict do nothing;`;
}

/** Fails the transaction if a grant had no effect: granting without grant option is only a warning to the server. */
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
