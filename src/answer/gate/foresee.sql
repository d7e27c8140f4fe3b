-- What the gate would answer if units were as $1 to $9 say (item, verdict, why not valid, whether coverage is required, was scanned, its outcome,
-- whether an exception lapsed, owner, profile) with risk $10, at stage $11 for action $12. One row per item.
select u.item, gcos_gate_answer(bool_or(gcos_gate_high_risk(u.risk, $12::text)), sum(cardinality(k.codes))) as answer,
  bool_or(gcos_gate_high_risk(u.risk, $12::text)) as high_risk,
  array(select distinct c from unnest(string_to_array(string_agg(nullif(array_to_string(k.codes, ' '), ''), ' '), ' ')) as c order by c) as codes
from unnest($1::text[], $2::text[], $3::text[], $4::boolean[], $5::boolean[], $6::text[], $7::boolean[], $8::text[], $9::text[], $10::text[])
  as u(item, verdict, invalid, required, scanned, outcome, lapsed, owner, profile, risk)
cross join lateral (
  select gcos_gate_codes($11::text, u.verdict, u.invalid, null, u.required, u.scanned, u.outcome, u.lapsed, u.owner, u.profile) as codes
) as k
group by u.item
order by u.item collate "C"
