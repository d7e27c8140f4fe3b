-- Whether a reading of the inventory disagreed with itself and nobody has shown since that it agrees again.
select exists (
  select
  from governance_finding_key k
  join system_issues i on i.id = k.issue_id and i.code = k.issue_code
  where k.finding_type = 'snapshot_nondeterministic'
    and (i.status::text = any (
      array(select jsonb_array_elements_text(s.setting_value) from governance_setting s where s.setting_key = 'finding.closed_words')
      || array(
        select m.value from governance_setting s cross join lateral jsonb_each_text(s.setting_value -> 'issue_status') as m
        where s.setting_key = 'host.mapping' and m.key = 'resolved'))) is not true
) as frozen
