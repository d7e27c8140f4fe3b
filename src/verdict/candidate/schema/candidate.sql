-- The verdicts of groups, and of objects that need a row of their own. A verdict is valid for a snapshot
-- and a ruleset until its expiry. governance_validity() derives validity; it is never stored.

-- Both tables share one id sequence, so that validity, ledger and history identify a row of either by one
-- number. The columns that full scans read come first, fixed-length columns before others, because a scan
-- deforms a row only up to the last column it needs.
create sequence {{schema}}.governance_candidate_row_seq as bigint;

create table {{schema}}.governance_candidate_state (
  row_id bigint primary key default nextval('{{schema}}.governance_candidate_row_seq'),
  source_snapshot_ref bigint not null,
  scan_time timestamptz not null,
  stale_after timestamptz not null,
  weight smallint not null constraint governance_candidate_state_weight_known check (weight in (0, 1)),
  verdict_line smallint not null constraint governance_candidate_state_line_known check (verdict_line between 2 and 8),
  dirty boolean not null default false,
  coverage_required boolean not null,
  row_state text not null default 'active'
    constraint governance_candidate_state_row_state_known check (row_state in ('active', 'superseded', 'retired')),
  recompute_status text not null default 'ok'
    constraint governance_candidate_state_recompute_known check (recompute_status in ('ok', 'failed')),
  scope text not null,
  candidate_verdict text not null
    constraint governance_candidate_state_verdict_known check (candidate_verdict in
      ('relevant', 'not_relevant', 'class_0', 'deferred_birth', 'retired', 'needs_input', 'unknown')),
  ruleset_version text not null references {{trust}}.governance_ruleset (ruleset_version),
  inventory_key text not null references {{schema}}.governance_inventory (inventory_key),
  coverage_outcome text
    constraint governance_candidate_state_outcome_known check (coverage_outcome in ('covered', 'orphan', 'exception', 'not_evaluated')),
  group_key text not null,
  input_hash text not null,
  owner_scope text,
  evidence jsonb not null default '{}',
  input_quality_state text,
  input_quality_ref bigint,
  dirty_reason text,
  dirtied_at timestamptz,
  depends_on jsonb not null default '{}',
  risk_class text not null,
  coverage_scan_ref text,
  -- The required links of the run in coverage_scan_ref: how each resolved, which are missing or excepted.
  coverage_evidence jsonb,
  evidence_fingerprint text,
  carried_from text references {{trust}}.governance_ruleset (ruleset_version),
  issue_ref bigint,
  last_run_id text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint governance_candidate_state_one_per_ruleset unique (group_key, ruleset_version),
  constraint governance_candidate_state_reason_if_dirty
    check (dirty = (dirty_reason is not null) and dirty = (dirtied_at is not null))
)
-- Half of each page is free: between two rounds of autovacuum a page keeps the old and the new version of
-- each of its rows, so that HOT updates need no new page. Autovacuum comes after a twentieth of the rows.
with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 100);
comment on table {{schema}}.governance_candidate_state is 'GCOS: one verdict per group and ruleset, updated in place';
comment on column {{schema}}.governance_candidate_state.weight is 'Weight in the ledger: 1 when the group is a container that represents its members, otherwise 0';
comment on column {{schema}}.governance_candidate_state.input_hash is 'Hash of everything the verdict was derived from; equal inputs need no new evaluation';
comment on column {{schema}}.governance_candidate_state.row_state is 'active; superseded by another key or ruleset; or retired because its members are gone. Rows are never deleted';
-- INVARIANT: one live row per inventory group and scope.
create unique index governance_candidate_state_one_live on {{schema}}.governance_candidate_state (inventory_key, scope)
  where row_state in ('active', 'retired');
-- INVARIANT: no index on dirty, dirtied_at, stale_after, scan_time or source_snapshot_ref. Every round marks
-- and renews the rows of the groups that moved, and an index on one of these columns would make each such
-- update write a new entry in every index (no HOT update). There are as many rows as groups and scopes, so a
-- search for what is dirty reads them all: 0.2 ms for 700 rows, 23 ms for 18,000 on a machine with a load
-- of 20.

