select p.snapshot_id as id, p.snapshot_scope as scope from gcos_prune_snapshots($1::int4, $2::text) as p order by p.snapshot_id
