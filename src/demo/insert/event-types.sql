-- 40 event types in five domains (none is `governance`), three subscriptions, three executors, one snapshot.
insert into event_type_registry (
  event_domain, event_type, event_stream, delivery_lane, default_severity, description, active, created_at)
select
  domain, type, stream,
  case when ordinal % 5 = 0 then 'delayed' else 'immediate' end,
  case when type like '%failed' then 'critical' when type like '%refused' then 'warning' else 'info' end,
  initcap(replace(type, '_', ' ') collate "C") || ' (' || domain || ')',
  -- The types of the mother domain and one system type are registered but not active.
  domain <> 'mother' and not (domain = 'system' and type = 'capacity_failed'),
  timestamptz '2026-01-15 09:00:00+00' + ordinal * interval '1 hour'
from (values
  ('iu', 'update', 'created updated published withdrawn split merged linked unlinked reviewed translated
    tagged routed routed_back route_failed commented archived'),
  ('mother', 'task', 'proposed accepted refused started paused resumed finished failed archived'),
  ('piece', 'review', 'cut verified joined refused promoted archived'),
  ('staging', 'update', 'received checked refused promoted expired'),
  ('system', 'health', 'tick_missed capacity_failed route_failed version_changed')
) as family (domain, stream, types)
cross join lateral regexp_split_to_table(family.types, '\s+') with ordinality as entry (type, ordinal);

insert into event_subscription (
  id, recipient_ref, event_domain, event_type, event_stream, scope_subject_table, scope_filter, mute, created_at)
values
  (md5('subscription 1')::uuid, 'GOV-IU', 'iu', null, 'update', 'information_unit', '{}', false, '2026-02-20T08:00:00Z'),
  (md5('subscription 2')::uuid, 'GOV-SIV', 'system', null, 'health', null, '{"severity": ["critical"]}', false, '2026-02-20T08:05:00Z'),
  (md5('subscription 3')::uuid, 'GOV-MOUT', 'piece', 'promoted', 'review', null, '{}', true, '2026-02-20T08:10:00Z');

insert into queue_heartbeat (
  executor_name, executor_kind, last_tick_at, last_tick_status, lease_owner, ticks_total, metadata)
values
  ('dieu45_phase3_pilot', 'pilot', '2026-06-01T23:59:30Z', 'ok', 'worker-1', 148213, '{"phase": 3}'),
  ('iu_outbound_default', 'router', '2026-06-01T23:59:45Z', 'ok', 'worker-2', 96114, '{}'),
  ('piece_promoter', 'promoter', '2026-06-01T23:58:00Z', 'ok', null, 20417, '{}');

insert into evolution_snapshots (id, snapshot_at, scope, metrics, delta_previous, notes)
values (
  1, '2026-04-04T02:00:00Z', 'global',
  '{"dot_count": 252, "edge_count": 2193, "domain_count": 10, "entity_count": 40, "kg_dot_count": 36,
    "config_tables": 7, "quality_log_entries": 0}',
  '{}', 'first snapshot of the platform itself');
