select gcos_mute($1::text, $2::text, $3::text, $4::text, $5::bool, $6::bool) as changed