create table {{schema}}.governance_candidate_object (
  row_id bigint primary key default nextval('{{schema}}.governance_candidate_row_seq'),
  source_snapshot_ref bigint not null,
  scan_time timestamptz not null,
  stale_after timestamptz not null,
  weight smallint not null constraint governance_candidate_object_weight_known check (weight in (0, 1)),
  verdict_line smallint not null constraint governance_candidate_object_line_known check (verdict_line between 1 and 8),
  dirty boolean not null default false,
  coverage_required boolean not null,
  row_state text not null default 'active'
    constraint governance_candidate_object_row_state_known check (row_state in ('active', 'superseded', 'retired')),
  recompute_status text not null default 'ok'
    constraint governance_candidate_object_recompute_known check (recompute_status in ('ok', 'failed')),
  scope text not null,
  candidate_verdict text not null
    constraint governance_candidate_object_verdict_known check (candidate_verdict in
      ('relevant', 'not_relevant', 'class_0', 'deferred_birth', 'retired', 'needs_input', 'unknown')),
  ruleset_version text not null references {{trust}}.governance_ruleset (ruleset_version),
  inventory_key text not null references {{schema}}.governance_inventory (inventory_key),
  birth_id bigint,
  coverage_outcome text
    constraint governance_candidate_object_outcome_known check (coverage_outcome in ('covered', 'orphan', 'exception', 'not_evaluated')),
  -- A hash of both parts of the key: codes may be too long for an index entry, and both parts may contain
  -- any character.
  object_key text not null,
  risk_class text not null,
  coverage_scan_ref text,
  collection_name text not null,
  entity_code text not null,
  group_key text not null,
  input_hash text not null,
  owner_scope text,
  materialization_reason text not null
    constraint governance_candidate_object_reason_known check (materialization_reason in
      ('independent', 'open_finding', 'exception', 'high_risk_write', 'input')),
  -- All current reasons in order of precedence. A row stays while any reason remains.
  reasons text[] not null
    constraint governance_candidate_object_reasons_known
      check (reasons[1] = materialization_reason
        and reasons <@ array['independent', 'open_finding', 'exception', 'high_risk_write', 'input']),
  evidence jsonb not null default '{}',
  input_quality_state text,
  input_quality_ref bigint,
  dirty_reason text,
  dirtied_at timestamptz,
  depends_on jsonb not null default '{}',
  -- The required links of the run in coverage_scan_ref: how each resolved, which are missing or excepted.
  coverage_evidence jsonb,
  evidence_fingerprint text,
  carried_from text references {{trust}}.governance_ruleset (ruleset_version),
  issue_ref bigint,
  last_run_id text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint governance_candidate_object_one_per_ruleset unique (object_key, scope, ruleset_version),
  constraint governance_candidate_object_reason_if_dirty
    check (dirty = (dirty_reason is not null) and dirty = (dirtied_at is not null))
)
-- A row is written again only when its own object changed or its time ended, but twice soon after it was
-- inserted: its coverage, and the finding about it. A large table must not wait for a fifth of its rows.
with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
comment on table {{schema}}.governance_candidate_object is 'GCOS: verdicts of single objects that have a reason for a row; all others are represented by their group';
comment on column {{schema}}.governance_candidate_object.weight is 'Weight in the ledger: 1 when the class does not inherit, 0 when the container represents the object';
comment on column {{schema}}.governance_candidate_object.birth_id is 'The lowest id among the births of this key; null: a registry lists it and it has no birth';
create unique index governance_candidate_object_one_live on {{schema}}.governance_candidate_object (object_key, scope)
  where row_state in ('active', 'retired');
create index governance_candidate_object_unborn on {{schema}}.governance_candidate_object (object_key)
  where birth_id is null and row_state = 'active';
create index governance_candidate_object_by_group on {{schema}}.governance_candidate_object (inventory_key, scope);
create index governance_candidate_object_dirty on {{schema}}.governance_candidate_object (dirtied_at) where dirty;
create index governance_candidate_object_by_expiry on {{schema}}.governance_candidate_object (stale_after) where row_state = 'active';
-- Problems of input are few among many rows.
create index governance_candidate_object_by_input on {{schema}}.governance_candidate_object (inventory_key)
  where input_quality_state is not null or input_quality_ref is not null;
create index governance_candidate_object_by_snapshot on {{schema}}.governance_candidate_object (source_snapshot_ref)
  where row_state in ('active', 'retired');

