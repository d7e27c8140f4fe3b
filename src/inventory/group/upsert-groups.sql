-- One group per inventory group and scope; a new owner is a new key. Groups that are as stored are not touched.
insert into governance_group (group_key, inventory_key, scope, owner_scope, anchor)
select g.group_key, g.inventory_key, g.scope, g.owner_scope, g.anchor
from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
  as g(group_key, inventory_key, scope, owner_scope, anchor)
where not exists (
  select from governance_group s where s.group_key = g.group_key and s.anchor is not distinct from g.anchor)
order by g.inventory_key collate "C", g.scope collate "C"
on conflict (inventory_key, scope) do update
set group_key = excluded.group_key, owner_scope = excluded.owner_scope, anchor = excluded.anchor
returning (xmax = 0) as created
