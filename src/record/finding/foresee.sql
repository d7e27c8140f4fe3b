-- How the findings $1 stand, and the open ones of the types $2 on the subjects $3 (null: all), which were looked at; $4 are the words that
-- mean closed. A summary stands for subjects that are not named. One look into the host's table per key: it is large, and these are few.
select k.coalesce_key, k.finding_type, k.subject, k.scope, k.severity, i.id is not null as is_known,
  coalesce((i.status = any ($4::text[])) is not true, false) and i.id is not null as is_open
from governance_finding_key k
left join lateral (
  select s.id, s.status::text as status
  from system_issues s
  where s.id = k.issue_id and s.code = k.issue_code
  limit 1
) as i on true
where k.coalesce_key = any ($1::text[])
  or k.finding_type = any ($2::text[]) and ($3::text[] is null or k.subject = any ($3::text[]) and not k.is_summary)
order by k.coalesce_key collate "C"
