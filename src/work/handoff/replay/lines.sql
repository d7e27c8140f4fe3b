-- The lines of both logs since $1, but for GCOS's own. The change log has no time zone: its times are UTC.
select 'registry_changelog' as source, c.id::text as ref, coalesce(c.action::text, '') as action, c.entity_type::text as kind_of,
  c.entity_code::text as code
from registry_changelog c
where c."timestamp" >= $1::timestamptz at time zone 'UTC'
  and (starts_with(c.changed_by::text, 'gcos:') or starts_with(c.entity_code::text, 'GCOS-')) is not true
union all
select 'event_outbox', e.id::text, concat_ws('.', e.event_domain::text, e.event_type::text), e.event_subject_table::text,
  e.event_subject_ref::text
from event_outbox e
where e.created_at >= $1::timestamptz
  and (e.event_domain = 'governance' or e.source_system = 'gcos' or starts_with(e.event_subject_ref::text, 'GCOS-')) is not true
