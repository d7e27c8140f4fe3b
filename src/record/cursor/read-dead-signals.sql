-- Signals that are dead and can be tried again: what is lost is gone from event_pending, and there is nothing to try.
select h.pending_id::text as id, h.order_no
from governance_hold h
join event_pending e on e.id = h.pending_id and e.processed_at is null
where h.dead_lettered_at is not null
  and ($1::text[] is null or h.pending_id::text = any ($1::text[]))
order by h.order_no
