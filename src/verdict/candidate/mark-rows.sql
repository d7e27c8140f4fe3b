-- Marks these rows ($1), each for its reason ($2), as marking by what they depend on does: a row that is dirty already keeps its time, and
-- its reason unless that said only that the inventory moved. Returns how many were clean before.
with wanted as materialized (
  select w.row_id, min(w.reason) as reason
  from unnest($1::bigint[], $2::text[]) as w(row_id, reason)
  group by w.row_id
),
groups as (
  update governance_candidate_state c
  set dirty = true, dirty_reason = w.reason, dirtied_at = coalesce(c.dirtied_at, $3::timestamptz), updated_at = $3::timestamptz
  from wanted w
  where c.row_id = w.row_id and c.row_state = 'active' and (not c.dirty or gcos_only_moved(c.dirty_reason))
  returning c.row_id
),
objects as (
  update governance_candidate_object c
  set dirty = true, dirty_reason = w.reason, dirtied_at = coalesce(c.dirtied_at, $3::timestamptz), updated_at = $3::timestamptz
  from wanted w
  where c.row_id = w.row_id and c.row_state = 'active' and (not c.dirty or gcos_only_moved(c.dirty_reason))
  returning c.row_id
)
select (select count(*) from groups) + (select count(*) from objects) as marked
