select gcos_append_snapshot($1::text, $2::timestamptz, $3::jsonb, $4::jsonb, $5::text) as id
