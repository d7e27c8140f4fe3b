-- fragment: terms
-- A row of ownership as stored, with its times. A text that is no time counts as absent.
case when r.facts ->> 'effective_from' ~ '^(-?infinity|[0-9]{4,6}-[0-9]{2}-[0-9]{2}.*)$' then (r.facts ->> 'effective_from')::timestamptz end as begins,
    case when r.facts ->> 'effective_to' ~ '^(-?infinity|[0-9]{4,6}-[0-9]{2}-[0-9]{2}.*)$' then (r.facts ->> 'effective_to')::timestamptz end as ends

-- name: rateTerms
-- For each row of ownership in :rows, in order: whether it is in force at :at, and whether it is active and
-- past its end.
with given as (
  select r.n, r.facts ->> 'lifecycle_status' is not distinct from 'active' as active, {{terms}}
  from (
    select g.n, g.row::jsonb as facts from unnest(:rows::text[]) with ordinality as g(row, n)
  ) as r
)
select g.active and coalesce(g.begins <= :at::timestamptz, true) and coalesce(g.ends > :at::timestamptz, true) as in_force,
  g.active and coalesce(g.ends <= :at::timestamptz, false) as is_over
from given g
order by g.n

-- name: readBoundaries
-- Active ownership whose term began or ended after :since, up to :at; without :since, the delegations that
-- have ended.
-- nullable: :since
with stored as (
  select w.row_key, r.facts, {{terms}}
  from gov_intake_registry w
  cross join lateral jsonb_array_elements(w.facts) as r(facts)
  where w.source = 'governance_object_ownership' and r.facts ->> 'lifecycle_status' = 'active'
)
select s.row_key, s.facts::text as facts, coalesce(s.ends <= :at::timestamptz, false) as is_over
from stored s
where s.ends <= :at::timestamptz
    and case when :since::timestamptz is null then s.facts ->> 'owner_kind' = 'delegated' else s.ends > :since::timestamptz end
  or s.begins <= :at::timestamptz and s.begins > :since::timestamptz and coalesce(s.ends > :at::timestamptz, true)
order by s.row_key, s.facts::text

-- name: readNextBoundary
-- When the next term begins or ends, as of :at.
-- nullable: next_at
select min(b.at)::text as next_at
from gov_intake_registry w
cross join lateral jsonb_array_elements(w.facts) as r(facts)
cross join lateral (select {{terms}}) as t
cross join lateral (values (t.begins), (t.ends)) as b(at)
where w.source = 'governance_object_ownership' and r.facts ->> 'lifecycle_status' = 'active' and b.at > :at::timestamptz

-- name: isDue
-- Whether :next_at is reached at :at.
select :next_at::timestamptz <= :at::timestamptz as due
