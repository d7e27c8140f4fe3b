-- What is known of the groups of these scopes ($2 null: all groups). A group is gone when it has no members and no object of its
-- own speaks for it; a count that must be computed anew says nothing.
with empty as materialized (
  select i.inventory_key
  from governance_inventory i
  where i.member_count = 0 and not i.recompute_needed and ($2::text[] is null or i.inventory_key = any ($2::text[]))
    and (
      select o.inventory_key
      from governance_candidate_object o
      where o.inventory_key = i.inventory_key and o.row_state = 'active'
      -- In the order of its index: without statistics the whole table looked cheaper.
      order by o.inventory_key, o.scope
      limit 1) is null
)
select g.group_key, g.inventory_key, g.scope, g.owner_scope, i.object_class, i.source_registry, i.axis_family,
  i.lifecycle_status, i.unresolved_reason, i.inherits, coalesce(i.member_count, 0)::text as member_count,
  coalesce(i.grain_count, 0)::text as grain_count, coalesce(i.h1, 0)::text as h1, coalesce(i.h2, 0)::text as h2,
  i.inventory_key in (select e.inventory_key from empty e) as gone
from governance_group g
join governance_inventory i on i.inventory_key = g.inventory_key
where g.scope = any ($1::text[]) and ($2::text[] is null or g.inventory_key = any ($2::text[]))
order by g.inventory_key collate "C", g.scope collate "C"
