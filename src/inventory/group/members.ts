// Owns the SQL that unites member registries into one table: collection, code, and lifecycle status: the
// status if the registry has one, or the reason why the life of the member has ended anyway. The catalogue
// names the registries, so the text is built at run time.
import { quoteIdentifier, quoteLiteral } from '../../db/index.js';
import { type MemberLifecycle, type MemberRegistry, SUPERSEDED } from './class-map.js';

const NO_MEMBERS = 'select null::text, null::text, null::text where false';

/** Whether the members of `registry` can be read and identified. */
export function hasMembers(registry: MemberRegistry): boolean {
  return registry.present && registry.readable && registry.codeColumn !== null;
}

/** Whether the registry says anything about the lifecycle of its members. */
export const hasLifecycle = ({ hasStatus, lifecycle }: MemberRegistry): boolean =>
  hasStatus || lifecycle !== null;

const among = (value: string, values: readonly string[]): string =>
  `coalesce(${value} = any (array[${values.map(quoteLiteral).join(', ')}]::text[]), false)`;

/**
 * SQL: the members that another member replaces, as `ref`. A replacement counts if its life has not ended and
 * its status is not pending; one that has ended passes on that it was itself replaced. The chains are climbed
 * from their oldest member: a cycle has none, so its members, and those that lead into it, replace nothing.
 */
function replaced(name: string, status: string, lifecycle: MemberLifecycle): string {
  const { migrationColumn, supersedes, terminal, pending } = lifecycle;
  if (supersedes === null) return 'select null::text as ref where false';
  const ended = [
    among(status, [...terminal, ...pending]),
    ...(migrationColumn === null ? [] : [among(`m.${quoteIdentifier(migrationColumn)}::text`, terminal)]),
  ].join(' or ');
  return `with recursive link as materialized (
      select m.${quoteIdentifier(supersedes.refersTo)}::text as ref,
        nullif(m.${quoteIdentifier(supersedes.column)}::text, m.${quoteIdentifier(supersedes.refersTo)}::text) as replaces, ${ended} as ended
      from ${quoteIdentifier(name)} m
    ),
    chained as (
      select l.ref, l.replaces, l.ended from link l where not exists (select from link p where p.ref = l.replaces)
      union all
      select l.ref, l.replaces, l.ended from chained c join link l on l.replaces = c.ref
    ),
    replaced as (
      select c.replaces as ref from chained c where not c.ended and c.replaces is not null
      union
      select c.replaces from replaced r join chained c on c.ref = r.ref where c.ended and c.replaces is not null
    )
    select r.ref from replaced r`;
}

function membersOf(registry: MemberRegistry, codeColumn: string): string {
  const { name, hasStatus, lifecycle } = registry;
  const status = hasStatus ? 'm.status::text' : 'null::text';
  const code = `m.${quoteIdentifier(codeColumn)}`;
  const from = `from ${quoteIdentifier(name)} m`;
  if (lifecycle === null)
    return `select ${quoteLiteral(name)}::text, ${code}::text, ${status} ${from} where ${code} is not null`;
  const { migrationColumn, supersedes, terminal } = lifecycle;
  const migration = migrationColumn === null ? null : `m.${quoteIdentifier(migrationColumn)}::text`;
  const cases = [
    `when ${among(status, terminal)} then ${status}`,
    ...(migration === null ? [] : [`when ${among(migration, terminal)} then ${migration}`]),
    ...(supersedes === null ? [] : [`when d.ref is not null then ${quoteLiteral(SUPERSEDED)}`]),
  ];
  const join =
    supersedes === null
      ? ''
      : ` left join (${replaced(name, status, lifecycle)}) as d on d.ref = m.${quoteIdentifier(supersedes.refersTo)}::text`;
  return `select ${quoteLiteral(name)}::text, ${code}::text, case ${cases.join(' ')} else ${status} end ${from}${join} where ${code} is not null`;
}

/** SQL that returns collection, code and lifecycle status of all members of `registries`. */
export function memberTable(registries: readonly MemberRegistry[]): string {
  const parts = registries.flatMap((registry) =>
    !hasMembers(registry) || registry.codeColumn === null ? [] : [membersOf(registry, registry.codeColumn)],
  );
  return parts.length === 0 ? NO_MEMBERS : parts.join('\n  union all\n  ');
}
