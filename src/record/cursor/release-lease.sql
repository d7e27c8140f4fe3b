select coalesce(gcos_release_lease($1::text, $2::text, $3::int8), false) as released
