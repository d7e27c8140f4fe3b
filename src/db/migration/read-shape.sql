-- Whether gcos_migration exists here and is GCOS's own table.
select
  to_regclass(format('%I.gcos_migration', $1::text)) is not null as present,
  (select count(*) from pg_attribute a
    where a.attrelid = to_regclass(format('%I.gcos_migration', $1::text))
      and a.attname in ('kind', 'id', 'name', 'checksum', 'applied_at', 'applied_by', 'applied_with')
      and not a.attisdropped) = 7 as own_shape
