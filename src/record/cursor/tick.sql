select gcos_tick($1::text, $2::text, $3::text, $4::text, $5::text, $6::timestamptz, $7::text, $8::float8, $9::text,
  coalesce($10::timestamptz, clock_timestamp())) as ticked
