-- The exceptions about one unit ($2 to $5: registry, code, inventory group, class) in any scope, where each stands at $1.
select s.exception_code, s.scope, s.link, s.standing, s.expires_at
from governance_exception_standing($1::timestamptz) s
where gcos_exception_is_about(s.subject_kind, s.collection_name, s.entity_code, s.inventory_key, s.object_class, $2::text, $3::text,
  $4::text, $5::text)
order by s.exception_code collate "C"
