-- The state at installation: every collection in scope has a contract, and the contracts of governed
-- collections require the fields that governance reads. The tools registered in the host are trusted;
-- births without a tool are monitored. Init runs this once: people make all later changes.
create function {{trust}}.gcos_seed_input()
returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  written bigint := 0;
  part bigint;
begin
  if exists (select from {{schema}}.governance_input_contract) or exists (select from {{schema}}.governance_input_trust)
    or to_regclass('{{schema}}.collection_registry') is null then
    return 0;
  end if;
  insert into {{schema}}.governance_input_contract (collection_name, required_fields, origin)
  select distinct on (c.collection_name) c.collection_name::text,
    case when c.governance_role::text in ('governed', 'locked', 'law_artifact')
      then array['species_code', 'status', 'governance_role'] else '{}'::text[] end, 'init'
  from {{schema}}.collection_registry c
  where c.collection_name is not null and c.coverage_status::text = 'BIRTH_REQUIRED' and c.coverage_scope_status::text = 'IN_SCOPE'
  order by c.collection_name, c.governance_role;
  get diagnostics part = row_count;
  written := written + part;
  insert into {{schema}}.governance_input_trust (source_kind, source, level, reason, set_by, set_at)
  select 'collection', c.collection_name, 'monitored', 'in scope when GCOS was installed', 'gcos', {{trust}}.gcos_now()
  from {{schema}}.governance_input_contract c;
  get diagnostics part = row_count;
  written := written + part;
  if exists (select from pg_attribute a where a.attrelid = to_regclass('{{schema}}.dot_tools')
    and a.attname = 'dot_code' and a.attnum > 0 and not a.attisdropped)
    and has_table_privilege(to_regclass('{{schema}}.dot_tools'), 'select') then
    insert into {{schema}}.governance_input_trust (source_kind, source, level, reason, set_by, set_at)
    select distinct 'origin', t.dot_code::text, 'trusted', 'a registered tool when GCOS was installed', 'gcos', {{trust}}.gcos_now()
    from {{schema}}.dot_tools t
    where t.dot_code is not null;
    get diagnostics part = row_count;
    written := written + part;
  end if;
  return written;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_seed_input() from public;
