-- Forgets decisions made before $1; how many.
with gone as (
  delete from governance_gate_answer d where d.decided_at < $1::timestamptz returning d.check_id, cardinality(d.item_nos) as items
)
select coalesce(sum(g.items), 0)::bigint as decisions, count(distinct g.check_id) as checks from gone g
