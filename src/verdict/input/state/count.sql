-- How many objects and collections are in each state; the births of groups that wait for the backfill.
select s.input_state, count(*) as subjects
from governance_input_state s
where s.cured_at is null
group by s.input_state
union all
select 'needs_backfill', coalesce(sum(i.member_count), 0)::bigint
from governance_inventory i
where i.inventory_key in (
  select c.inventory_key from governance_candidate_state c
  where c.row_state = 'active' and c.input_quality_state = 'needs_backfill')
