-- name: readRanges
select r.last_id from gov_intake_range r order by r.last_id

-- name: findRange
-- The end of the next range of :rows births behind :after, if there are as many behind that.
-- nullable: :after
select e.last_id
from (
  select b.id::bigint as last_id from birth_registry b
  where :after::bigint is null or b.id > :after::bigint
  order by b.id
  offset :rows::bigint - 1
  limit 1
) as e
where exists (
  select from (select from birth_registry b where b.id > e.last_id order by b.id offset :rows::bigint - 1 limit 1) as n)

-- name: keepRange
insert into gov_intake_range (last_id, keys, members, max_born_ats, max_ids, h1s, h2s)
values (:last_id::bigint, :keys::text[], :members::bigint[], :max_born_ats::timestamptz[], :max_ids::bigint[], :h1s::text[]::numeric[],
  :h2s::text[]::numeric[])
on conflict (last_id) do update set keys = excluded.keys, members = excluded.members, max_born_ats = excluded.max_born_ats,
  max_ids = excluded.max_ids, h1s = excluded.h1s, h2s = excluded.h2s

-- name: forgetRanges
-- The ranges that end at :first or behind it; null: all.
-- nullable: :first
delete from gov_intake_range where :first::bigint is null or last_id >= :first::bigint
