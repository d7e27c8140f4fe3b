// Counts the inventory of the demo estate by plain SQL over birth_registry, the catalogue and the member
// registries. It shares no statement, function or table with the product.
import { asHost } from './database.js';

/** The member registries of the estate, each with the column of its codes. */
const REGISTRIES: Readonly<Record<string, string>> = {
  normative_registry: 'law_code',
  law_catalog: 'code',
  governance_docs: 'doc_code',
  law_jurisdiction: 'code',
  governance_registry: 'code',
  measurement_registry: 'measurement_id',
  universal_rule_registry: 'rule_code',
  dot_tools: 'dot_code',
  information_unit: 'unit_id',
  axis_registry: 'axis_code',
  pivot_definitions: 'code',
  event_type_registry: 'code',
  derived_objects_registry: 'code',
  route_registry: 'route_code',
  policy_registry: 'policy_code',
  exception_registry: 'exception_code',
  table_registry: 'table_code',
  binding_registry: 'binding_code',
};

export interface Recount {
  readonly births: number;
  /** Collections by class and status, of classes whose members inherit. */
  readonly containers: number;
  /** Keys of classes whose members count one by one. */
  readonly singles: number;
  /** Members that a registry lists and that have no birth, as `collection code`. */
  readonly unborn: readonly string[];
  /** All units: what the ledger must account for in every scope. */
  readonly units: number;
}

/** The first line of the catalogue for a collection that satisfies `where`. */
const classWhere = (where: string) =>
  `(select m.entity_type from meta_catalog m
    where coalesce(nullif(m.registry_collection, ''), m.collection_name) = k.collection_name and ${where} order by m.code limit 1)`;

const BORN = `
  with class as materialized (
    select k.*, coalesce(${classWhere('m.species_code = k.species_code')}, ${classWhere('true')}) as class
    from (select distinct collection_name, species_code from birth_registry) k
  ),
  grain as materialized (
    select c.*, coalesce((select p.inherits from coverage_profile p where c.class like p.class_pattern
        order by p.class_pattern = c.class desc, p.profile_code limit 1), true) as inherits
    from class c
  )
  select count(*)::int as births,
    count(distinct (b.collection_name, g.class, b.status)) filter (where g.inherits)::int as containers,
    count(distinct (b.collection_name, b.entity_code)) filter (where not g.inherits)::int as singles
  from birth_registry b
  join grain g on g.collection_name = b.collection_name and g.species_code is not distinct from b.species_code`;

const UNBORN = Object.entries(REGISTRIES)
  .map(
    ([table, column]) =>
      `select '${table} ' || m.${column} as name from ${table} m
       where m.${column} not in (select entity_code from birth_registry where collection_name = '${table}')`,
  )
  .join(' union all ');

export async function recount(url: string): Promise<Recount> {
  const [born] = (await asHost(url, BORN)) as Pick<Recount, 'births' | 'containers' | 'singles'>[];
  const unborn = (await asHost(url, UNBORN)).map((row) => String(row['name'])).sort();
  if (born === undefined) throw new Error('nothing was counted');
  return { ...born, unborn, units: born.containers + born.singles + unborn.length };
}
