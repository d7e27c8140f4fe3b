-- Keeps the $2 gaps noted last, the wider one first where they are of one time. A row in one that is dropped reads as an update.
delete from gov_intake_gap g
using (
  select p.first_id
  from gov_intake_gap p
  where p.source = $1::text
  order by p.noted_xid desc, p.last_id - p.first_id desc, p.first_id desc
  offset $2::bigint
) as old
where g.source = $1::text and g.first_id = old.first_id
