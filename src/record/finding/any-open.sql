-- Whether a finding of one of the types $1 is open, where $2 are the words that mean closed. One look into the index per key: the host's
-- table is large, and these are few.
select exists (
  select
  from governance_finding_key k
  cross join lateral (
    select i.id
    from system_issues i
    where i.id = k.issue_id and i.code = k.issue_code and (i.status::text = any ($2::text[])) is not true
    limit 1
  ) as open
  where k.finding_type = any ($1::text[])
) as open
