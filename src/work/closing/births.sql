-- name: asLastClosed
-- Whether the running sums equal the snapshot (:format: its format) of the last completed closing run: then
-- no birth was added, moved or changed since. False if there is no such snapshot or a recomputation is
-- pending.
with last as (
  select r.closing_snapshot_ref as snapshot_ref
  from candidate_scan_run r
  where r.ledger is not null and r.status = 'completed'
  order by r.started_at desc, r.run_id desc
  limit 1
),
closed as materialized (
  select s.metrics::jsonb -> 'groups' as groups
  from last l
  join evolution_snapshots s on s.id = l.snapshot_ref and s.metrics ->> 'format' = :format::text
)
select exists (select from closed) and not exists (
  select
  from (
    select i.inventory_key, i.member_count::text as members, i.h1::text as h1, i.h2::text as h2, i.recompute_needed
    from governance_inventory i
    where i.member_count > 0 or i.recompute_needed
  ) as now
  full join (
    select g.key as inventory_key, g.value ->> 'count' as members, g.value ->> 'h1' as h1, g.value ->> 'h2' as h2
    from closed c
    cross join lateral jsonb_each(c.groups) as g
  ) as before on before.inventory_key = now.inventory_key
  where now.recompute_needed or (now.members, now.h1, now.h2) is distinct from (before.members, before.h1, before.h2)
) as same
