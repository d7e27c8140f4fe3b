-- Who is trusted, as somebody decided; $1 null: everybody with a row.
select t.source_kind, t.source, t.scope, t.level, t.reason, t.set_by, t.verified, t.set_at, t.pending
from governance_input_trust t
where $1::text is null or t.source = $1::text
order by t.source_kind, t.source, t.scope
limit $2::bigint
