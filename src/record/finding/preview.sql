-- name: readOpenFindings
-- The state of the findings :keys and of the findings of the evaluated types :types on the subjects :subjects
-- (null: all). A summary represents unnamed subjects, so a list of
-- subjects does not select it. One index lookup into the host's table per key: the table is large, and the
-- keys are few.
-- nullable: scope, :subjects
select k.coalesce_key, k.finding_type, k.subject, k.scope, k.severity, i.id is not null as is_known,
  coalesce((i.status = any ((select gcos_closed_statuses())::text[])) is not true, false) and i.id is not null as is_open
from governance_finding_key k
left join lateral (
  select s.id, s.status::text as status
  from system_issues s
  where s.id = k.issue_id and s.code = k.issue_code
  limit 1
) as i on true
where k.coalesce_key = any (:keys::text[])
  or k.finding_type = any (:types::text[]) and (:subjects::text[] is null or k.subject = any (:subjects::text[]) and not k.is_summary)
order by k.coalesce_key collate "C"
