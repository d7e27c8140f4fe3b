-- Ends reason $3 of the objects ($1, $2): a row that another reason still needs stays, any other is retired, weighs nothing, and
-- the group speaks for the object again. The verdict stays what it was: it is the row that ends, not the object. Of objects that
-- are there ($6) a tombstone ends, too: its source has come back, and the group speaks for it.
with ended as (
  update governance_candidate_object c
  set reasons = case when k.stays then array_remove(c.reasons, $3::text) else c.reasons end,
    materialization_reason = case when k.stays then (array_remove(c.reasons, $3::text))[1] else c.materialization_reason end,
    row_state = case when k.stays then c.row_state else 'retired' end,
    weight = case when k.stays then c.weight else 0 end,
    evidence = case when k.stays then c.evidence
      else c.evidence - 'source_row_gone' || jsonb_build_object('lapsed', $3::text) end,
    -- What is left says so without a look at the object; that look comes with the next evaluation.
    dirty = k.stays,
    dirty_reason = case when k.stays then coalesce(c.dirty_reason, 'reason_lapsed') end,
    dirtied_at = case when k.stays then coalesce(c.dirtied_at, $5::timestamptz) end,
    last_run_id = $4::text, updated_at = $5::timestamptz
  from (
    select o.row_id, o.row_state = 'active' and cardinality(o.reasons) > 1 as stays
    from unnest($1::text[], $2::text[]) as u(collection_name, code)
    join governance_candidate_object o on o.object_key = gcos_object_key(u.collection_name, u.code)
    where o.row_state = 'active' and $3::text = any (o.reasons)
      or $6::boolean and o.row_state = 'retired' and o.evidence ? 'source_row_gone'
  ) as k
  where c.row_id = k.row_id
  returning c.object_key, c.row_state
)
select count(distinct e.object_key) as objects, count(*) filter (where e.row_state = 'retired') as retired
from ended e
