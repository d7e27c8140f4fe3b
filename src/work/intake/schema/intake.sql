-- The meaning of a change: its kind, and the dimensions of a group it marks dirty. A deployment can add rows
-- for its own actions. An action without a row counts as a change of the source, so no change is ignored.
create table {{schema}}.governance_handoff_map (
  source text not null,
  action text not null,
  kind text
    constraint governance_handoff_map_kind_known check (kind in ('object_born', 'object_registered', 'collection_changed',
      'count_changed', 'object_retired', 'source_changed', 'axis_introduced', 'policy_changed', 'authority_changed', 'ruleset_changed')),
  dimensions text[] not null default '{}'
    constraint governance_handoff_map_dimensions_known check (dimensions <@ array['object_class', 'source_registry', 'axis_family',
      'lifecycle_status', 'scope', 'owner_scope']),
  dirty_reason text,
  trigger_line smallint
    constraint governance_handoff_map_line_known check (trigger_line between 1 and 8),
  about text not null,
  primary key (source, action),
  constraint governance_handoff_map_reason_with_dimensions check ((cardinality(dimensions) > 0) = (dirty_reason is not null))
);
comment on table {{schema}}.governance_handoff_map is 'GCOS: what a change in a source means, and which groups it dirties';
comment on column {{schema}}.governance_handoff_map.kind is 'Null: the change does not concern the lifecycle of an object and has no consequences';
comment on column {{schema}}.governance_handoff_map.dimensions is 'Groups that share these dimensions with the changed row become dirty; empty: another step marks them, or they expire';
comment on column {{schema}}.governance_handoff_map.trigger_line is 'The number of the invalidation rule that it belongs to';

