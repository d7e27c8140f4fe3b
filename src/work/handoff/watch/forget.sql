delete from gov_handoff_watch w
using unnest($1::text[], $2::text[]) as u(source, row_key)
where w.source = u.source and w.row_key = u.row_key
