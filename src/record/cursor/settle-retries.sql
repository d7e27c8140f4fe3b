select gcos_settle_retries($1::text, $2::text, $3::text, $4::int8, $5::text[], $6::timestamptz) as settled
