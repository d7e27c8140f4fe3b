-- The exception for the same subject, scope and link that waits for its approval at $8, or else holds then; the one that ends last.
select s.exception_code
from governance_exception_standing($8::timestamptz) s
where s.subject_kind = $1::text and s.collection_name is not distinct from $2::text and s.entity_code is not distinct from $3::text
  and s.inventory_key is not distinct from $4::text and s.object_class is not distinct from $5::text and s.scope = $6::text
  and s.link is not distinct from $7::text and s.standing in ('waiting', 'in_force')
order by s.standing = 'waiting' desc, s.expires_at desc, s.exception_code
limit 1
