select l.origin, count(*) as letters
from (
  select substr(e.event_type_hint, 12) as origin
  from event_pending e
  where e.event_domain = 'governance' and starts_with(e.event_type_hint, 'gcos.retry.') and e.processed_at is null
    and e.capture_payload ->> 'dead_lettered_at' is not null
  union all
  select 'event'
  from governance_hold h
  left join event_pending e on e.id = h.pending_id and e.processed_at is null
  where h.dead_lettered_at is not null or e.id is null
) l
group by l.origin
order by l.origin
