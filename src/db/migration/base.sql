-- The applied migrations. This is the first table, so that every later migration can be recorded.
create table {{schema}}.gcos_migration (
  kind text not null check (kind in ('core', 'with')),
  id integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now(),
  applied_by text not null default session_user,
  applied_with text not null,
  primary key (kind, id),
  unique (kind, name)
);
comment on table {{schema}}.gcos_migration is 'GCOS: the migrations applied to this schema, with their checksums';

-- The privileges that GCOS granted its roles on the host, so that uninstall revokes exactly these. Relation
-- '' is the schema itself.
create table {{schema}}.gcos_grant (
  relation text not null,
  grantee text not null,
  privilege text not null,
  primary key (relation, grantee, privilege)
);
comment on table {{schema}}.gcos_grant is 'GCOS: the privileges on host tables that init and upgrade granted';

-- The host's code (triggers, CHECK functions, defaults) runs inside the statements that write its tables, and
-- usually names the host's tables without their schema. INVARIANT: no statement of GCOS is parsed while the
-- host's schema is on the search path, because a function or operator in it could match better than the
-- server's own and would run as the owner role. So each statement that writes a host table has the condition
-- `(select gcos_enter_host())`: the server resolves the statement's names before, and evaluates this
-- condition once, before it looks for rows. gcos_leave_host() follows, unless the function ends there: its
-- SET clause then restores the path. Both bodies are parsed here, and have no SET clause, which would undo
-- them.
create function {{trust}}.gcos_enter_host()
returns boolean
language sql volatile
return set_config('search_path', 'pg_catalog, {{schema}}, pg_temp', true) is not null;
create function {{trust}}.gcos_leave_host()
returns boolean
language sql volatile
return set_config('search_path', 'pg_catalog, pg_temp', true) is not null;
revoke all on function {{trust}}.gcos_enter_host(), {{trust}}.gcos_leave_host() from public;

grant select on {{schema}}.gcos_migration, {{schema}}.gcos_grant to {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};

set local role {{trust_owner}};
-- Settings: limits, ceilings and mappings that an operator may change per deployment.
create table {{trust}}.governance_setting (
  setting_key text primary key,
  setting_value jsonb not null,
  about text not null,
  updated_at timestamptz not null default now(),
  updated_by text not null default session_user,
  changed_by text not null default 'dba' check (changed_by in ('person', 'approval', 'dba', 'command'))
);
comment on column {{trust}}.governance_setting.changed_by is 'Who may change it: a mapped person; the same with an approval of the ruleset; a mapped person whose login may update this table; only its own command';
comment on table {{trust}}.governance_setting is 'GCOS: settings of this deployment; settings that change verdicts are part of the ruleset';

grant select on {{trust}}.governance_setting to {{owner}}, {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
-- Each migration adds its settings. The end of the installation revokes this.
grant insert, update, delete on {{trust}}.governance_setting to {{owner}};

-- The time, for everything that decides. INVARIANT: no function takes the time from its caller. Tests replace
-- this function, as superuser.
create function {{trust}}.gcos_now()
returns timestamptz
language sql volatile
return clock_timestamp();
comment on function {{trust}}.gcos_now() is 'GCOS: the time that decides';
revoke all on function {{trust}}.gcos_now() from public;
grant execute on function {{trust}}.gcos_now() to {{owner}}, {{source}}, {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};

-- Called by every function of the owner of trust before it calls functions of the other owner. Code of the
-- host can run as that owner (a trigger on a host table fires with the writer's rights), and could alter its
-- functions so that they run, with the host's code, as their caller. Fails if one of p_functions no
-- longer runs as its owner, with only the server's own schema on its search path.
create function {{trust}}.gcos_require_intact(variadic p_functions regprocedure[])
returns void
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  if (
    select count(*) from pg_proc p
    where p.oid = any (p_functions) and p.prosecdef and p.proowner = '{{owner}}'::regrole
      and array['search_path=pg_catalog, pg_temp'] <@ p.proconfig) is distinct from cardinality(p_functions) then
    raise exception 'a function of GCOS was altered: this call is refused' using errcode = 'UG010',
      hint = 'compare the functions of {{owner}} with a fresh installation';
  end if;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_require_intact(regprocedure[]) from public;

-- Called first by every function of the other owner that the owner of trust calls. Code of the host may run
-- in one call and alter the function that is called next, in the same statement: a function that no longer
-- runs as its owner fails before it does anything else. Its body cannot be replaced, because its owner may
-- not create here.
create function {{trust}}.gcos_require_owner()
returns boolean
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  if quote_ident(current_user)::regrole <> '{{owner}}'::regrole then
    raise exception 'a function of GCOS was altered: this call is refused' using errcode = 'UG010',
      hint = 'compare the functions of {{owner}} with a fresh installation';
  end if;
  return true;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_require_owner() from public;
grant execute on function {{trust}}.gcos_require_owner() to {{owner}};

-- Called by every function that records an answer of the gate, a vote or an activation: its transaction
-- commits only once the server has flushed it to disk, whatever default the server or the session has. A
-- stricter setting (remote_apply) stays.
create function {{trust}}.gcos_commit_durably()
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  if current_setting('synchronous_commit') not in ('on', 'remote_apply') then
    perform set_config('synchronous_commit', 'on', true);
  end if;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_commit_durably() from public;
grant execute on function {{trust}}.gcos_commit_durably() to {{owner}};

-- One row per kind of work that only one session does at a time. Not advisory locks: their keys are visible
-- in pg_locks, and any login of the database can take them, a detector's too. These only the owner locks.
create table {{trust}}.gcos_lock (
  name text primary key
);
comment on table {{trust}}.gcos_lock is 'GCOS: what only one session does at a time; a session locks the row';
insert into {{trust}}.gcos_lock (name) values
  ('break_glass'), ('exception'), ('promote'), ('remediation'), ('request'), ('ruleset'), ('subscribe'), ('tick');

-- Waits until no other session holds the lock, and keeps it until the transaction ends.
create function {{trust}}.gcos_take_lock(p_name text)
returns boolean
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  perform from {{trust}}.gcos_lock l where l.name = p_name for update;
  if not found then
    raise exception 'there is no lock %', p_name using errcode = 'invalid_parameter_value';
  end if;
  return true;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_take_lock(text) from public;
grant execute on function {{trust}}.gcos_take_lock(text) to {{owner}}, {{worker}}, {{api}}, {{server}};
set local role {{owner}};
