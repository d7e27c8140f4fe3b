-- The entries :first to :last of the change log, each about one birth.
insert into registry_changelog (
  id, entity_type, entity_code, action, "timestamp", alert_level, resolved, changed_by, alert_detail)
select
  entry.id, c.object_class, b.entity_code,
  (array['create', 'create', 'update', 'update', 'update', 'certify', 'status_change', 'relabel'])[1 + hash % 8],
  timestamp '2026-02-17 06:00:00' + interval '1 microsecond' * (entry.id * :step + hash % :step),
  case when hash / 8 % 50 = 0 then 'warning' when hash / 8 % 400 = 7 then 'critical' else 'none' end,
  hash / 8 % 50 <> 0,
  (array['DOT-001', 'DOT-014', 'DOT-052', 'editor'])[1 + hash / 4096 % 4],
  case when hash / 8 % 50 = 0 then 'count differs from the catalogue' end
from (
  select id, hashint8extended(id, :seed + 1) & 9223372036854775807 as hash
  from generate_series(:first::bigint, :last::bigint) as id
) as entry
join birth_registry b on b.id = 1 + hash % :sound_births
left join pg_temp.estate_collection c using (collection_name);
