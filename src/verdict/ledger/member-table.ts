// Owns the ledger's SQL text that unites the member registries into one table. The catalogue names them, so
// the text is built at run time. INVARIANT: the two sides of a ledger share no SQL, so this file does not use
// the text of inventory/group, with which the rows were written.
import { quoteIdentifier, quoteLiteral } from '../../db/index.js';
import { type ClassMap, type MemberRegistry, SUPERSEDED } from '../../inventory/group/index.js';

const NO_MEMBERS = 'select null::text, null::text, null::text where false';

/** The readable registries of classes that do not inherit: their members count one by one. */
export function memberRegistries(map: ClassMap): readonly MemberRegistry[] {
  const found = map.classes.flatMap(({ inherits, registry }) =>
    inherits || registry === null || !registry.present || !registry.readable || registry.codeColumn === null
      ? []
      : [[registry.name, registry] as const],
  );
  return [...new Map(found).values()];
}

const texts = (values: readonly string[]): string =>
  values.length === 0 ? "('')" : `(${values.map(quoteLiteral).join(', ')})`;

/**
 * SQL: the lifecycle status of member `m` of `registry`, and the join that it needs. Whatever says that the
 * life has ended counts before a status that does not.
 */
function lifecycleOf(
  registry: MemberRegistry,
  table: string,
): { readonly status: string; readonly join: string } {
  const { hasStatus, lifecycle } = registry;
  const status = hasStatus ? 'm.status::text' : 'null::text';
  if (lifecycle === null) return { status, join: '' };
  const { migrationColumn, supersedes, terminal, pending } = lifecycle;
  const over = texts(terminal);
  const migration = migrationColumn === null ? 'null::text' : `m.${quoteIdentifier(migrationColumn)}::text`;
  const own = `coalesce(case when ${status} in ${over} then ${status} end, case when ${migration} in ${over} then ${migration} end)`;
  if (supersedes === null) return { status: `coalesce(${own}, ${status})`, join: '' };
  const id = `m.${quoteIdentifier(supersedes.refersTo)}::text`;
  const older = `m.${quoteIdentifier(supersedes.column)}::text`;
  // `ranked` has no member of a cycle, nor one that leads into it: neither is above an oldest member.
  const join = `
    left join (
      with recursive edge as materialized (
        select ${id} as id, case when ${older} <> ${id} then ${older} end as older,
          ${own} is null and (${status} in ${texts(pending)}) is not true as alive
        from ${table} m
      ),
      ranked as (
        select e.* from edge e left join edge o on o.id = e.older where o.id is null
        union all
        select e.* from ranked r join edge e on e.older = r.id
      ),
      over as (
        select r.older as id from ranked r where r.alive and r.older is not null
        union
        select r.older from over o join ranked r on r.id = o.id where not r.alive and r.older is not null
      )
      select o.id from over o
    ) as newer on newer.id = ${id}`;
  return {
    status: `coalesce(${own}, case when newer.id is not null then ${quoteLiteral(SUPERSEDED)} end, ${status})`,
    join,
  };
}

/** SQL that returns collection, code and lifecycle status of all members of `registries`, in `schema`. */
export function memberTable(registries: readonly MemberRegistry[], schema?: string): string {
  const parts = registries.flatMap((registry) => {
    const { name, codeColumn } = registry;
    if (codeColumn === null) return [];
    const table = `${schema === undefined ? '' : `${schema}.`}${quoteIdentifier(name)}`;
    const { status, join } = lifecycleOf(registry, table);
    return [
      `select ${quoteLiteral(name)}::text, m.${quoteIdentifier(codeColumn)}::text, ${status} from ${table} m${join}`,
    ];
  });
  return parts.length === 0 ? NO_MEMBERS : parts.join('\n  union all\n  ');
}
