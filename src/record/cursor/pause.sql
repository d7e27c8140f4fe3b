-- name: openWorkRow
-- nullable: paused
select set_config('application_name', :tag::text, true) as tag,
  (select setting_value from governance_setting where setting_key = 'worker.paused') as paused,
  gcos_now() as at

-- name: setPausedRow
-- nullable: :reason
select gcos_set_paused(:paused::bool, :reason::text) as setting_value
