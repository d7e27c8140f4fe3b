-- Where exceptions stand at $1; $2 null: all of them. $4 is the code of the last one of the page before. With $7, how many units each is
-- about, and how many of them need it as coverage found last.
with page as materialized (
  select s.exception_code, s.subject_kind, s.collection_name, s.entity_code, s.inventory_key, s.object_class, s.scope, s.link, s.reason,
    s.requested_by, s.granted_at, s.expires_at, s.approval_ref, s.standing
  from governance_exception_standing($1::timestamptz) s
  where ($2::text is null or s.standing = $2::text)
    and ($4::text is null or s.exception_code > $4::text collate "C")
    and ($5::text is null or s.exception_code = $5::text)
    and ($6::text is null or s.scope = $6::text)
  order by s.exception_code collate "C"
  limit $3::bigint
),
unit as (
  select u.exception_code, count(*) as units, count(*) filter (where u.needed) as needing
  from gcos_exception_units(array(select p.exception_code from page p)) u
  where $7::boolean and u.counts
  group by u.exception_code
)
select p.exception_code, p.subject_kind, p.collection_name, p.entity_code, p.inventory_key, p.object_class, p.scope, p.link, p.reason,
  p.requested_by, p.granted_at, p.expires_at, p.approval_ref, p.standing, coalesce(u.units, 0) as units, coalesce(u.needing, 0) as needing
from page p
left join unit u on u.exception_code = p.exception_code
order by p.exception_code collate "C"
