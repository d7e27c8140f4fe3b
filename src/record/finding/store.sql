-- name: knownKeys
-- The keys among :keys that have a row in system_issues.
select k.coalesce_key
from governance_finding_key k
where k.coalesce_key = any (:keys::text[]) and k.issue_id is not null

-- name: write
-- nullable: scope, :ruleset, :clean_types, :clean_subjects, :clean_keys
select w.coalesce_key, w.issue_code, w.issue_id, w.finding_type, w.family, w.event_type, w.subject, w.scope, w.severity,
  w.routes, w.change, w.notify, w.occurrence_count
from gcos_write_findings(
  :keys::text[], :types::text[], :subjects::text[], :scopes::text[], :parents::text[], :summaries::boolean[], :entity_types::text[], :entity_codes::text[], :severities::text[],
  :routes::text[], :evidence::text[], :counts::bigint[], :run_id::text, :ruleset::text, :clean_types::text[], :clean_subjects::text[],
  :clean_keys::text[]) as w

-- name: anyOpen
-- Whether a finding of one of the types :types is open, so that there is something to resolve. One
-- index lookup per key: the host's table is large, and the keys are few.
select exists (
  select
  from governance_finding_key k
  cross join lateral (
    select i.id
    from system_issues i
    where i.id = k.issue_id and i.code = k.issue_code and (i.status::text = any ((select gcos_closed_statuses())::text[])) is not true
    limit 1
  ) as open
  where k.finding_type = any (:types::text[])
) as open

-- name: openFindings
-- The open findings of the types :types.
select k.coalesce_key, k.subject, k.is_summary
from governance_finding_key k
cross join lateral (
  select i.id
  from system_issues i
  where i.id = k.issue_id and i.code = k.issue_code and (i.status::text = any ((select gcos_closed_statuses())::text[])) is not true
  limit 1
) as open
where k.finding_type = any (:types::text[])
