select set_config('application_name', $1::text, true) as tag,
  (select setting_value from governance_setting where setting_key = 'worker.paused') as paused,
  clock_timestamp() as at
