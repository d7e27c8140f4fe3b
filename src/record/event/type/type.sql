-- name: registerTypes
select t.registered
from gcos_register_types(:types::text[], :streams::text[], :severities::text[], :descriptions::text[], :heartbeats::boolean[]) as t(registered)

-- name: setActive
select t.changed from gcos_set_types_active(:types::text[], :active::boolean) as t(changed)

-- name: listTypes
-- Names sort by bytes, so that a page ends at the same row under every collation.
-- nullable: severity, :stream, :after
select r.event_type::text as event_type, coalesce(k.stream, r.event_stream::text) as stream, r.event_stream::text as host_stream,
  r.delivery_lane::text as lane, coalesce(k.severity, r.default_severity::text) as severity, r.active,
  coalesce(k.heartbeat, false) as heartbeat, k.event_type is not null as own, r.description::text as description
from event_type_registry r
left join governance_signal_type k on k.event_type = r.event_type
where r.event_domain = 'governance' and (:stream::text is null or :stream::text in (k.stream, r.event_stream::text))
  and (:after::text is null or r.event_type::text collate "C" > :after::text collate "C")
order by r.event_type::text collate "C"
limit :limit::int4
