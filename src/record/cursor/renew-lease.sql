select gcos_renew_lease($1::text, $2::text, $3::int8, make_interval(secs => $4::float8)) as expires_at,
  set_config('application_name', $5::text, true) as tag
