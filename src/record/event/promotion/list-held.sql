select h.order_no, h.event_type, h.subject_table, h.subject_ref, h.held_at, h.dead_lettered_at is not null as dead_lettered,
  coalesce(p.error_count, 0)::int4 as error_count,
  case when p.id is null then 'the row is gone from event_pending' else p.last_error::text end as last_error
from governance_hold h
left join event_pending p on p.id = h.pending_id
where ($1::text is null or h.event_type = $1::text) and ($2::bool is null or (h.dead_lettered_at is not null) = $2::bool)
  and ($3::int8 is null or h.order_no > $3::int8)
order by h.order_no
limit $4::int4
