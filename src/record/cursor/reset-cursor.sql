select gcos_reset_cursor($1::text, $2::text, $3::text, $4::int8, $5::text, $6::text, $7::xid8, $8::text, $9::text, $10::text) as reset
