-- What lies before the horizon is not come across again. Without one: everything.
delete from gov_intake_seen where source = $1::text and ($2::bigint is null or xid < $2::bigint)