-- Whether a dirty reason only reports an inventory change. Then equal inputs need no evaluation. Any
-- other reason may concern links, which are not part of the input hash.
create function {{trust}}.gcos_only_moved(p_reason text) returns boolean
language sql immutable strict parallel safe
return p_reason in ('handoff:object_born', 'handoff:object_registered', 'handoff:object_retired', 'handoff:count_changed',
  'handoff:source_changed', 'input_correction', 'snapshot_drift');
-- The share of its lifetime that a verdict gets, 90 to 100 % by its key, so that verdicts of one run do
-- not all expire at once.
create function {{trust}}.gcos_spread(p_key text) returns double precision
language sql immutable strict parallel safe
return 1 - ((hashtextextended(p_key collate "C", 4703) & 1023) / 1023.0) * 0.1;
create function {{trust}}.gcos_object_key(p_collection text, p_code text) returns text
language sql stable strict parallel safe
return encode(sha256(convert_to(length(p_collection)::text || ':' || p_collection || p_code, 'UTF8')), 'hex');
comment on function {{trust}}.gcos_object_key(text, text) is 'GCOS: the key of an object as one hash, unique per pair of collection and code';

-- The history of verdicts. Only changes are written. INVARIANT: append-only, and the server gives the number
-- and the time of a row: workers may not write those columns.
create table {{schema}}.governance_verdict_history (
  history_id bigint generated always as identity primary key,
  row_id bigint not null,
  group_key text not null,
  collection_name text,
  entity_code text,
  scope text not null,
  ruleset_version text not null,
  source_snapshot_ref bigint not null,
  scan_time timestamptz not null,
  verdict_before text,
  verdict_after text not null,
  outcome_before text,
  outcome_after text,
  verdict_line smallint not null,
  cause text not null,
  run_id text not null,
  recorded_at timestamptz not null default {{trust}}.gcos_now()
);
comment on table {{schema}}.governance_verdict_history is 'GCOS: every change of a verdict or an outcome, append-only';
create index governance_verdict_history_by_row on {{schema}}.governance_verdict_history (row_id, history_id);

create table {{schema}}.candidate_scan_run (
  run_id text primary key,
  kind text not null check (kind in ('backfill', 'scan')),
  mode text check (mode in ('event', 'incremental', 'full')),
  status text not null check (status in ('running', 'completed', 'failed', 'throttled')),
  started_at timestamptz not null,
  finished_at timestamptz,
  source_snapshot_ref bigint,
  closing_snapshot_ref bigint,
  ruleset_version text references {{trust}}.governance_ruleset (ruleset_version),
  phase text,
  counts jsonb not null default '{}',
  proof jsonb,
  ledger jsonb,
  error text,
  constraint candidate_scan_run_mode_of_scans check ((kind = 'scan') = (mode is not null))
);
comment on table {{schema}}.candidate_scan_run is 'GCOS: one row per backfill or scan; counts contains the numbers of groups read, evaluated and changed';
create index candidate_scan_run_by_time on {{schema}}.candidate_scan_run (started_at desc, run_id desc);
-- A year has half a million scans of the backlog, and a few hundred others.
create index candidate_scan_run_closing on {{schema}}.candidate_scan_run (started_at desc, run_id desc) where kind = 'backfill' or mode = 'full';
create index candidate_scan_run_backlog on {{schema}}.candidate_scan_run (started_at)
  where mode in ('event', 'incremental') and status <> 'running';
create index candidate_scan_run_running on {{schema}}.candidate_scan_run (run_id) where status = 'running';

-- INVARIANT: only this function decides why a verdict is not valid. Null: it is valid.
create function {{trust}}.gcos_validity_reason(
  p_ruleset_status text, p_snapshot_there boolean, p_recompute_status text, p_dirty boolean, p_stale_after timestamptz, as_of timestamptz)
returns text
language sql immutable parallel safe
as $gcos_function$
  select case
    when p_ruleset_status is distinct from 'active' then 'ruleset_not_active'
    when p_snapshot_there is not true then 'snapshot_gone'
    when p_recompute_status <> 'ok' then 'recompute_failed'
    when p_dirty then 'dirty'
    when as_of >= p_stale_after then 'expired'
  end
$gcos_function$;

