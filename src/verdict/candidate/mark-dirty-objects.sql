-- Marks objects, at most $12 with a row id above $11 and lowest ids first: those of the groups $9, $10, with which they are dirty, and
-- those that depend on the values given by themselves, as groups do. Returns how many, and the last one.
with picked as (
  select c.row_id
  from governance_candidate_object c
  where c.row_state in ('active', 'retired') and c.row_id > $11::bigint
    and (not c.dirty or gcos_only_moved(c.dirty_reason) and not gcos_only_moved($7::text))
    and ($1::text[] is null or c.inventory_key = any ($1::text[]))
    and ((c.inventory_key, c.scope) in (select h.inventory_key, h.scope from unnest($9::text[], $10::text[]) as h(inventory_key, scope))
      or ($2::text[] is null or c.depends_on -> 'rule_scopes' ?| $2::text[])
        and ($3::text[] is null or c.depends_on -> 'axis_families' ?| $3::text[])
        and ($4::text[] is null or c.depends_on -> 'collections' ?| $4::text[])
        and ($5::text[] is null or c.depends_on -> 'owners' ?| $5::text[])
        and ($6::text[] is null or exists (
          select from jsonb_array_elements_text(c.depends_on -> 'classes') as k(object_class)
          join unnest($6::text[]) as p(pattern) on k.object_class = p.pattern or k.object_class like p.pattern escape '')))
  order by c.row_id
  limit $12::bigint
),
marked as (
  update governance_candidate_object c
  set dirty = true, dirty_reason = $7::text, dirtied_at = coalesce(c.dirtied_at, $8::timestamptz), updated_at = $8::timestamptz
  from picked p
  where c.row_id = p.row_id
  returning c.row_id
)
select count(*) as objects, max(m.row_id) as last_id
from marked m
