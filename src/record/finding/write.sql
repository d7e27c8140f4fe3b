select w.coalesce_key, w.issue_code, w.issue_id, w.finding_type, w.family, w.event_type, w.subject, w.scope, w.severity,
  w.routes, w.change, w.notify, w.occurrence_count
from gcos_write_findings(
  $1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::boolean[], $7::text[], $8::text[], $9::text[], $10::text[],
  $11::text[], $12::bigint[], $13::text[], $14::bigint[], $15::text, $16::timestamptz, $17::text, $18::text, $19::text,
  $20::text[], $21::text[], $22::text[], $23::text[], $24::text) as w
