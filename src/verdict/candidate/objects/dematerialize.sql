-- Ends reason $3 of the objects ($1, $2): a row that another reason still needs stays, any other is retired, weighs nothing, and
-- the group speaks for the object again. The verdict stays what it was: it is the row that ends, not the object.
with ended as (
  update governance_candidate_object c
  set reasons = case when cardinality(c.reasons) > 1 then array_remove(c.reasons, $3::text) else c.reasons end,
    materialization_reason = case when cardinality(c.reasons) > 1 then (array_remove(c.reasons, $3::text))[1]
      else c.materialization_reason end,
    row_state = case when cardinality(c.reasons) > 1 then c.row_state else 'retired' end,
    weight = case when cardinality(c.reasons) > 1 then c.weight else 0 end,
    evidence = case when cardinality(c.reasons) > 1 then c.evidence else c.evidence || jsonb_build_object('lapsed', $3::text) end,
    -- What is left says so without a look at the object; that look comes with the next evaluation.
    dirty = cardinality(c.reasons) > 1,
    dirty_reason = case when cardinality(c.reasons) > 1 then coalesce(c.dirty_reason, 'reason_lapsed') end,
    dirtied_at = case when cardinality(c.reasons) > 1 then coalesce(c.dirtied_at, $5::timestamptz) end,
    last_run_id = $4::text, updated_at = $5::timestamptz
  from unnest($1::text[], $2::text[]) as k(collection_name, code)
  where c.object_key = gcos_object_key(k.collection_name, k.code) and c.row_state = 'active' and $3::text = any (c.reasons)
  returning c.object_key, c.row_state
)
select count(distinct e.object_key) as objects, count(*) filter (where e.row_state = 'retired') as retired
from ended e
