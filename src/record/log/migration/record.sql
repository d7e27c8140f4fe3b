set local role {{trust_owner}};
-- The triggers below fire at the end of the transaction (deferred): the head is locked only while the
-- transaction commits, and always last, so that no two sessions wait for each other.

-- Records the rows of one table. Arguments: what a row is, its key, the kind of an insert, and the columns
-- that change later, by kind; those under "" change without a link. All other columns never change: a change
-- of one, which only a superuser can make, becomes a link `….altered`.
create function {{trust}}.gcos_log_row()
returns trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
-- Times in a payload are in UTC.
set timezone = 'UTC'
as $gcos_function$
declare
  noun constant text := tg_argv[0];
  key_column constant text := tg_argv[1];
  later constant jsonb := tg_argv[3]::jsonb;
  changing constant text[] := array(select jsonb_array_elements_text(c.value) from jsonb_each(later) c);
  -- The hash of a secret is no part of a link.
  was constant jsonb := to_jsonb(old) - 'secret_hash';
  has_become constant jsonb := to_jsonb(new) - 'secret_hash';
  written constant jsonb := has_become - changing;
  event record;
begin
  if tg_op = 'INSERT' then
    perform {{trust}}.gcos_log_append(noun || '.' || coalesce(case has_become ->> 'decision'
        when 'approve' then 'approved' when 'reject' then 'rejected' when 'withdraw' then 'withdrawn' end, tg_argv[2]),
      has_become ->> key_column, written);
    return null;
  end if;
  if tg_op = 'DELETE' then
    perform {{trust}}.gcos_log_append(noun || '.deleted', was ->> key_column, was);
    return null;
  end if;
  if written <> was - changing then
    perform {{trust}}.gcos_log_append(noun || '.altered', has_become ->> key_column, written);
  end if;
  for event in
    select c.key as kind, jsonb_object_agg(n.name, has_become -> n.name) as columns
    from jsonb_each(later) c
    cross join lateral jsonb_array_elements_text(c.value) as n(name)
    where c.key <> ''
    group by c.key
    having bool_or(has_become -> n.name <> was -> n.name)
    order by c.key
  loop
    perform {{trust}}.gcos_log_append(noun || '.' || event.kind, has_become ->> key_column,
      jsonb_build_object(key_column, has_become -> key_column) || event.columns);
  end loop;
  return null;
end
$gcos_function$;

-- Records every version of a row that may change: a setting, or who a login is. Arguments: what a row is, and
-- its key.
create function {{trust}}.gcos_log_version()
returns trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $gcos_function$
begin
  if tg_op = 'DELETE' then
    perform {{trust}}.gcos_log_append(tg_argv[0] || '.removed', to_jsonb(old) ->> tg_argv[1], to_jsonb(old));
  elsif to_jsonb(new) is distinct from to_jsonb(old) then
    perform {{trust}}.gcos_log_append(tg_argv[0] || '.changed', to_jsonb(new) ->> tg_argv[1], to_jsonb(new));
  end if;
  return null;
end
$gcos_function$;

-- Records an activation with the hash of the content that it put into force.
create function {{trust}}.gcos_log_activation()
returns trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $gcos_function$
begin
  perform {{trust}}.gcos_log_append('ruleset.activated', new.ruleset_version, to_jsonb(new) || jsonb_build_object('content_hash',
    (select r.content_hash from {{trust}}.governance_ruleset r where r.ruleset_version = new.ruleset_version)));
  return null;
end
$gcos_function$;

-- Records the first answer that relied on a pass; the seals cover the others. A pass that is relied on
-- every second must not make the log a bottleneck.
create function {{trust}}.gcos_log_pass_used()
returns trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $gcos_function$
begin
  if not exists (select from {{trust}}.gcos_log l where l.subject = new.pass_code and l.kind = 'break_glass.used') then
    perform {{trust}}.gcos_log_append('break_glass.used', new.pass_code, jsonb_build_object('pass_code', new.pass_code,
      'check_id', new.check_id, 'first_item', new.first_item, 'login', new.login, 'stage', new.stage, 'action', new.action,
      'decided_at', new.decided_at));
  end if;
  return null;
end
$gcos_function$;

-- Records the ledger of a run that has ended: totals by scope, snapshots, and a hash of the whole ledger. The
-- table belongs to the other owner. INVARIANT: the function works for this table only. It is compared without
-- resolving its name, because this owner may not use the host's schema.
create function {{trust}}.gcos_log_ledger()
returns trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $gcos_function$
declare
  totals constant jsonb := {{trust}}.gcos_log_ledger_payload(to_jsonb(new));
begin
  if format('%I.%I', tg_table_schema, tg_table_name) <> format('%I.%I', (parse_ident('{{schema}}'))[1], 'candidate_scan_run') then
    raise exception 'not the table of runs' using errcode = 'insufficient_privilege';
  end if;
  if tg_op = 'INSERT' or old.status = 'running' then
    perform {{trust}}.gcos_log_append(case new.status when 'completed' then 'ledger.closed' else 'ledger.failed' end, new.run_id, totals);
  elsif totals <> {{trust}}.gcos_log_ledger_payload(to_jsonb(old)) then
    perform {{trust}}.gcos_log_append('ledger.altered', new.run_id, totals);
  end if;
  return null;
