-- name: readTypes
-- nullable: ceiling, cool_down_seconds
select f.finding_type, f.family, f.base_severity, f.max_severity, f.route, f.ceiling,
  extract(epoch from f.cool_down)::bigint as cool_down_seconds
from governance_finding_type f
where f.finding_type = any (:types::text[])

-- name: readSettings
select s.setting_key, s.setting_value
from governance_setting s
where s.setting_key = any (:keys::text[])
