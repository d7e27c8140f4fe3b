-- What waits, by type, and why: a type that is not registered and active is what `issue_event_gap` is about.
select h.event_type, bool_or(r.event_type is not null) as registered, coalesce(bool_or(r.active), false) as active,
  count(*) filter (where h.dead_lettered_at is null) as waiting, count(*) filter (where h.dead_lettered_at is not null) as dead_lettered
from (
  select q.event_type, q.dead_lettered_at from governance_hold q
) as h
left join event_type_registry r on r.event_domain = 'governance' and r.event_type = h.event_type
group by h.event_type
order by h.event_type collate "C"
