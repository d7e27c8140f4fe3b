-- The members of the registries. Each gap below is intentional and documented in docs/demo-estate.md.
insert into dot_tools (
  dot_code, name, tier, approval_ref, audit_ref, rollback_ref, law_ref, design_ref, authority_ref, heartbeat_ref, status)
select
  'DOT-' || lpad(n::text, 3, '0'),
  case when n = 301 then 'gcos worker' else (array['check', 'collect', 'compare', 'count', 'export', 'import', 'merge', 'publish', 'repair', 'watch'])[1 + n % 10]
    || ' ' ||
  (array['articles', 'bindings', 'catalogues', 'documents', 'events', 'issues', 'laws', 'media', 'orders', 'pages', 'units'])[1 + n % 11] end,
  (array['A', 'B', 'C'])[1 + n % 3],
  case when n <> 117 then 'APR-' || lpad((1 + n % 48)::text, 4, '0') end,
  case when n <> 150 then 'registry_changelog/' || (1 + n % 100) end,
  case when n not in (141, 142) then 'GD-011' end,
  case when n <> 160 then 'LAW-35' end,
  'GD-004',
  case when n not in (213, 214) then 'GOV-DOT' end,
  -- GCOS ticks under a name of its own; the first backfill begins that.
  case when n = 301 then 'gcos_closing_run:birth_registry'
    else (array['dieu45_phase3_pilot', 'iu_outbound_default', 'piece_promoter'])[1 + n % 3] end,
  case
    when n between 280 and 289 then 'retired'
    when n between 290 and 294 then 'superseded'
    else 'active'
  end
from generate_series(1, 309) as n;

insert into information_unit (unit_id, title, unit_type, law_ref, design_ref, status)
select
  'IU-' || lpad(n::text, 4, '0'), 'Unit ' || n,
  (array['definition', 'procedure', 'evidence'])[1 + n % 3],
  case when n not between 31 and 33 then 'LAW-37' end,
  case when n <> 34 then 'GD-001' end,
  case when n between 201 and 206 then 'superseded' when n between 207 and 210 then 'merged' else 'active' end
from generate_series(1, 219) as n;

insert into route_registry (
  route_code, path, executor_dot, approval_ref, audit_ref, rollback_ref, issue_event_ref, status)
select
  'RT-' || lpad(n::text, 3, '0'),
  -- The duties of a worker of GCOS are routes that the tool `gcos worker` runs.
  coalesce('/gcos/worker/' || (array['intake', 'scanner', 'audit', 'promoter', 'seal', 'supervisor'])[n - 20], '/route/' || n),
  case when n in (7, 8) then 'DOT-213' when n between 21 and 26 then 'DOT-301' else 'DOT-' || lpad((10 + n * 3)::text, 3, '0') end,
  case when n <> 9 then 'APR-' || lpad((1 + n % 48)::text, 4, '0') end,
  'registry_changelog/' || n,
  case when n <> 10 then 'GD-012' end,
  -- RT-011 has a type that is registered but not active; RT-012 has an unregistered type.
  case n when 11 then 'mother.refused' when 12 then 'route.unheard' else 'system.route_failed' end,
  case when n = 28 then 'retired' else 'active' end
from generate_series(1, 32) as n;

insert into policy_registry (policy_code, title, approval_ref, audit_ref, law_ref, status)
select
  'POL-' || lpad(n::text, 3, '0'),
  case n when 16 then 'Exceptions that GCOS grants' when 17 then 'Rulesets that GCOS puts into force' else 'Policy ' || n end,
  case when n <> 5 then 'APR-' || lpad((2 + n)::text, 4, '0') end,
  'registry_changelog/' || (40 + n),
  case when n <> 6 then 'LAW-' || lpad((n + 8)::text, 2, '0') end,
  case when n = 18 then 'superseded' else 'active' end
from generate_series(1, 18) as n;

insert into exception_registry (
  exception_code, subject_collection, subject_code, scope, reason, approval_ref, expires_at, status)
