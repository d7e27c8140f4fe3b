select s.setting_key, s.setting_value
from governance_setting s
where s.setting_key = any ($1::text[])
