select gcos_read($1::text, $2::int8[], $3::timestamptz) as marked
