-- Live rows beyond the first of one place or one object, per scope. Indexes forbid them; the ledger looks nevertheless.
select d.scope, sum(d.rows - 1)::bigint as duplicates
from (
  select g.scope, count(*) as rows
  from governance_candidate_state g
  where g.row_state in ('active', 'retired')
  group by g.scope, g.inventory_key
  having count(*) > 1
  union all
  select o.scope, count(*)
  from governance_candidate_object o
  where o.row_state in ('active', 'retired')
  group by o.scope, o.collection_name, o.entity_code
  having count(*) > 1
) d
group by d.scope
