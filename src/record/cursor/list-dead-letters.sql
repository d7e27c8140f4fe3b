-- Dead is what carries the mark; signals are GCOS's own only where governance_hold says so, and are lost when their row is gone.
select l.id, l.origin, l.hint, l.entity_table, l.entity_ref, l.error_count, l.last_error, l.dead_lettered_at, l.lost
from (
  select e.id::text collate "C" as id, substr(e.event_type_hint, 12) as origin, e.event_type_hint::text as hint,
    e.entity_table::text as entity_table, e.entity_ref::text as entity_ref, e.error_count::int4 as error_count,
    e.last_error::text as last_error, e.capture_payload ->> 'dead_lettered_at' as dead_lettered_at, false as lost
  from event_pending e
  where e.event_domain = 'governance' and starts_with(e.event_type_hint, 'gcos.retry.') and e.processed_at is null
    and e.capture_payload ->> 'dead_lettered_at' is not null
  union all
  select h.pending_id::text collate "C", 'event', h.event_type, h.subject_table, h.subject_ref, coalesce(e.error_count, 0)::int4,
    case when e.id is null then 'its row is gone from event_pending' else e.last_error::text end,
    to_jsonb(h.dead_lettered_at) #>> '{}', e.id is null
  from governance_hold h
  left join event_pending e on e.id = h.pending_id and e.processed_at is null
  where h.dead_lettered_at is not null or e.id is null
) l
where ($1::text is null or l.origin = $1::text)
  and ($2::text is null or l.id > $2::text)
order by l.id
limit $3::int4
