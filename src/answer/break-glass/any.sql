-- Whether anybody ever broke the glass, or a finding of type $1 says so: most installations have seen neither.
select exists (select from governance_break_glass) or exists (
  select from governance_finding_key k where k.finding_type = $1::text) as seen
