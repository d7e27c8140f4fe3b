select r.undelivered, r.error from gcos_redeliver($1::int4, $2::timestamptz) as r
