select case when starts_with(e.event_type_hint, 'gcos.retry.') then substr(e.event_type_hint, 12) else 'event' end as origin,
  count(*) as letters
from event_pending e
where e.event_domain = 'governance' and e.processed_at is null and e.error_count >= case when starts_with(e.event_type_hint, 'gcos.retry.') then $1::int4 else $2::int4 end
group by 1
order by 1
