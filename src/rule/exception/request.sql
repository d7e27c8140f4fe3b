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

-- name: readOpenGaps
-- The terms of exceptions for objects, of those that are relevant and have none that waits or is in force:
-- one row for those that their proposer may approve, and one for those of risk write_high.
with asked as materialized (
  select g.collection_name, g.entity_code, g.scope, g.link, g.place
  from unnest(:collections::text[], :codes::text[], :scopes::text[], :links::text[]) with ordinality
    as g(collection_name, entity_code, scope, link, place)
),
live as materialized (
  select s.collection_name, s.entity_code, s.scope, s.link
  from governance_exception_status(:at::timestamptz) s
  where s.subject_kind = 'object' and s.status in ('waiting', 'in_force')
),
open as materialized (
  select a.collection_name, a.entity_code, a.scope, a.link, a.place,
    gcos_exception_fingerprint('object', a.collection_name, a.entity_code, null, null, a.scope, a.link) as fingerprint
  from asked a
  where not exists (
    select from live l
    where l.collection_name = a.collection_name and l.entity_code = a.entity_code and l.scope = a.scope and l.link = a.link)
),
-- As the database decides who may approve (gcos_exception_is_high_risk): the risk of the object, and of its
-- group.
contained as materialized (
  select p.places[g.no] as place, g.inventory_key
  from (
    select array_agg(o.collection_name order by o.place) as collections, array_agg(o.entity_code order by o.place) as codes,
      array_agg(o.place order by o.place) as places
    from open o) p
  cross join lateral gcos_groups_of(p.collections, p.codes) g
),
risk as materialized (
  select c.place, s.risk_class
  from contained c
  join governance_candidate_state s on s.inventory_key = c.inventory_key and s.row_state = 'active'
  union all
  select o.place, m.risk_class
  from open o
  join governance_candidate_object m on m.object_key = gcos_object_key(o.collection_name, o.entity_code) and m.row_state = 'active'
),
high as materialized (
  select r.place, bool_or(coalesce(r.risk_class, '') not in ('write_low', 'read', 'descriptive')) as is_high
  from risk r
  group by r.place
)
select jsonb_agg(gcos_exception_terms('object', o.collection_name, o.entity_code, null, null, o.scope, o.link,
  :until::timestamptz, o.fingerprint) order by o.place)::text as terms, count(*) as gaps
from open o
left join high h on h.place = o.place
where o.fingerprint is not null
group by coalesce(h.is_high, true)
order by coalesce(h.is_high, true)

-- name: grantListed
-- nullable: granted, person_ref, :as
select g.outcome, g.granted, g.person_ref, g.login from gcos_grant_exceptions(:approval_ref::text, :as::text) as g
