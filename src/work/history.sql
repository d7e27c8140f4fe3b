-- name: pruneRuns
select gcos_prune_runs(:limit::int4) as pruned

-- name: pruneRetries
select gcos_prune_retries(:limit::int4) as pruned

-- name: pruneHeld
select gcos_prune_held(:limit::int4) as pruned

-- name: pruneDeliveries
select gcos_prune_deliveries(:limit::int4) as pruned

-- name: pruneDecisions
select gcos_prune_decisions(:limit::int4) as pruned

-- name: pruneFeed
select gcos_prune_feed(:limit::int4) as pruned

-- name: readHistory
-- What was pruned of each kind, in all, and for how many days it is kept. Decisions are recorded as ranges.
-- nullable: keep_days, pruned_at
select k.kind, (s.setting_value ->> (k.setting || '_days'))::int4 as keep_days, coalesce(w.pruned, g.pruned, 0)::bigint as pruned,
  coalesce(w.pruned_at, g.pruned_at) as pruned_at
from (values ('runs', 'runs'), ('retries', 'retries'), ('held', 'held'), ('deliveries', 'deliveries'), ('dedupe_keys', 'deliveries'),
  ('decisions', 'decisions'), ('feed', 'feed')) as k(kind, setting)
left join governance_setting s on s.setting_key = 'history.keep'
left join gov_worker_pruned w on w.kind = k.kind
left join (
  select 'decisions' as kind, sum(p.row_count)::bigint as pruned, max(p.pruned_at) as pruned_at
  from governance_pruned_range p where p.kind = 'gate'
) as g on g.kind = k.kind
order by k.kind
