-- The applied migrations. This is the first table, so that every later migration can be recorded.
create table gcos_migration (
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
comment on table gcos_migration is 'GCOS: the migrations applied to this schema, with their checksums';

-- The privileges that GCOS granted its roles on the host, so that uninstall revokes exactly these. Relation
-- '' is the schema itself.
create table gcos_grant (
  relation text not null,
  grantee text not null,
  privilege text not null,
  primary key (relation, grantee, privilege)
);
comment on table gcos_grant is 'GCOS: the privileges on host tables that init and upgrade granted';

-- Settings: limits, ceilings and mappings that an operator may change per deployment.
create table governance_setting (
  setting_key text primary key,
  setting_value jsonb not null,
  about text not null,
  updated_at timestamptz not null default now(),
  updated_by text not null default session_user
);
comment on table governance_setting is 'GCOS: settings of this deployment; settings that change verdicts are part of the ruleset';

grant select on gcos_migration, gcos_grant, governance_setting to {{reader}}, {{worker}}, {{api}}, {{pruner}};

-- Called by every function that records an answer of the gate, a vote or an activation: its transaction
-- commits only once the server has flushed it to disk, whatever default the server or the session has. A
-- stricter setting (remote_apply) stays.
create function gcos_commit_durably()
returns void
language plpgsql
as $gcos_function$
begin
  if current_setting('synchronous_commit') not in ('on', 'remote_apply') then
    perform set_config('synchronous_commit', 'on', true);
  end if;
end
$gcos_function$;
revoke all on function gcos_commit_durably() from public;

-- One row per kind of work that only one session does at a time. Not advisory locks: their keys are visible
-- in pg_locks, and any login of the database can take them, a detector's too. These only the owner locks.
create table gcos_lock (
  name text primary key
);
comment on table gcos_lock is 'GCOS: what only one session does at a time; a session locks the row';
insert into gcos_lock (name) values
  ('break_glass'), ('exception'), ('promote'), ('remediation'), ('request'), ('ruleset'), ('subscribe'), ('tick');

-- Waits until no other session holds the lock, and keeps it until the transaction ends.
create function gcos_take_lock(p_name text)
returns boolean
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  perform from {{schema}}.gcos_lock l where l.name = p_name for update;
  if not found then
    raise exception 'there is no lock %', p_name using errcode = 'invalid_parameter_value';
  end if;
  return true;
end
$gcos_function$;
revoke all on function gcos_take_lock(text) from public;
grant execute on function gcos_take_lock(text) to {{worker}}, {{api}};
