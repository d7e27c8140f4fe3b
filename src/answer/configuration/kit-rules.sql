-- name: writeSetting
update governance_setting s
set setting_value = :value::text::jsonb, updated_at = gcos_now(), updated_by = session_user
where s.setting_key = :key::text and s.setting_value is distinct from :value::text::jsonb
  and not exists (select from governance_managed m where m.kind = 'setting' and m.managed_key = s.setting_key)
returning s.setting_key

-- name: readIntervals
-- Spans of time as the server writes them.
select t.text::interval::text as span
from unnest(:texts::text[]) with ordinality as t(text, place)
order by t.place