values
  ('EXC-001', 'contracts', null, 'execution', 'rollback is agreed with the other party', 'APR-0007', '2027-03-31T00:00:00Z', 'active'),
  ('EXC-002', 'dot_tools', 'DOT-141', 'execution', 'read-only in practice', 'APR-0008', '2027-03-31T00:00:00Z', 'active'),
  ('EXC-003', 'newsletters', null, 'render', 'ends with the season', 'APR-0013', '2026-12-31T00:00:00Z', 'active'),
  ('EXC-004', 'campaigns', null, 'policy', 'agreed on the phone', null, '2026-12-31T00:00:00Z', 'active'),
  ('EXC-005', 'bookings', null, 'execution', 'until the new engine runs', 'APR-0014', '2026-03-31T00:00:00Z', 'active'),
  ('EXC-006', 'venues', null, 'health', 'given up', 'APR-0019', '2026-04-30T00:00:00Z', 'retired');

insert into table_registry (table_code, name, source_collection, status)
select 'TBL-' || lpad(ordinal::text, 3, '0'), 'Table of ' || replace(collection_name, '_', ' '), collection_name,
  case when ordinal = 60 then 'retired' else 'active' end
from pg_temp.estate_collection
where ordinal <= 48 or ordinal = 60
union all
-- GCOS governs itself: its tables are members of the registry, under their own names.
select table_name, 'GCOS: ' || about, table_name, 'active'
from pg_temp.estate_record;

insert into binding_registry (binding_code, table_code, source_collection)
select 'BND-' || lpad(ordinal::text, 3, '0'), 'TBL-' || lpad(ordinal::text, 3, '0'), collection_name
from pg_temp.estate_collection
where ordinal <= 48;

insert into universal_rule_registry (rule_code, rule_kind, statement, law_ref, owner_gov_code, status)
select
  'UR-' || lpad(n::text, 3, '0'), kind,
  case when n = 23 then 'The rulesets of the family governance' else 'Rule ' || n || ' of ' || kind end,
  case kind when 'classification' then 'LAW-47' when 'naming' then 'LAW-02' when 'birth' then 'LAW-19' else 'LAW-36' end,
  -- Three classification rules are in force and have no owner.
  case when n not in (4, 8, 12) then (array['GOV-COUNCIL', 'GOV-SIV', 'GOV-KG-SYS'])[1 + n % 3] end,
  case when n = 24 then 'superseded' else 'active' end
from (
  select n, (array['classification', 'naming', 'birth', 'routing'])[1 + n % 4] as kind
  from generate_series(1, 24) as n
) as rule;

insert into derived_objects_registry (
  code, object_type, definition_source, depends_on_collections, depends_on_edges, refresh_strategy, refresh_mode,
  freshness_sla_seconds, stale_after, last_computed_at)
select
  code, object_type, definition, depends_on::text[], edges::text[], refresh, refresh, sla,
  timestamptz '2026-06-01 22:00:00+00' + sla * interval '1 second',
  case when sla is not null then timestamptz '2026-06-01 22:00:00+00' end
from (values
  ('DER-001', 'rollup', 'articles by topic', '{articles}', '{}', 'realtime_trigger', 60),
  ('DER-002', 'rollup', 'orders by channel', '{orders,order_lines}', '{orders>order_lines}', 'realtime_trigger', 60),
  ('DER-003', 'cache', 'search index', '{articles,pages,documents}', null, 'on_demand', 3600),
  ('DER-004', 'cache', 'site map', '{pages}', null, 'on_demand', 86400),
  ('DER-005', 'cache', 'dashboard', '{system_issues}', null, 'on_demand', 900),
  ('DER-006', 'view', 'open contracts', '{contracts}', null, null, null),
  ('DER-007', 'view', 'active tools', '{dot_tools}', null, null, null)
) as derived (code, object_type, definition, depends_on, edges, refresh, sla);
