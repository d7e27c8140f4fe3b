-- The last three entries of the change log: governed rows that were changed outside their declared path.
insert into registry_changelog (
  id, entity_type, entity_code, action, "timestamp", alert_level, resolved, changed_by, alert_detail)
select
  :before + ordinal, entity_type, entity_code, 'direct_update', at::timestamp, 'critical', false, 'postgres',
  'changed in the database, no request'
from (values
  (1, 'dot_tool', 'DOT-240', '2026-06-01T22:10:00.250001'),
  (2, 'dot_tool', 'DOT-241', '2026-06-01T22:10:00.250002'),
  (3, 'route', 'RT-014', '2026-06-01T22:11:30.750003')
) as bypass (ordinal, entity_type, entity_code, at);
