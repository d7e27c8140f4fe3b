-- Signals that wait, groups that wait for recomputation, and how long ago the inventory was last proved, at the time $1.
select (select count(*) from governance_hold h where h.dead_lettered_at is null) as held,
  (select count(*) from governance_inventory i where i.recompute_needed) as recompute,
  (select extract(epoch from $1::timestamptz - max(r.finished_at))::float8
   from candidate_scan_run r where r.status = 'completed' and r.proof is not null) as proof_seconds
