-- Versions that lie before the horizon are never looked at again; null: all of them.
delete from gov_handoff_seen s
where s.source = $1::text and ($2::bigint is null or s.xid < $2::bigint)
