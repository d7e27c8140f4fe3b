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
  where s.subject_kind = 'object' and s.link is not null and s.status in ('waiting', 'in_force')
),
open as materialized (
  select row_number() over (order by a.place) as no, a.collection_name, a.entity_code, a.scope, a.link
  from asked a
  -- Not a join: the planner cannot know how many are live.
  where (a.collection_name, a.entity_code, a.scope, a.link) not in (select l.collection_name, l.entity_code, l.scope, l.link from live l)
),
listed as (
  select array_agg('object'::text) as kinds, array_agg(o.collection_name order by o.no) as collections, array_agg(o.entity_code order by o.no) as codes,
    array_agg(null::text) as none, array_agg(o.scope order by o.no) as scopes, array_agg(o.link order by o.no) as links
  from open o
),
relevant as materialized (
  select row_number() over (order by o.no) as place,
    gcos_exception_terms('object', o.collection_name, o.entity_code, null, null, o.scope, o.link, :until::timestamptz, f.fingerprint) as terms
  from listed l
  cross join lateral gcos_exception_fingerprints(l.kinds, l.collections, l.codes, l.none, l.none, l.scopes, l.links) f
  join open o on o.no = f.no
),
-- As the database decides who may approve: gcos_exception_is_high_risk().
risk as materialized (
  select r.no, r.is_high
  from (select jsonb_agg(x.terms order by x.place) as terms from relevant x) l
  cross join lateral gcos_exception_risks(l.terms) r
)
select jsonb_agg(x.terms order by x.place)::text as terms, count(*) as gaps
from relevant x
join risk r on r.no = x.place
group by r.is_high
order by r.is_high

-- name: grantListed
-- nullable: granted, person_ref, :as
select g.outcome, g.granted, g.person_ref, g.login from gcos_grant_exceptions(:approval_ref::text, :as::text) as g
