-- name: readWindowRow
-- The window from :from to :to (times of day in UTC; it may pass midnight) in which the server's time lies,
-- and when it opens next. Null: the time lies outside of it.
-- nullable: opens_at, closes_at
select max(w.opens_at) filter (where w.is_open) as opens_at, max(w.closes_at) filter (where w.is_open) as closes_at,
  min(w.opens_at) filter (where w.opens_at > statement_timestamp()) as next_at
from (
  select o.opens_at, o.opens_at + o.length as closes_at, o.opens_at <= statement_timestamp() and statement_timestamp() < o.opens_at + o.length as is_open
  from (
    select date_trunc('day', statement_timestamp(), 'UTC') + d.n * interval '24 hours' + :from::text::interval as opens_at,
      :to::text::interval - :from::text::interval + case when :to::text::interval <= :from::text::interval then interval '24 hours' else '0' end as length
    from generate_series(-1, 1) as d(n)
  ) as o
) as w
