-- name: readCauses
-- The causes of all input problems, each once. A key with more than one birth is a cause of its own;
-- every other cause is counted per collection. Quarantine is counted apart from the other problems of an
-- object. :collections null: all collections.
-- nullable: sample, :collections
with open as (
  select s.collection_name, s.entity_code, s.subject_key, s.scopes, f.finding, f.cause
  from governance_input_state s
  cross join lateral (
    select s.input_state as finding, s.cause where s.input_state <> 'quarantined'
    union all
    select 'quarantined', case when s.quarantined_by = 'gcos' then 'failed_repeatedly' else 'operator' end
    where s.quarantined_at is not null
  ) as f(finding, cause)
  where s.cured_at is null and (:collections::text[] is null or s.collection_name = any (:collections::text[]))
)
select o.collection_name, o.finding, case when o.finding in ('duplicate', 'conflict') then o.entity_code else o.cause end as cause,
  bool_or(o.entity_code is null) as whole, count(*) as subjects,
  (array_agg(left(o.entity_code, 120) order by o.subject_key) filter (where o.entity_code is not null))[1:5] as sample,
  array(select distinct x from unnest(string_to_array(string_agg(array_to_string(o.scopes, chr(31)), chr(31)), chr(31))) as x order by x) as scopes
from open o
where o.finding in ('invalid_schema', 'incomplete_input', 'untrusted_source', 'duplicate', 'conflict', 'stale', 'quarantined')
group by 1, 2, 3
order by 1, 2, 3

-- name: readTouched
-- Collections in which a problem appeared or was corrected at the time :at.
select distinct s.collection_name
from governance_input_state s
where s.since = :at::timestamptz or s.cured_at = :at::timestamptz
order by 1
