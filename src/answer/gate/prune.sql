-- Forgets decisions made before $1; how many.
with gone as (
  delete from governance_gate_decision d where d.decided_at < $1::timestamptz returning d.check_id
)
select count(*) as decisions, count(distinct g.check_id) as checks from gone g
