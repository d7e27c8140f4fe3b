-- Adds what a batch summed up to what its part $1 has so far. Ordered by key, like every statement that locks several rows.
insert into gov_backfill_partial (part, inventory_key, member_count, grain_count, max_born_at, max_id, h1, h2)
select $1::int4, p.inventory_key, sum(p.members)::bigint, sum(p.grain)::bigint, max(p.max_born_at), max(p.max_id),
  sum(p.h1::numeric), sum(p.h2::numeric)
from unnest($2::text[], $3::bigint[], $4::bigint[], $5::timestamptz[], $6::bigint[], $7::text[], $8::text[])
  as p(inventory_key, members, grain, max_born_at, max_id, h1, h2)
group by p.inventory_key
order by p.inventory_key collate "C"
on conflict (part, inventory_key) do update
set member_count = gov_backfill_partial.member_count + excluded.member_count,
  grain_count = gov_backfill_partial.grain_count + excluded.grain_count,
  max_born_at = greatest(gov_backfill_partial.max_born_at, excluded.max_born_at),
  max_id = greatest(gov_backfill_partial.max_id, excluded.max_id),
  h1 = gov_backfill_partial.h1 + excluded.h1,
  h2 = gov_backfill_partial.h2 + excluded.h2
returning inventory_key
