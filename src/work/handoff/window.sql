select floor(extract(epoch from $1::timestamptz) / $2::float8)::bigint as window_no
