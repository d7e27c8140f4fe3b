-- name: promoteRows
-- nullable: :since
select p.promoted, p.failed, p.dead_lettered, p.more, p.since
from gcos_promote(:limit::int4, :since::timestamptz) as p

-- name: redeliverRows
-- nullable: error
select r.undelivered, r.error from gcos_redeliver(:limit::int4) as r

-- name: surveyHeld
-- The held signals by type. A type that is not registered and active is reported as `issue_event_gap`.
select h.event_type, bool_or(r.event_type is not null) as registered, coalesce(bool_or(r.active), false) as active,
  count(*) filter (where h.dead_lettered_at is null) as waiting,
  coalesce(greatest(extract(epoch from gcos_now() - min(h.held_at) filter (where h.dead_lettered_at is null)), 0), 0)::float8 as waited_seconds, count(*) filter (where h.dead_lettered_at is not null) as dead_lettered
from (
  select q.event_type, q.dead_lettered_at, q.held_at from governance_hold q
) as h
left join event_type_registry r on r.event_domain = 'governance' and r.event_type = h.event_type
group by h.event_type
order by h.event_type collate "C"

-- name: listHeldTypes
-- The types with waiting signals, each found by one look-up in an index, whatever their number. A registered
-- and active type also has the wait of its oldest signal: such a type has few, because they are sent.
with recursive waiting (event_type) as (
  (select h.event_type from governance_hold h where h.dead_lettered_at is null order by h.event_type limit 1)
  union all
  select (
    select n.event_type from governance_hold n where n.dead_lettered_at is null and n.event_type > w.event_type order by n.event_type limit 1)
  from waiting w
  where w.event_type is not null
)
select w.event_type, r.event_type is not null as registered, coalesce(r.active, false) as active,
  coalesce(case when r.active then (
    select greatest(extract(epoch from gcos_now() - min(h.held_at)), 0) from governance_hold h
    where h.event_type = w.event_type and h.dead_lettered_at is null) end, 0)::float8 as waited_seconds
from waiting w
left join event_type_registry r on r.event_domain = 'governance' and r.event_type = w.event_type
where w.event_type is not null
order by w.event_type collate "C"

-- name: countHeld
-- How many signals of each of the types :types wait, up to :most. A range with one value, as in
-- gcos_promote().
select t.event_type, (
  select count(*) from (
    select from governance_hold h
    where h.event_type between t.event_type and t.event_type and h.dead_lettered_at is null
    order by h.event_type limit :most::int4) as w) as waiting
from unnest(:types::text[]) as t(event_type)
order by t.event_type collate "C"

-- name: listKnownTypes
-- The types that are registered or held.
select distinct t.event_type collate "C" as event_type
from (
  select r.event_type::text as event_type from event_type_registry r where r.event_domain = 'governance'
  union all
  select h.event_type from governance_hold h
) as t
order by 1

-- name: listHeld
-- nullable: last_error, :type, :dead_lettered, :after
select h.order_no, h.event_type, h.subject_table, h.subject_ref, h.held_at, h.dead_lettered_at is not null as dead_lettered,
  coalesce(p.error_count, 0)::int4 as error_count,
  case when p.id is null then 'the row is gone from event_pending' else p.last_error::text end as last_error
from governance_hold h
left join event_pending p on p.id = h.pending_id
where (:type::text is null or h.event_type = :type::text) and (:dead_lettered::bool is null or (h.dead_lettered_at is not null) = :dead_lettered::bool)
  and (:after::int8 is null or h.order_no > :after::int8)
order by h.order_no
limit :limit::int4

-- name: retryHeld
select gcos_retry_signals(:order_nos::int8[]) as revived
