-- use: ./births.sql

-- name: sweepPage
-- The next :limit ids after :after and up to :up_to, through the primary key, with the snapshot in which
-- they are read.
-- nullable: first_id, last_id, :after, :up_to
select current_setting('transaction_isolation') as isolation, pg_snapshot_xmax(pg_current_snapshot()) as upper, min(p.id) as first_id, max(p.id) as last_id,
  count(*) as scanned
from (
  select b.id::bigint as id
  from birth_registry b
  where (:after::bigint is null or b.id > :after::bigint) and (:up_to::bigint is null or b.id <= :up_to::bigint)
  order by b.id
  limit :limit::bigint
) as p

-- name: readTwins
-- For the given keys: the first birth, which has the weight, and the number of births.
select k.collection_name, k.code, min(b.id)::bigint as first_id, count(*) as births
from unnest(:collections::text[], :codes::text[]) as k(collection_name, code)
join birth_registry b on b.collection_name = k.collection_name and b.entity_code = k.code
group by k.collection_name, k.code

-- fragment: unseen_since_horizon
with n as (
  select {{row}}
  from birth_registry b
  {{row_hash}}
  where {{since_horizon}} and {{keyed}}
    and not exists (
      select from gov_intake_seen s where s.source = :source::text and s.id = b.id and s.xid = :next_xid::bigint - age(b.xmin))

-- fragment: with_gap
  limit :count_up_to::bigint + 1
)
select n.id, n.collection_name, n.code, n.species_code, n.status, n.born_at, :next_xid::bigint - n.row_age as xid, n.h1 * f.h1 as h1,
  n.h2 * f.h2 as h2, g.first_id as gap_first, g.last_id as gap_last, count(*) over () as found
from n
{{name_factor}}
left join lateral (
  select p.first_id, p.last_id from gov_intake_gap p where p.source = :source::text and p.first_id <= n.id order by p.first_id desc limit 1
) as g on g.last_id >= n.id
order by n.id
limit :limit::bigint

-- name: wideRows
-- Rows written since the horizon :horizon that no round has seen, lowest ids first, and their number
-- (counted up to :count_up_to + 1). One sequential scan. A row in a gap is returned with the gap.
-- nullable: species_code, status, gap_first, gap_last
{{unseen_since_horizon}}
{{with_gap}}

-- name: wideRowsIn
-- The same within the pages :first to :last.
-- nullable: species_code, status, gap_first, gap_last
{{unseen_since_horizon}}
    and {{in_pages}}
{{with_gap}}

-- name: countRows
-- The number of births, in parallel where the server allows it.
select count(*) as births from birth_registry b

-- name: countRowsIn
-- The same within the pages :first to :last.
select count(*) as births from birth_registry b where {{in_pages}}

-- name: countSinceIn
-- The number of births within the pages :first to :last, and of those written since the horizon :horizon.
select count(*) as births, count(*) filter (where {{since_horizon}}) as since from birth_registry b where {{in_pages}}

-- name: countKeylessIn
-- The number of births without a key within the pages :first to :last.
select count(*) as births from birth_registry b where {{keyless}} and {{in_pages}}

-- name: olderSums
-- Sums of the rows of a page that are older than the horizon, except for the collections :collections,
-- whose rows are processed one by one, and the ids :except.
-- nullable: species_code, status, :after
with n as (
  select b.collection_name::text as collection_name, b.species_code::text as species_code, b.status::text as status,
    count(*) as births, max(b.id)::bigint as max_id, max(b.born_at) as max_born_at, sum(r.h1) as h1, sum(r.h2) as h2
  from birth_registry b
  {{row_hash}}
  where (:after::bigint is null or b.id > :after::bigint) and b.id <= :last::bigint and not ({{since_horizon}})
    and b.collection_name <> all (:collections::text[]) and b.id <> all (:except::bigint[]) and {{keyed}}
  group by b.collection_name, b.species_code, b.status
)
select n.collection_name, n.species_code, n.status, n.births, n.max_id, n.max_born_at, n.h1 * f.h1 as h1, n.h2 * f.h2 as h2
from n
{{name_factor}}

-- name: olderRows
-- The rows of a page that are older than the horizon, of the collections :collections, except for the ids
-- :except.
-- nullable: species_code, status, :after
with n as (
  select {{row}}
  from birth_registry b
  {{row_hash}}
  where (:after::bigint is null or b.id > :after::bigint) and b.id <= :last::bigint and not ({{since_horizon}})
    and b.collection_name = any (:collections::text[]) and b.id <> all (:except::bigint[]) and {{keyed}}
)
select n.id, n.collection_name, n.code, n.species_code, n.status, n.born_at, n.h1 * f.h1 as h1, n.h2 * f.h2 as h2
from n
{{name_factor}}
order by n.id

-- name: memberStatuses
-- The statuses of the given members in their registries.
-- nullable: status
-- part members: select null::text, null::text, null::text where false
with member (collection_name, code, status) as (
  {{members}}
)
select m.collection_name, m.code, m.status
from member m
join unnest(:collections::text[], :codes::text[]) as k(collection_name, code) on k.collection_name = m.collection_name and k.code = m.code

-- name: memberDigest
-- A digest of all members whose status is used. If it changes, births may belong to other groups than
-- before.
-- part members: select null::text, null::text, null::text where false
with member (collection_name, code, status) as (
  {{members}}
),
hashed as (
  select hashtextextended(m.code collate "C", hashtextextended(m.collection_name collate "C", 4703202606014703)) as a,
    hashtextextended(m.code collate "C", hashtextextended(m.collection_name collate "C", 6152914691236517205)) as b,
    m.status collate "C" as status
  from member m
  where m.code is not null
)
select concat_ws(':', count(*),
  sum(case when h.status is null then hashint8extended(-1, h.a) else hashtextextended(h.status, h.a) end),
  sum(case when h.status is null then hashint8extended(-1, h.b) else hashtextextended(h.status, h.b) end)) as digest
from hashed h
