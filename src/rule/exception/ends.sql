select $1::timestamptz + make_interval(secs => $2::float8) as ends_at