-- Whether each live row is valid at `as_of`, and otherwise the first reason. One statement without side
-- effects, so the planner inlines it into the calling query. The body is not checked at creation: a host
-- without the table of snapshots can still install GCOS, and the doctor reports the missing table.
set local check_function_bodies = off;
create function {{trust}}.governance_validity(as_of timestamptz)
returns table (row_id bigint, valid boolean, reason text)
language sql stable
-- As text, not as a parsed body: a parsed body would make the host's table a dependency and block its
-- changes.
as $gcos_function$
  select v.row_id, v.reason is null, v.reason
  from (
    select c.row_id,
      {{trust}}.gcos_validity_reason(r.status, s.id is not null, c.recompute_status, c.dirty, c.stale_after, as_of) as reason
    from (
      select g.row_id, g.ruleset_version, g.source_snapshot_ref, g.recompute_status, g.dirty, g.stale_after
      from {{schema}}.governance_candidate_state g
      where g.row_state in ('active', 'retired')
      union all
      select o.row_id, o.ruleset_version, o.source_snapshot_ref, o.recompute_status, o.dirty, o.stale_after
      from {{schema}}.governance_candidate_object o
      where o.row_state in ('active', 'retired')
    ) c
    left join {{trust}}.governance_ruleset r on r.ruleset_version = c.ruleset_version
    left join {{schema}}.evolution_snapshots s on s.id = c.source_snapshot_ref
  ) v
$gcos_function$;
set local check_function_bodies to default;
comment on function {{trust}}.governance_validity(timestamptz) is 'GCOS: whether each live verdict is valid at a point in time, and otherwise why not';

create or replace view {{schema}}.v_governance_snapshot_in_use as
select s.source_snapshot_ref as snapshot_id from {{schema}}.governance_candidate_state s where s.row_state in ('active', 'retired')
union
select o.source_snapshot_ref from {{schema}}.governance_candidate_object o where o.row_state in ('active', 'retired')
union
-- For audits: the opening and closing snapshots of recent runs.
select u.ref
from (
  select r.source_snapshot_ref, r.closing_snapshot_ref
  from {{schema}}.candidate_scan_run r
  where r.status = 'running' or r.closing_snapshot_ref is not null
  order by r.started_at desc
  limit 12
) r
cross join lateral (values (r.source_snapshot_ref), (r.closing_snapshot_ref)) as u(ref)
where u.ref is not null;

-- Lets a worker analyze the tables right after filling them: only the owner of a table may run ANALYZE.
create function {{trust}}.gcos_analyze_candidates() returns integer
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  -- Only the columns that planning needs: including the jsonb columns would take ten times as long.
  -- SKIP_LOCKED does not wait for a session that already analyzes the table.
  analyze (skip_locked) {{schema}}.governance_candidate_state (inventory_key, scope, row_state, weight, candidate_verdict);
  analyze (skip_locked) {{schema}}.governance_candidate_object (object_key, inventory_key, scope, row_state, weight, candidate_verdict);
  return 2;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_analyze_candidates() from public;
grant execute on function {{trust}}.gcos_analyze_candidates() to {{worker}};

grant select on {{schema}}.governance_candidate_state, {{schema}}.governance_candidate_object, {{schema}}.governance_verdict_history, {{schema}}.candidate_scan_run
  to {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
revoke all on function {{trust}}.governance_validity(timestamptz),
  {{trust}}.gcos_validity_reason(text, boolean, text, boolean, timestamptz, timestamptz), {{trust}}.gcos_object_key(text, text),
  {{trust}}.gcos_only_moved(text), {{trust}}.gcos_spread(text) from public;
grant execute on function {{trust}}.governance_validity(timestamptz),
  {{trust}}.gcos_validity_reason(text, boolean, text, boolean, timestamptz, timestamptz), {{trust}}.gcos_object_key(text, text), {{trust}}.gcos_spread(text), {{trust}}.gcos_only_moved(text) to {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
grant usage on sequence {{schema}}.governance_candidate_row_seq to {{worker}};
grant insert, update on {{schema}}.governance_candidate_state, {{schema}}.governance_candidate_object to {{worker}};
grant insert (row_id, group_key, collection_name, entity_code, scope, ruleset_version, source_snapshot_ref, scan_time, verdict_before,
  verdict_after, outcome_before, outcome_after, verdict_line, cause, run_id) on {{schema}}.governance_verdict_history to {{worker}};
