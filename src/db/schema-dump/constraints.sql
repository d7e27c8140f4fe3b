-- Constraints, except NOT NULL, which newer servers list here and older ones do not.
select
  'relation ' || c.relname as object,
  3000 as rank,
  format('constraint %I %s%s', k.conname, pg_get_constraintdef(k.oid), case when k.convalidated then '' else ' (not valid)' end) as line
from pg_constraint k
join pg_class c on c.oid = k.conrelid
where c.relnamespace = to_regnamespace(quote_ident($1::text)) and k.contype <> 'n'
