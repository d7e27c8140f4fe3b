-- Overrides of the default mapping from GCOS's vocabulary to the host's, for hosts with narrower constraints.

set local role {{trust_owner}};
-- The host's words for GCOS's, as init and upgrade found them in the host's constraints. INVARIANT: no login
-- writes here, so a function that needs a word takes it from this table and not from its caller, and a host
-- that changes a constraint changes no meaning until an operator runs upgrade.
create table {{trust}}.governance_host_word (
  kind text not null,
  word text not null,
  host_word text not null,
  primary key (kind, word)
);
comment on table {{trust}}.governance_host_word is 'GCOS: the word that the host allows for each word of GCOS; written by init and upgrade only';
grant select on {{trust}}.governance_host_word to {{owner}}, {{reader}}, {{worker}}, {{api}}, {{pruner}};

-- The host's word: the operator's override in the setting host.mapping, else the word that init or upgrade
-- found, else GCOS's own word.
create function {{trust}}.gcos_host_word(p_kind text, p_word text)
returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  return coalesce(
    (select s.setting_value -> p_kind ->> p_word from {{trust}}.governance_setting s where s.setting_key = 'host.mapping'),
    (select w.host_word from {{trust}}.governance_host_word w where w.kind = p_kind and w.word = p_word),
    p_word);
end
$gcos_function$;
comment on function {{trust}}.gcos_host_word(text, text) is 'GCOS: the host''s word for a word of GCOS, by its kind';
revoke all on function {{trust}}.gcos_host_word(text, text) from public;
grant execute on function {{trust}}.gcos_host_word(text, text) to {{owner}}, {{reader}}, {{worker}}, {{api}}, {{pruner}};
set local role {{owner}};
