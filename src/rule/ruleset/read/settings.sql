select s.setting_key, s.setting_value::text as setting_value
from governance_setting s
where s.setting_key = any ($2::text[])
  or exists (select from unnest($1::text[]) as prefix where starts_with(s.setting_key, prefix))
order by s.setting_key collate "C"