-- The references of a member are in its registry, and no group hash covers the tool that runs an object. Such
-- a change therefore has a stronger reason than an inventory move.
insert into {{schema}}.governance_handoff_map (source, action, kind, dimensions, dirty_reason, trigger_line, about) values
  ('birth_registry', 'added', 'object_born', '{object_class,source_registry,lifecycle_status}', 'handoff:object_born', 1, 'a birth was seen for the first time'),
  ('birth_registry', 'updated', 'source_changed', '{object_class,source_registry,lifecycle_status}', 'handoff:source_changed', 1, 'a birth was changed in place, or moved here'),
  ('birth_registry', 'rewritten', 'source_changed', '{object_class,source_registry,lifecycle_status}', 'handoff:object_changed', 1, 'a birth that counts by itself was changed in place: its links may depend on its fields'),
  ('birth_registry', 'retired', 'object_retired', '{object_class,source_registry,lifecycle_status}', 'handoff:object_retired', 1, 'a birth has a status after which it is no longer governed'),
  ('birth_registry', 'recounted', 'count_changed', '{object_class,source_registry,lifecycle_status}', 'handoff:count_changed', 1, 'a recount gave another result: members were added, removed or changed'),
  ('birth_registry', 'rebased', 'source_changed', '{object_class,source_registry,lifecycle_status}', 'handoff:rebased', 1, 'the whole table was read again: which births changed is unknown'),
  ('birth_registry', 'corrected', 'source_changed', '{object_class,source_registry,lifecycle_status}', 'input_correction', 8, 'a birth whose input was not accepted was written again: a correction, or late data'),
  ('member_registry', 'added', 'object_registered', '{object_class,source_registry,lifecycle_status}', 'handoff:member_changed', 1, 'a member registry lists an object it did not list'),
  ('member_registry', 'updated', 'source_changed', '{object_class,source_registry,lifecycle_status}', 'handoff:member_changed', 1, 'the status or a reference of a member changed'),
  ('member_registry', 'retired', 'object_retired', '{object_class,source_registry,lifecycle_status}', 'handoff:object_retired', 1, 'a member has a status after which it is no longer governed'),
  ('member_registry', 'removed', 'object_retired', '{object_class,source_registry,lifecycle_status}', 'handoff:member_changed', 1, 'a member registry no longer lists an object'),
  ('registry_changelog', 'create', 'object_registered', '{object_class,source_registry,lifecycle_status}', 'handoff:object_registered', 1, 'the host reports a registered object'),
  ('registry_changelog', 'register', 'object_registered', '{object_class,source_registry,lifecycle_status}', 'handoff:object_registered', 1, 'the host reports a registered object'),
  ('registry_changelog', 'update', 'source_changed', '{object_class,source_registry,lifecycle_status}', 'handoff:source_changed', 1, 'the host reports a changed object'),
  ('registry_changelog', 'status_change', 'source_changed', '{object_class,source_registry,lifecycle_status}', 'handoff:source_changed', 1, 'the host reports a changed status'),
  ('registry_changelog', 'retire', 'object_retired', '{object_class,source_registry,lifecycle_status}', 'handoff:object_retired', 1, 'the host reports a retired object'),
  ('registry_changelog', 'delete', 'object_retired', '{object_class,source_registry,lifecycle_status}', 'handoff:object_retired', 1, 'the host reports a deleted object'),
  ('event_outbox', 'created', 'object_registered', '{object_class,source_registry,lifecycle_status}', 'handoff:object_registered', 1, 'an event of another domain: an object was created'),
  ('event_outbox', 'published', 'source_changed', '{object_class,source_registry,lifecycle_status}', 'handoff:source_changed', 1, 'an event of another domain'),
  ('event_outbox', 'withdrawn', 'object_retired', '{object_class,source_registry,lifecycle_status}', 'handoff:object_retired', 1, 'an event of another domain: an object went out of use'),
  ('event_outbox', 'archived', 'object_retired', '{object_class,source_registry,lifecycle_status}', 'handoff:object_retired', 1, 'an event of another domain: an object went out of use'),
  ('event_outbox', 'expired', 'object_retired', '{object_class,source_registry,lifecycle_status}', 'handoff:object_retired', 1, 'an event of another domain: an object went out of use'),
  ('event_outbox', 'merged', 'object_retired', '{object_class,source_registry,lifecycle_status}', 'handoff:object_retired', 1, 'an event of another domain: an object was merged into another'),
  ('event_outbox', 'commented', null, '{}', null, null, 'a comment'),
  ('event_outbox', 'tagged', null, '{}', null, null, 'a label'),
  ('event_outbox', 'translated', null, '{}', null, null, 'a text in another language'),
  ('event_outbox', 'reviewed', null, '{}', null, null, 'an opinion'),
  ('event_outbox', 'tick_missed', null, '{}', null, null, 'the health of a worker'),
  ('event_outbox', 'capacity_failed', null, '{}', null, null, 'the health of a server'),
  ('collection_registry', '*', 'collection_changed', '{source_registry}', 'handoff:collection_changed', 1, 'what was decided about a collection'),
  ('meta_catalog', '*', 'source_changed', '{source_registry}', 'handoff:source_changed', 1, 'which class the members of a collection have'),
  ('axis_registry', 'activated', 'axis_introduced', '{}', null, 2, 'a ruleset with other axes became active'),
  ('pivot_definitions', 'activated', 'axis_introduced', '{}', null, 2, 'a ruleset with other dimensions of pivots became active'),
  ('axis_owner', 'updated', 'authority_changed', '{axis_family}', 'authority', 4, 'the owner of an axis changed'),
  ('axis_owner', '*', null, '{}', null, 2, 'an axis was added or removed, which a ruleset decides'),
  ('normative_registry', '*', 'policy_changed', '{scope,axis_family,source_registry}', 'policy', 3, 'a law: the groups it governs'),
  ('law_jurisdiction', 'activated', 'policy_changed', '{}', null, 3, 'a ruleset with other areas of laws became active'),
  ('measurement_registry', 'activated', 'policy_changed', '{}', null, 3, 'a ruleset with other detectors became active'),
  ('coverage_profile', 'activated', 'policy_changed', '{}', null, 3, 'a ruleset with other profiles became active'),
  ('governance_rule_reach', 'activated', 'policy_changed', '{}', null, 3, 'a ruleset in which rules reach other groups became active'),
  ('governance_setting', 'activated', 'policy_changed', '{}', null, 3, 'a ruleset with other settings became active'),
  ('governance_object_ownership', '*', 'authority_changed', '{object_class,source_registry,lifecycle_status,scope}', 'authority', 4, 'who answers for a subject in a scope'),
  ('governance_responsibility_scope', 'activated', 'authority_changed', '{}', null, 4, 'a ruleset with other scopes of responsibility became active'),
  ('scope_owner', 'updated', 'authority_changed', '{scope}', 'authority', 4, 'the proposed owner of a scope changed'),
  ('scope_owner', '*', null, '{}', null, 4, 'a scope was added or removed, which a ruleset decides'),
  ('governance_registry', '*', 'authority_changed', '{owner_scope}', 'authority', 4, 'a body that can own'),
  ('approval_requests', '*', 'authority_changed', '{object_class,source_registry,lifecycle_status,scope}', 'authority', 4, 'an approval that something refers to'),
  ('exception_registry', '*', 'authority_changed', '{object_class,source_registry,lifecycle_status,scope}', 'authority', 4, 'an exception'),
  ('governance_ruleset', 'activated', 'ruleset_changed', '{}', null, 5, 'the rules in force: the activation itself has marked what they reach'),
  ('evolution_snapshots', 'drifted', 'count_changed', '{object_class,source_registry,lifecycle_status}', 'snapshot_drift', 6, 'two snapshots differ in a group'),
  ('governance_input_state', 'decided', 'source_changed', '{object_class,source_registry,lifecycle_status}', 'input_correction', 8, 'an object was quarantined or released'),
  ('governance_input_trust', 'decided', 'source_changed', '{source_registry}', 'input_correction', 8, 'the trust in a source changed'),
  ('governance_candidate_state', 'expired', null, '{}', null, 7, 'nothing is written: an expired verdict reads as stale');

