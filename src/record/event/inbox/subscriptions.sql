select b.id::text as id, b.recipient_ref::text as recipient_ref, b.event_type::text as event_type, b.event_stream::text as event_stream,
  b.scope_subject_table::text as subject_table, b.scope_filter::jsonb as filter, b.mute
from governance_subscription g
join event_subscription b on b.id = g.subscription_id
where g.ended_at is null and ($1::text is null or b.recipient_ref = $1::text) and ($2::text is null or b.id::text > $2::text)
order by b.id::text
limit $3::int4
