-- 142 measurements, 140 enabled: one per member registry, two per catalogued bulk collection, and twelve
-- individual ones. LAW-46 and LAW-47 have no jurisdiction.
insert into measurement_registry (
  measurement_id, measurement_name, law_code, method, source_query, target_query, comparison, severity,
  enabled, auto_generated, last_run_at, last_result)
with collection as (
  select collection_name, min(s.ordinal) as ordinal
  from pg_temp.estate_strain s
  where object_class is not null
  group by collection_name
),
measurement as (
  select 1 as part, ordinal, 'members of ' || collection_name || ' are born' as name, 'LAW-19' as law, 1 as method,
    format('select count(*) from %I', collection_name) as source,
    format('select count(*) from birth_registry where collection_name = %L', collection_name) as target,
    'strict_equals' as comparison, 'warning' as severity, true as generated
  from pg_temp.estate_registry
  union all
  select 2, ordinal, collection_name || ' has as many births as the catalogue says',
    (array['LAW-04', 'LAW-08', 'LAW-10', 'LAW-11', 'LAW-12', 'LAW-17', 'LAW-20', 'LAW-23'])[1 + ordinal % 8], 1,
    format('select max(record_count) from meta_catalog where collection_name = %L', collection_name),
    format('select count(*) from birth_registry where collection_name = %L', collection_name),
    'strict_equals', 'info', true
  from collection
  union all
  select 3, ordinal, 'every birth in ' || collection_name || ' has a species', 'LAW-03', 2,
    format('select count(*) from birth_registry where collection_name = %L', collection_name),
    format('select count(*) from birth_registry where collection_name = %L and species_code is not null', collection_name),
    'strict_equals', 'warning', true
  from collection
  union all
  select 4, own.*, false
  from (values
    (1, 'every event has a registered type', 'LAW-45', 2,
      'select count(*) from event_outbox',
      'select count(*) from event_outbox o join event_type_registry t using (event_domain, event_type)',
      'strict_equals', 'critical'),
    (2, 'events are read', 'LAW-45', 2,
      'select count(distinct event_id) from event_read', 'select count(*) from event_outbox', 'less_or_equal', 'warning'),
    (3, 'executors tick', 'LAW-45', 1,
      'select count(*) from queue_heartbeat where last_tick_status = ''ok''', 'select count(*) from queue_heartbeat',
      'strict_equals', 'critical'),
    (4, 'critical issues are open only while they are looked at', 'LAW-31', 2,
      'select count(*) from system_issues where severity = ''critical'' and status = ''open''',
      'select count(*) from system_issues where severity = ''critical''', 'less_or_equal', 'warning'),
    (5, 'alerts in the change log are resolved', 'LAW-31', 2,
      'select count(*) from registry_changelog where alert_level <> ''none'' and resolved',
      'select count(*) from registry_changelog where alert_level <> ''none''', 'strict_equals', 'warning'),
    (6, 'applied requests were approved', 'LAW-32', 1,
      'select count(*) from approval_requests where status = ''applied''',
      'select count(distinct apr_id) from apr_approvals where decision = ''approve''', 'strict_equals', 'critical'),
    (7, 'active tools have authority', 'LAW-35', 1,
      'select count(*) from dot_tools where status = ''active''',
      'select count(*) from dot_tools where status = ''active'' and authority_ref is not null', 'strict_equals', 'critical'),
    (8, 'every pivot names a class', 'LAW-30', 1,
      'select count(*) from pivot_definitions', 'select count(*) from pivot_definitions where object_class is not null',
      'strict_equals', 'info'),
    (9, 'bindings lead to tables', 'LAW-29', 1,
      'select count(*) from binding_registry', 'select count(*) from binding_registry b join table_registry t using (table_code)',
      'strict_equals', 'info'),
    (10, 'telemetry is within the planned volume', 'LAW-46', 2,
      'select count(*) from birth_registry where collection_name = ''iot_telemetry''',
      'select count(*) from birth_registry', 'less_or_equal', 'info'),
    (11, 'devices report telemetry', 'LAW-46', 2,
      'select count(*) from birth_registry where collection_name = ''iot_telemetry''',
      'select count(*) from birth_registry where collection_name = ''devices''', 'at_least', 'info'),
    (12, 'classification rules are owned', 'LAW-47', 1,
      'select count(*) from universal_rule_registry where rule_kind = ''classification''',
      'select count(*) from universal_rule_registry where rule_kind = ''classification'' and owner_gov_code is not null',
      'strict_equals', 'warning')
  ) as own (ordinal, name, law, method, source, target, comparison, severity)
)
select
  'MSR-' || lpad((row_number() over sequence)::text, 3, '0'), name, law, method, source, target, comparison, severity,
  -- Two of the generated ones are disabled, as on the reference host.
  not (part = 3 and name in ('every birth in bookmarks has a species', 'every birth in ui_themes has a species')),
  generated,
  timestamptz '2026-06-01 03:00:00+00' + (row_number() over sequence) * interval '2 seconds',
  'pass'
from measurement
window sequence as (order by part, ordinal);
