-- The accountable owner of each subject at $6. Three fixed steps, nearest first: the subject's own rows, the anchors of
-- its collection, the rows of its class. The first step with any active row decides; two owners there are a conflict.
with subject as (
  select s.ordinal, s.object_type, s.object_ref, nullif(s.collection_name, '') as collection_name,
    nullif(s.object_class, '') as object_class, s.scope
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
    with ordinality as s(object_type, object_ref, collection_name, object_class, scope, ordinal)
),
step as (
  select s.ordinal, s.scope, c.distance, c.object_type, c.object_ref, c.through_anchor
  from subject s
  cross join lateral (
    values (1, s.object_type, s.object_ref, false), (2, 'collection', s.collection_name, true), (3, 'class', s.object_class, false)
  ) as c(distance, object_type, object_ref, through_anchor)
  where c.object_ref is not null
),
held as (
  select p.ordinal, p.distance, min(o.owner_gov_code) as owner, count(distinct o.owner_gov_code) as owners
  from step p
  join governance_object_ownership o
    on o.object_type = p.object_type and o.object_ref = p.object_ref and o.scope = p.scope
  where o.owner_kind = 'accountable'
    and o.lifecycle_status = 'active'
    and (o.is_inherited_anchor or not p.through_anchor)
    and (o.effective_from is null or o.effective_from <= $6::timestamptz)
    and (o.effective_to is null or o.effective_to > $6::timestamptz)
  group by p.ordinal, p.distance
),
deciding as (
  select distinct on (h.ordinal) h.ordinal, h.distance, h.owner, h.owners
  from held h
  order by h.ordinal, h.distance
)
select case when d.owners = 1 then d.owner end::text as owner, coalesce(d.owners > 1, false) as conflict,
  coalesce((array['object', 'collection', 'class'])[d.distance], 'none') as level
from subject s
left join deciding d using (ordinal)
order by s.ordinal
