-- name: linkGroups
-- Sets issue_ref of the live rows of the inventory groups :inventory_keys (null: all) to the open finding
-- about the group in its scope: one of the types :parents, which summarise the others; otherwise the most
-- severe one, the oldest first. Writes only differences.
-- nullable: :inventory_keys
with found as (
  select c.row_id, (
      select k.issue_id
      from governance_finding_key k
      cross join lateral (
        select i.id
        from system_issues i
        where i.id = k.issue_id and i.code = k.issue_code and (i.status::text = any ((select gcos_closed_statuses())::text[])) is not true
        offset 0
      ) as open
      where hashtextextended(k.subject, 0) = hashtextextended(c.inventory_key, 0) and k.subject = c.inventory_key
        and (k.scope is null or k.scope = c.scope) and not k.is_summary
      order by k.finding_type = any (:parents::text[]) desc, array_position(array['critical', 'high', 'medium', 'low'], k.severity),
        k.issue_id
      limit 1) as issue_ref
  from governance_candidate_state c
  where c.row_state in ('active', 'retired') and (:inventory_keys::text[] is null or c.inventory_key = any (:inventory_keys::text[]))
),
linked as (
  update governance_candidate_state c
  set issue_ref = f.issue_ref, updated_at = :at::timestamptz
  from found f
  where c.row_id = f.row_id and c.issue_ref is distinct from f.issue_ref
  returning c.row_id
)
select count(*) as linked from linked

-- name: linkObjects
-- Sets issue_ref of the live rows from :first to :last of the objects of :inventory_keys (null: all), and of
-- the objects that the findings :codes name. An object has the open finding that names it, the most severe
-- one, the oldest first. If none does and one of its links is missing, it has the finding of one of the types
-- :parents about its group. Writes only differences.
-- nullable: :inventory_keys
with touched as (
  select o.row_id
  from governance_candidate_object o
  where o.row_state in ('active', 'retired') and (:inventory_keys::text[] is null or o.inventory_key = any (:inventory_keys::text[]))
    and o.row_id between :first::bigint and :last::bigint
  union
  select o.row_id
  from governance_finding_key n
  join governance_inventory i on n.entity_type in (i.source_registry, i.object_class)
  join governance_candidate_object o
    on o.object_key = gcos_object_key(i.source_registry, n.entity_code) and o.row_state in ('active', 'retired')
  where n.issue_code = any (:codes::text[])
),
found as (
  select o.row_id, (
      select k.issue_id
      from (
        select 1 as place, n.issue_id, n.issue_code, n.severity
        from governance_finding_key n
        where hashtextextended(n.entity_code, 0) = hashtextextended(o.entity_code, 0) and n.entity_code = o.entity_code
          and n.entity_type in (o.collection_name, v.object_class) and (n.scope is null or n.scope = o.scope) and not n.is_summary
          -- A code may occur in several registries: a finding about a group names an object of that group.
          and (n.subject = o.inventory_key or not exists (select from governance_inventory g where g.inventory_key = n.subject))
        union all
        select 2, p.issue_id, p.issue_code, p.severity
        from governance_finding_key p
        where o.coverage_outcome = 'orphan' and hashtextextended(p.subject, 0) = hashtextextended(o.inventory_key, 0)
          and p.subject = o.inventory_key and p.scope = o.scope and not p.is_summary and p.finding_type = any (:parents::text[])
      ) as k
      cross join lateral (
        select i.id
        from system_issues i
        where i.id = k.issue_id and i.code = k.issue_code and (i.status::text = any ((select gcos_closed_statuses())::text[])) is not true
        offset 0
      ) as open
      order by k.place, array_position(array['critical', 'high', 'medium', 'low'], k.severity), k.issue_id
      limit 1) as issue_ref
  from touched t
  join governance_candidate_object o on o.row_id = t.row_id
  join governance_inventory v on v.inventory_key = o.inventory_key
),
linked as (
  update governance_candidate_object o
  set issue_ref = f.issue_ref, updated_at = :at::timestamptz
  from found f
  where o.row_id = f.row_id and o.issue_ref is distinct from f.issue_ref
  returning o.row_id
)
select count(*) as linked from linked
