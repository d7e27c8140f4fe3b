-- name: readWrites
-- The tables of the schema that this connection has written to in its transaction, or in one shortly before;
-- null where the server does not count.
-- nullable: tables
select case when current_setting('track_counts')::boolean then array(
  select c.relname::text
  from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
    and pg_stat_get_xact_tuples_inserted(c.oid) + pg_stat_get_xact_tuples_updated(c.oid) + pg_stat_get_xact_tuples_deleted(c.oid) > 0
  order by c.relname) end as tables