end
$gcos_function$;

create function {{trust}}.gcos_log_ledger_payload(p_run jsonb)
returns jsonb
language sql immutable
return (p_run - array['ledger', 'proof', 'counts', 'error', 'phase']) || jsonb_build_object(
  'ledger_hash', encode(sha256(convert_to((p_run -> 'ledger')::text, 'UTF8')), 'hex'),
  'closes', p_run -> 'ledger' -> 'closes',
  'scopes', (
    select jsonb_object_agg(s.scope ->> 'scope', s.scope - array['scope', 'differences', 'gone'])
    from jsonb_array_elements(p_run -> 'ledger' -> 'scopes') as s(scope)));

revoke all on function {{trust}}.gcos_log_row(), {{trust}}.gcos_log_version(), {{trust}}.gcos_log_activation(), {{trust}}.gcos_log_pass_used(),
  {{trust}}.gcos_log_ledger(), {{trust}}.gcos_log_ledger_payload(jsonb) from public;
-- Creating a trigger takes this privilege, firing it does not.
grant execute on function {{trust}}.gcos_log_ledger() to {{owner}};

create constraint trigger governance_request_logged after insert on {{trust}}.governance_request
  deferrable initially deferred for each row execute function {{trust}}.gcos_log_row('request', 'request_code', 'opened', '{}');
create trigger governance_request_altered after update or delete on {{trust}}.governance_request
  for each row execute function {{trust}}.gcos_log_row('request', 'request_code', 'opened', '{}');
create constraint trigger governance_decision_logged after insert on {{trust}}.governance_decision
  deferrable initially deferred for each row execute function {{trust}}.gcos_log_row('request', 'request_code', 'decided', '{}');
create trigger governance_decision_altered after update or delete on {{trust}}.governance_decision
  for each row execute function {{trust}}.gcos_log_row('request', 'request_code', 'decided', '{}');
create constraint trigger governance_ruleset_activation_logged after insert on {{trust}}.governance_ruleset_activation
  deferrable initially deferred for each row execute function {{trust}}.gcos_log_activation();
create constraint trigger governance_exception_logged after insert or update or delete on {{trust}}.governance_exception
  deferrable initially deferred for each row execute function {{trust}}.gcos_log_row('exception', 'exception_code', 'requested',
    '{"granted": ["is_grant_announced"], "revoked": ["revoked_at", "revoked_by", "revoke_reason"],
      "": ["applied_status", "is_expiry_announced"]}');
create constraint trigger governance_break_glass_logged after insert or update or delete on {{trust}}.governance_break_glass
  deferrable initially deferred for each row execute function {{trust}}.gcos_log_row('break_glass', 'pass_code', 'requested',
    '{"began": ["began_at"], "closed": ["closed_at", "closed_by"], "verified": ["verified_at"], "": ["noted_at", "marked_at"]}');
create constraint trigger governance_gate_answer_pass_logged after insert on {{trust}}.governance_gate_answer
  deferrable initially deferred for each row when (new.pass_code is not null) execute function {{trust}}.gcos_log_pass_used();
create constraint trigger gcos_gate_seal_logged after insert on {{trust}}.gcos_gate_seal
  deferrable initially deferred for each row execute function {{trust}}.gcos_log_row('gate', 'to_check', 'sealed', '{"": ["answer_marks"]}');
create constraint trigger governance_pruned_range_gate_logged after insert on {{trust}}.governance_pruned_range
  deferrable initially deferred for each row when (new.kind = 'gate')
  execute function {{trust}}.gcos_log_row('gate', 'prune_id', 'pruned', '{}');
create constraint trigger governance_pruned_range_snapshot_logged after insert on {{trust}}.governance_pruned_range
  deferrable initially deferred for each row when (new.kind = 'snapshot')
  execute function {{trust}}.gcos_log_row('snapshot', 'prune_id', 'pruned', '{}');
create constraint trigger governance_setting_logged after insert or update or delete on {{trust}}.governance_setting
  deferrable initially deferred for each row execute function {{trust}}.gcos_log_version('setting', 'setting_key');
create constraint trigger governance_actor_logged after insert or update or delete on {{trust}}.governance_actor
  deferrable initially deferred for each row execute function {{trust}}.gcos_log_version('actor', 'person_ref');
set local role {{owner}};

create constraint trigger candidate_scan_run_logged after insert or update on {{schema}}.candidate_scan_run
  deferrable initially deferred for each row when (new.ledger is not null and new.status <> 'running')
  execute function {{trust}}.gcos_log_ledger();
set local role {{trust_owner}};
revoke execute on function {{trust}}.gcos_log_ledger() from {{owner}};

-- The first link: the settings that were there before the log.
select {{trust}}.gcos_log_append('log.opened', '{{trust}}', jsonb_build_object(
  'settings', (select jsonb_object_agg(s.setting_key, s.setting_value) from {{trust}}.governance_setting s)));
set local role {{owner}};
