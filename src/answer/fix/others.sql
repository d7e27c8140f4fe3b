-- Open findings about coverage that are no missing link of a unit: each is a fix of its own. $1: the words for a closed finding; $2: types
-- that are always so; $3: types that are so where nothing in the inventory is their subject. What an axis groups is counted with it.
select k.issue_code as code, k.finding_type as type, k.subject, k.scope, k.severity, k.routes, k.ruleset, f.closed_when,
  i.entity_type::text as entity_type, i.entity_code::text as entity_code, i.run_id::text as run, n.objects, n.members, n.sample
from governance_finding_key k
join governance_finding_type f on f.finding_type = k.finding_type
join system_issues i on i.id = k.issue_id and i.code = k.issue_code
cross join lateral (
  select coalesce(sum(v.grain_count), 0)::bigint as objects,
    coalesce(sum(v.member_count) filter (where v.inherits), 0)::bigint as members,
    coalesce((array_agg(distinct v.source_registry))[1:5], '{}') as sample
  from governance_inventory v
  where k.finding_type = 'axis_unregistered' and v.axis_family = k.subject
) as n
where not k.is_summary and (i.status::text = any ($1::text[])) is not true
  and (k.finding_type = any ($2::text[])
    or (k.finding_type = any ($3::text[]) and k.scope is null
      and not exists (select from governance_inventory v where v.inventory_key = k.subject)))
order by k.issue_id
