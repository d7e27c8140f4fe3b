select d.id, d.kind, d.event_id, d.event_type, d.canonical_address, d.severity, d.signals, d.window_start, d.delivered_at, d.read_at,
  d.escalated_at, d.escalated_from
from governance_delivery d
where d.recipient_ref = $1::text and d.id > $2::int8
  and ($3::bool or (d.read_at is null and not exists (
    select from event_read r where r.event_id = d.event_id and r.actor_ref = d.recipient_ref)))
order by d.id
limit $4::int4
