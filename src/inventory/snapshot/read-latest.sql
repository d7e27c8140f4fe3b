-- The last snapshot of GCOS's of one kind.
select s.id::bigint as id, s.metrics::text as metrics
from evolution_snapshots s
where s.scope = $1::text and s.metrics ->> 'format' = $2::text
order by s.id desc
limit 1
