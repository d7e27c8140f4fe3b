-- How many live rows of state there are, how many objects have one, and how many groups.
select
  (select count(*) from governance_candidate_state s where s.row_state in ('active', 'retired')) as groups,
  (select count(*) from governance_candidate_object o where o.row_state in ('active', 'retired')) as object_rows,
  (select count(distinct o.object_key) from governance_candidate_object o where o.row_state in ('active', 'retired')) as objects