-- When the intake last saw everything. INVARIANT: only gcos_note_watched() writes here, in the transaction of
-- a wide round that read every source to its end, and with the time at which that transaction began.
create table {{schema}}.gov_intake_watch (
  source text primary key,
  watched_at timestamptz not null
);
comment on table {{schema}}.gov_intake_watch is 'GCOS: the beginning of the last wide round of the intake that was committed and read everything';
grant select on {{schema}}.gov_intake_watch to {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};

create function {{trust}}.gcos_note_watched(p_worker text, p_source text, p_fence bigint)
returns timestamptz
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  began constant timestamptz := {{trust}}.gcos_now() - (clock_timestamp() - transaction_timestamp());
begin
  if not exists (
    select from {{schema}}.gov_worker_cursor c
    where c.worker = p_worker and c.source = p_source and c.round = 'wide' and c.fence = p_fence) then
    raise exception 'the lease of %/% with fence % is lost', p_worker, p_source, p_fence using errcode = 'UG001';
  end if;
  insert into {{schema}}.gov_intake_watch as w (source, watched_at) values (p_source, began)
  on conflict (source) do update set watched_at = excluded.watched_at;
  return began;
end
$gcos_function$;

-- Watched as of: everything that the host committed before this time is reflected in marks and verdicts. It
-- is the beginning of the last complete wide round, or of the last full scan that closed a ledger, which sees
-- at least as much. Null: never. A time in the future (the clock was set back) proves nothing and counts as
-- null.
create function {{trust}}.gcos_watched_at()
returns timestamptz
-- In plpgsql, which keeps the plan: the gate calls it in every check.
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  return (
    select max(t.watched_at)
    from (
      select w.watched_at from {{schema}}.gov_intake_watch w where w.source = 'birth_registry'
      union all
      (select r.started_at from {{schema}}.candidate_scan_run r
      where r.ledger is not null and r.mode = 'full' and r.status = 'completed'
      order by r.started_at desc, r.run_id desc
      limit 1)
    ) as t
    where t.watched_at <= {{trust}}.gcos_now());
end
$gcos_function$;
revoke all on function {{trust}}.gcos_note_watched(text, text, bigint), {{trust}}.gcos_watched_at() from public;
grant execute on function {{trust}}.gcos_note_watched(text, text, bigint) to {{worker}};
grant execute on function {{trust}}.gcos_watched_at() to {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};

-- A question that waits for a wide round asks for one. The intake looks about once a second, and makes one as
-- soon as its pace allows.
create sequence {{schema}}.gov_intake_request;
comment on sequence {{schema}}.gov_intake_request is 'GCOS: grows when a wide round of the intake is requested';
grant select on {{schema}}.gov_intake_request to {{worker}};
create function {{trust}}.gcos_request_round()
returns bigint
language sql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
  select nextval('{{schema}}.gov_intake_request'::regclass)
$gcos_function$;
revoke all on function {{trust}}.gcos_request_round() from public;
grant execute on function {{trust}}.gcos_request_round() to {{worker}}, {{api}}, {{server}};

-- Log lines that were taken in and that a later round may read again; deleted as the horizon of their log
-- advances.
create table {{schema}}.gov_intake_log_seen (
  source text not null,
  ref text not null,
  xid bigint not null,
  primary key (source, ref, xid)
)
-- A queue, like gov_intake_seen.
with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
comment on table {{schema}}.gov_intake_log_seen is 'GCOS: versions of log rows the intake has taken in; xid is the full number of the transaction that wrote the version';

-- Each row of a watched registry as last read: a hash of the relevant columns, and the facts that name the
-- affected groups.
create table {{schema}}.gov_intake_registry (
  source text not null,
  row_key text not null,
  content_hash text not null,
  facts jsonb not null,
  primary key (source, row_key)
)
-- A few rows change in a round, and no index has the columns that do: free space in each page keeps them
-- there.
with (fillfactor = 90);
comment on table {{schema}}.gov_intake_registry is 'GCOS: the rows of watched registries as the intake last saw them; a different hash is a change';

grant select on {{schema}}.governance_handoff_map, {{schema}}.gov_intake_log_seen, {{schema}}.gov_intake_registry to {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
grant insert, delete on {{schema}}.gov_intake_log_seen to {{worker}};
grant insert, update, delete on {{schema}}.gov_intake_registry to {{worker}};
