// An estate without pending work for intake and scan, for each test; and queries for the groups that a change
// marks and the rows that a scan writes.
import { afterEach, beforeEach } from 'vitest';
import { asHost } from './database.js';
import { createEstate, type Estate } from './estate.js';

export let estate: Estate;

/** Provides a new estate for each test of the file. */
export function useReconciled(): void {
  beforeEach(async () => {
    estate = await createEstate('reconciled');
  });
  afterEach(() => estate?.close());
}

export const host = (text: string) => asHost(estate.url, text);
export const number = async (text: string) => Number((await host(text))[0]?.['n']);
export const intake = () => estate.gcos.intakes.once();
export const scan = (mode: 'event' | 'incremental' | 'full') => estate.gcos.scans.run({ mode });

export interface Mark {
  readonly key: string;
  readonly registry: string;
  readonly scope: string;
  readonly reason: string;
}
export const marks = async () =>
  (await host(
    `select distinct u.inventory_key as key, i.source_registry as registry, u.scope, u.reason from (
       select inventory_key, scope, dirty_reason as reason from governance_candidate_state where dirty and row_state = 'active'
       union all select inventory_key, scope, dirty_reason from governance_candidate_object where dirty and row_state = 'active') u
     join governance_inventory i using (inventory_key) order by 2, 3, 4`,
  )) as unknown as Mark[];
/** A hash over the row versions of all inventory groups except `keys`. */
export const others = (keys: readonly string[]) =>
  host(
    ['governance_candidate_state', 'governance_candidate_object']
      .map(
        (table) =>
          `select '${table}' as t, md5(string_agg(row_id::text || xmin::text, '|' order by row_id)) as v from ${table}
           where inventory_key <> all ('{${keys.join(',')}}') and row_state <> 'superseded'`,
      )
      .join(' union all '),
  );
export const bear = (collection: string, prefix: string, count: number, status = 'born') =>
  host(
    `insert into birth_registry (entity_code, collection_name, species_code, composition_level, dot_origin, governance_role, status)
     select '${prefix}-' || n, b.collection_name, b.species_code, b.composition_level, b.dot_origin, b.governance_role, '${status}'
     from generate_series(1, ${count}) as n,
       (select * from birth_registry where collection_name = '${collection}' and status = '${status}' order by id limit 1) as b`,
  );
/** The number of open findings about coverage that satisfy `where`. */
export const coverage = (where = 'true') =>
  number(
    `select count(*)::int as n from system_issues s join governance_finding_key k on k.issue_id = s.id
     join governance_finding_type t on t.finding_type = k.finding_type
     where s.status = 'open' and t.family = 'coverage' and ${where}`,
  );
