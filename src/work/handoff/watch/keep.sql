insert into gov_handoff_watch (source, row_key, content_hash, facts)
select u.source, u.row_key, u.content_hash, u.facts::jsonb
from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as u(source, row_key, content_hash, facts)
order by u.source, u.row_key
on conflict (source, row_key) do update set content_hash = excluded.content_hash, facts = excluded.facts
