-- Overrides of the default mapping from GCOS's vocabulary to the host's, for hosts with narrower constraints.

set local role {{trust_owner}};
-- The host's words for GCOS's, as init and upgrade found them in the host's constraints. INVARIANT: no login
-- writes here, so a function that needs a word takes it from this table and not from its caller, and a host
-- that changes a constraint changes no meaning until an operator runs upgrade.
create table {{trust}}.governance_host_word (
  kind text not null,
  word text not null,
  host_word text,
  primary key (kind, word)
);
comment on table {{trust}}.governance_host_word is 'GCOS: the word that the host allows for each word of GCOS, null if it allows none; written by init and upgrade only';
grant select on {{trust}}.governance_host_word to {{owner}}, {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};

-- The host's word: the operator's override in the setting host.mapping, else the word that init or upgrade
-- found; null: the host allows none. A word that nothing maps is the host's, too.
create function {{trust}}.gcos_host_word(p_kind text, p_word text)
returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  return (
    select coalesce(s.override, case when w.word is null then p_word else w.host_word end)
    from (
      select (select o.setting_value -> p_kind ->> p_word from {{trust}}.governance_setting o where o.setting_key = 'host.mapping') as override
    ) as s
    left join {{trust}}.governance_host_word w on w.kind = p_kind and w.word = p_word);
end
$gcos_function$;
comment on function {{trust}}.gcos_host_word(text, text) is 'GCOS: the host''s word for a word of GCOS, by its kind';
revoke all on function {{trust}}.gcos_host_word(text, text) from public;
grant execute on function {{trust}}.gcos_host_word(text, text) to {{owner}}, {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};

-- The host's words for the four severities, most severe first; an empty text: the host allows none. Only
-- functions of GCOS call it.
create function {{trust}}.gcos_host_severities(p_kind text)
returns text[]
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  return array(
    select coalesce({{trust}}.gcos_host_word(p_kind, level.word), '')
    from unnest(array['critical', 'high', 'medium', 'low']) with ordinality as level(word, pos)
    order by level.pos);
end
$gcos_function$;
revoke all on function {{trust}}.gcos_host_severities(text) from public;
grant execute on function {{trust}}.gcos_host_severities(text) to {{owner}};
set local role {{owner}};
