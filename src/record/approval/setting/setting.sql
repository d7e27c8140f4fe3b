-- name: listSettings
-- All settings; :key null: of every key.
-- nullable: :key
select s.setting_key as key, s.setting_value::text as value, s.about, s.changed_by, s.updated_at, s.updated_by
from governance_setting s
where :key::text is null or s.setting_key = :key::text
order by s.setting_key collate "C"

-- name: setSetting
-- nullable: before, changed_by, person_ref
select s.outcome, s.before, s.changed_by, s.person_ref, s.login
from gcos_set_setting(:key::text, :value::jsonb) as s
