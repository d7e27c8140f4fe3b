do $gcos$
begin
  if to_regclass('{{schema}}.evolution_snapshots') is not null then
    delete from {{schema}}.evolution_snapshots
    where (select {{trust}}.gcos_enter_host()) and scope like 'governance.%'
      and metrics ->> 'format' like 'gcos-snapshot/%';
  end if;
end
$gcos$;
