select gcos_settle_retries($1::text, $2::text[], $3::timestamptz) as settled
