-- Marks the groups that depend on any of the values given, of every kind given (null: this kind does not matter); $1 are inventory
-- keys. A row that is dirty already keeps its time, and its first reason unless that said only that the inventory moved.
with hit as (
  select c.row_id, c.group_key, c.inventory_key, c.scope, c.dirty,
    c.dirty and gcos_only_moved(c.dirty_reason) and not gcos_only_moved($7::text) as says_more
  from governance_candidate_state c
  where c.row_state in ('active', 'retired')
    and ($1::text[] is null or c.inventory_key = any ($1::text[]))
    and ($2::text[] is null or c.depends_on -> 'rule_scopes' ?| $2::text[])
    and ($3::text[] is null or c.depends_on -> 'axis_families' ?| $3::text[])
    and ($4::text[] is null or c.depends_on -> 'collections' ?| $4::text[])
    and ($5::text[] is null or c.depends_on -> 'owners' ?| $5::text[])
    and ($6::text[] is null or exists (
      select from jsonb_array_elements_text(c.depends_on -> 'classes') as k(object_class)
      join unnest($6::text[]) as p(pattern) on k.object_class = p.pattern or k.object_class like p.pattern escape ''))
),
groups as (
  update governance_candidate_state c
  set dirty = true, dirty_reason = $7::text, dirtied_at = coalesce(c.dirtied_at, $8::timestamptz), updated_at = $8::timestamptz
  from (select h.row_id, h.dirty from hit h where not h.dirty or h.says_more order by h.row_id) as h
  where c.row_id = h.row_id
  returning c.row_id, h.dirty as was_dirty
)
select h.group_key, h.inventory_key, h.scope, coalesce(not g.was_dirty, false) as fresh
from hit h
left join groups g on g.row_id = h.row_id
order by h.inventory_key, h.scope
