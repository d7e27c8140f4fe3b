-- Lines of the change log written since the horizon $2 that were not taken in, and the class and key of what they are about. Lines
-- that GCOS wrote, or that are about what it wrote, are its own.
select b.id::text as ref, $4::bigint - age(b.xmin) as xid, coalesce(b.action::text, '') as action, b.entity_type::text as kind_of,
  b.entity_code::text as code,
  coalesce(starts_with(b.changed_by::text, 'gcos:') or starts_with(b.entity_code::text, 'GCOS-'), false) as own
from registry_changelog b
where {{since_horizon}}
  and not exists (
    select from gov_handoff_seen s where s.source = $1::text and s.ref = b.id::text and s.xid = $4::bigint - age(b.xmin))
order by b.id
limit $5::bigint
