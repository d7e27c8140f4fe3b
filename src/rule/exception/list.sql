-- Where exceptions stand at $1; $2 null: all of them. $4 is the code of the last one of the page before.
select s.exception_code, s.subject_kind, s.collection_name, s.entity_code, s.inventory_key, s.object_class, s.scope, s.link, s.reason,
  s.requested_by, s.granted_at, s.expires_at, s.approval_ref, s.standing
from governance_exception_standing($1::timestamptz) s
where ($2::text is null or s.standing = $2::text)
  and ($4::text is null or s.exception_code > $4::text collate "C")
  and ($5::text is null or s.exception_code = $5::text)
order by s.exception_code collate "C"
limit $3::bigint
