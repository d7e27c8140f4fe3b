do $gcos$
begin
  if to_regclass('evolution_snapshots') is not null then
    delete from evolution_snapshots
    where scope like 'governance.%'
      and metrics ->> 'format' like 'gcos-snapshot/%';
  end if;
end
$gcos$;
