-- The last checks, the latest first, before check $1 where given, at most $2: what each came to.
select d.check_id, min(d.decided_at) as decided_at, min(d.login) as login, min(d.person_ref) as person_ref, count(*) as items,
  count(*) filter (where d.answer = 'allow') as allowed, count(*) filter (where d.answer = 'allow_and_rescan') as to_rescan,
  count(*) filter (where d.answer = 'block' and d.mode = 'enforce') as blocked,
  count(*) filter (where d.answer = 'block' and d.mode = 'observe') as would_block,
  count(*) filter (where d.pass_code is not null) as passed,
  min(coalesce(d.collection_name || ' / ' || d.entity_code, d.group_asked)) as first_subject
from governance_gate_decision d
where d.check_id in (
  select n.check_id from governance_gate_answer n
  where n.first_item = 1 and ($1::bigint is null or n.check_id < $1::bigint)
  order by n.check_id desc
  limit $2::bigint)
group by d.check_id
order by d.check_id desc
