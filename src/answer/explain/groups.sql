-- The groups of one inventory group, found by its own key or by the key of one of them, also by a key that was superseded.
select i.inventory_key, i.object_class, i.source_registry, i.axis_family, i.lifecycle_status, i.unresolved_reason, i.inherits,
  i.member_count, g.group_key, g.scope, g.owner_scope, g.anchor
from governance_inventory i
left join governance_group g on g.inventory_key = i.inventory_key
where i.inventory_key = $1::text
  or i.inventory_key = (select k.inventory_key from governance_group k where k.group_key = $1::text)
  or i.inventory_key = (select c.inventory_key from governance_candidate_state c where c.group_key = $1::text limit 1)
order by g.scope collate "C"
