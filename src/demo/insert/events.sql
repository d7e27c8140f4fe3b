-- Events :first to :last about information units (IU). Each has one of the 30 registered and active types.
insert into event_outbox (
  id, event_domain, event_type, event_stream, delivery_lane, event_severity, event_subject_table, event_subject_ref,
  canonical_address, actor_ref, source_system, correlation_id, safe_payload, occurred_at, created_at)
select
  md5('event ' || number)::uuid, t.event_domain, t.event_type, t.event_stream, t.delivery_lane, t.default_severity,
  'information_unit', unit, 'information_unit:' || unit, (array['router', 'editor', 'importer'])[1 + hash % 3], 'platform',
  md5('correlation ' || number / 4)::uuid, jsonb_build_object('unit', unit, 'part', number % 4),
  occurred_at, occurred_at + interval '1 microsecond' * (hash % 900000)
from (
  select number, hash, 'IU-' || lpad((1 + hash / 8192 % 219)::text, 4, '0') as unit,
    timestamptz '2026-02-17 08:00:00+00' + interval '1 microsecond' * (number * :step + hash % :step) as occurred_at
  from (
    select number, hashint8extended(number, :seed + 3) & 9223372036854775807 as hash
    from generate_series(:first::bigint, :last::bigint) as number
  ) as entry
) as event
join (
  select *, row_number() over (order by code collate "C") - 1 as ordinal
  from event_type_registry
  where active
) as t on t.ordinal = event.hash / 32 % 30;
