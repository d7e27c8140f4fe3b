-- Events of other domains written since the horizon $2 that were not taken in, and what they are about.
select b.id::text as ref, $4::bigint - age(b.xmin) as xid, concat_ws('.', b.event_domain::text, b.event_type::text) as action,
  b.event_subject_table::text as kind_of, b.event_subject_ref::text as code,
  coalesce(b.event_domain = 'governance' or b.source_system = 'gcos' or starts_with(b.event_subject_ref::text, 'GCOS-'), false) as own
from event_outbox b
where {{since_horizon}}
  and not exists (
    select from gov_handoff_seen s where s.source = $1::text and s.ref = b.id::text and s.xid = $4::bigint - age(b.xmin))
limit $5::bigint
