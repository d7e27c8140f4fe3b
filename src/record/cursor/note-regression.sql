select coalesce(gcos_note_regression($1::text, $2::text, $3::text, $4::int8, coalesce($5::timestamptz, clock_timestamp())), false) as noted
