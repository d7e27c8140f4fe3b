-- name: lock
-- Serialises requests: a session that requests the same exception a moment later finds the first request.
select gcos_take_lock('exception') as locked

-- name: readSame
-- The exception for the same subject, scope and link that waits for approval at :at, otherwise one in
-- force then; the one that ends last.
-- nullable: :collection, :code, :inventory_key, :object_class, :link
select s.exception_code
from governance_exception_status(:at::timestamptz) s
where s.subject_kind = :kind::text and s.collection_name is not distinct from :collection::text and s.entity_code is not distinct from :code::text
  and s.inventory_key is not distinct from :inventory_key::text and s.object_class is not distinct from :object_class::text and s.scope = :scope::text
  and s.link is not distinct from :link::text and s.status in ('waiting', 'in_force')
order by s.status = 'waiting' desc, s.expires_at desc, s.exception_code
limit 1

-- name: readEnd
select :at::timestamptz + make_interval(secs => :seconds::float8) as ends_at

-- name: resolveGroup
-- The inventory group of a key: an inventory key, or the key of one of its groups.
select i.inventory_key
from governance_inventory i
where i.inventory_key = :key::text
union
select g.inventory_key
from governance_group g
where g.group_key = :key::text
limit 1
