-- The stages of the ruleset in force that only observe, and how much each has let through since that was activated.
select s.stage, coalesce(sum(cardinality(d.item_nos)), 0)::bigint as would_have_blocked
from governance_ruleset r
cross join lateral gcos_gate_rules_of(r.ruleset_version) k
cross join unnest(array['design', 'impl', 'route', 'prod']) with ordinality as s(stage, no)
left join governance_gate_answer d
  on d.stage = s.stage and d.mode = 'observe' and d.answer = 'block' and d.decided_at >= r.activated_at
where r.family = 'governance' and r.status = 'active' and k.modes ->> s.stage = 'observe'
group by s.stage, s.no
order by s.no
