-- Names sort by bytes, so that a page ends in the same place whatever the collation.
select r.event_type::text as event_type, coalesce(k.stream, r.event_stream::text) as stream, r.event_stream::text as host_stream,
  r.delivery_lane::text as lane, coalesce(k.severity, r.default_severity::text) as severity, r.active,
  coalesce(k.heartbeat, false) as heartbeat, k.event_type is not null as own, r.description::text as description
from event_type_registry r
left join governance_signal_type k on k.event_type = r.event_type
where r.event_domain = 'governance' and ($1::text is null or $1::text in (k.stream, r.event_stream::text))
  and ($2::text is null or r.event_type::text collate "C" > $2::text collate "C")
order by r.event_type::text collate "C"
limit $3::int4
