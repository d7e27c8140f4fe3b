-- The next $3 ids after $1 and up to $2, through the primary key, and the snapshot they are seen in.
select current_setting('transaction_isolation') as isolation, pg_snapshot_xmax(pg_current_snapshot()) as upper, min(p.id) as first_id, max(p.id) as last_id,
  count(*) as scanned
from (
  select b.id::bigint as id
  from birth_registry b
  where ($1::bigint is null or b.id > $1::bigint) and ($2::bigint is null or b.id <= $2::bigint)
  order by b.id
  limit $3::bigint
) as p
