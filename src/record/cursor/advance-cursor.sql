select gcos_advance_cursor($1::text, $2::text, $3::text, $4::int8, $5::bool, $6::text, $7::text, $8::xid8, $9::int8, $10::int8,
  $11::text, $12::jsonb, $13::jsonb, coalesce($14::timestamptz, clock_timestamp())) as advanced
