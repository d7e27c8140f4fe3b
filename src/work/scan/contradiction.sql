-- name: readLastChange
-- The last recorded change of a verdict; 0: there is none.
select coalesce(max(h.history_id), 0) as history_id from governance_verdict_history h

-- name: hasUnmarkedRow
-- Whether the run :run_id changed a row that was valid before.
select exists (
  select from governance_verdict_history h where h.history_id > :after::bigint and h.run_id = :run_id::text and h.cause = 'unmarked') as unmarked

-- name: readChanged
-- Rows whose verdict or outcome the run :run_id changed, by inventory group; `unmarked`: those that were
-- valid before. What a run changed back counts as no change. Only changes after :after are read.
with own as (
  select h.row_id, bool_or(h.cause = 'unmarked') as unmarked,
    (array_agg(h.verdict_before order by h.history_id))[1] as verdict_before, (array_agg(h.verdict_after order by h.history_id desc))[1] as verdict_after,
    (array_agg(h.outcome_before order by h.history_id))[1] as outcome_before, (array_agg(h.outcome_after order by h.history_id desc))[1] as outcome_after
  from governance_verdict_history h
  where h.history_id > :after::bigint and h.run_id = :run_id::text
  group by h.row_id
)
select i.inventory_key, i.source_registry, i.object_class, c.risk_class, count(*) as changed, count(*) filter (where o.unmarked) as unmarked
from own o
join (
  select g.row_id, g.inventory_key, g.risk_class from governance_candidate_state g
  union all
  select b.row_id, b.inventory_key, b.risk_class from governance_candidate_object b
) as c on c.row_id = o.row_id
join governance_inventory i on i.inventory_key = c.inventory_key
where o.verdict_before is not null
  and (o.verdict_before, o.outcome_before) is distinct from (o.verdict_after, o.outcome_after)
group by i.inventory_key, i.source_registry, i.object_class, c.risk_class
order by i.inventory_key collate "C", c.risk_class

-- name: readMarkedSince
-- Inventory groups with a row that was marked at :since or later.
select g.inventory_key from governance_candidate_state g where g.dirty and g.dirtied_at >= :since::timestamptz
union
select o.inventory_key from governance_candidate_object o where o.dirty and o.dirtied_at >= :since::timestamptz
