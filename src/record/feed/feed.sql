-- name: readEdges
-- The last number, and the lowest one that is kept; if none is, the one that comes next.
select s.last_number, coalesce((select f.number from gov_feed f order by f.number limit 1), s.last_number + 1) as first_number
from gov_feed_state s

-- name: readEntries
-- The entries after number :after, in order.
select f.number, e.event_id::text as id, e.entry_type as type, e.subject, e.payload::text as payload, e.occurred_at, f.numbered_at
from (
  select n.number, n.entry_id, n.numbered_at from gov_feed n where n.number > :after::int8 order by n.number limit :limit::int4
) as f
join gov_feed_entry e on e.entry_id = f.entry_id
order by f.number

-- name: numberEntries
select n.numbered, n.last_number, n.more from gcos_number_feed(:limit::int4) as n

-- name: listSignalTypes
-- The registered signal types.
select r.event_type::text as event_type from event_type_registry r where r.event_domain = 'governance' order by 1
