select gcos_restamp_findings($1::text[], $2::text[], $3::text, $4::text, $5::text[]) as stamped
