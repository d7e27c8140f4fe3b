select l.id, l.origin, l.hint, l.entity_table, l.entity_ref, l.error_count, l.last_error, l.dead_lettered_at
from (
  select e.id::text collate "C" as id, e.event_type_hint as hint, e.entity_table, e.entity_ref,
    e.error_count::int4 as error_count, e.last_error, e.capture_payload ->> 'dead_lettered_at' as dead_lettered_at,
    case when starts_with(e.event_type_hint, 'gcos.retry.') then substr(e.event_type_hint, 12) else 'event' end as origin
  from event_pending e
  where e.event_domain = 'governance' and e.processed_at is null and e.error_count >= case when starts_with(e.event_type_hint, 'gcos.retry.') then $1::int4 else $5::int4 end
) l
where ($2::text is null or l.origin = $2::text)
  and ($3::text is null or l.id > $3::text)
order by l.id
limit $4::int4
