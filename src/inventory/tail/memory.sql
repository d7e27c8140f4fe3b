-- use: ./births.sql

-- name: insertSeenRows
insert into gov_intake_seen (source, id, xid)
select :source::text, s.id, s.xid
from unnest(:ids::bigint[], :xids::bigint[]) as s(id, xid)
order by s.id, s.xid
on conflict do nothing

-- name: pruneSeenRows
-- Row versions before the horizon are never read again. Null: deletes everything.
-- nullable: :horizon
delete from gov_intake_seen where source = :source::text and (:horizon::bigint is null or xid < :horizon::bigint)

-- name: insertGapRows
insert into gov_intake_gap (source, first_id, last_id, noted_xid)
select :source::text, g.first_id, g.last_id, :noted::bigint
from unnest(:first::bigint[], :last::bigint[]) as g(first_id, last_id)

-- name: deleteGapRows
-- nullable: :first
delete from gov_intake_gap where source = :source::text and (:first::bigint[] is null or first_id = any (:first::bigint[]))

-- name: capGapRows
-- Keeps the :keep gaps noted last, and of one time the wider ones. A row in a dropped gap is treated as
-- an update.
delete from gov_intake_gap g
using (
  select p.first_id
  from gov_intake_gap p
  where p.source = :source::text
  order by p.noted_xid desc, p.last_id - p.first_id desc, p.first_id desc
  offset :keep::bigint
) as old
where g.source = :source::text and g.first_id = old.first_id

-- name: readSizeRow
select (select count(*) from gov_intake_seen s where s.source = :source::text) as seen,
  (select count(*) from gov_intake_gap g where g.source = :source::text) as gaps

-- name: insertSeenSince
-- All visible rows that later rounds would read again. One row too many or too few costs a recomputation,
-- never a wrong count.
insert into gov_intake_seen (source, id, xid)
select :source::text, b.id, :next_xid::bigint - age(b.xmin)
from birth_registry b
where {{since_horizon}} and {{keyed}}
limit :limit::bigint
on conflict do nothing

-- name: insertSeenSinceIn
-- The same within the pages :first to :last.
insert into gov_intake_seen (source, id, xid)
select :source::text, b.id, :next_xid::bigint - age(b.xmin)
from birth_registry b
where {{since_horizon}} and {{keyed}}
  and {{in_pages}}
limit :limit::bigint
on conflict do nothing
