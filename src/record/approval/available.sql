-- name: readMissingColumns
-- The columns of the contract that the host's approval tables lack.
select w.relation, w.column_name, to_regclass(quote_ident(w.relation)) is null as table_absent
from unnest(:relations::text[], :columns::text[]) as w(relation, column_name)
where not exists (
  select from pg_attribute a
  where a.attrelid = to_regclass(quote_ident(w.relation)) and a.attname = w.column_name and a.attnum > 0 and not a.attisdropped)
order by w.relation, w.column_name
