-- name: readGroups
-- The groups of one inventory group, found by its own key or by the key of one of its groups, including
-- superseded keys.
-- nullable: axis_family, lifecycle_status, unresolved_reason, member_count, group_key, scope, owner_scope
-- nullable: anchor
select i.inventory_key, i.object_class, i.source_registry, i.axis_family, i.lifecycle_status, i.unresolved_reason, i.inherits,
  i.member_count, g.group_key, g.scope, g.owner_scope, g.anchor
from governance_inventory i
left join governance_group g on g.inventory_key = i.inventory_key
where i.inventory_key = :key::text
  or i.inventory_key = (select k.inventory_key from governance_group k where k.group_key = :key::text)
  or i.inventory_key = (select c.inventory_key from governance_candidate_state c where c.group_key = :key::text limit 1)
order by g.scope collate "C"

-- name: readAbout
-- The exceptions about one unit (:registry to :object_class: registry, code, inventory group, class) in any
-- scope, with their status at :at.
-- nullable: link, :code
select s.exception_code, s.subject_kind, s.scope, s.link, s.status, s.expires_at
from governance_exception_status(:at::timestamptz) s
where gcos_exception_is_about(s.subject_kind, s.collection_name, s.entity_code, s.inventory_key, s.object_class, :registry::text, :code::text,
  :inventory_key::text, :object_class::text)
order by s.exception_code collate "C"

-- name: readEffects
-- The rows among :row_ids whose outcome was found under exceptions other than those in force at :at.
select f.row_id, f.change
from governance_exception_effect(:at::timestamptz) f
where f.row_id = any (:row_ids::bigint[])

-- name: readMember
-- The entry of the code in the member registry of the class, with its lifecycle status.
-- nullable: status
-- part members: select null::text, null::text, null::text where false
with member (collection_name, code, status) as (
  {{members}}
)
select m.status from member m where m.code = :code::text

-- name: readSuccessors
-- The members that replace a member, the nearest first: its own, and those of each of these. A member of a
-- cycle is returned once.
-- part registry: dot_tools
-- part code: dot_code
-- part supersedes: approval_ref
-- part refers_to: dot_code
with recursive above as (
  select m.{{refers_to}}::text as ref, m.{{code}}::text as code, 0 as distance from {{registry}} m where m.{{code}}::text = :code::text
  union
  select n.{{refers_to}}::text, n.{{code}}::text, a.distance + 1
  from above a
  join {{registry}} n on n.{{supersedes}}::text = a.ref and n.{{refers_to}}::text <> a.ref
  where a.distance < 20
)
select a.code
from above a
where a.distance > 0 and a.code <> :code::text
group by a.code
order by min(a.distance), a.code

-- name: readFindings
-- The findings that the rows :row_ids refer to, with the words of the host: about the group or the object
-- ('coverage'), and about its input ('input').
-- nullable: status
select c.row_id, r.about, i.code::text as code, i.issue_type::text as type, i.status::text as status
from (
  select g.row_id, g.issue_ref, g.input_quality_ref from governance_candidate_state g where g.row_id = any (:row_ids::bigint[])
  union all
  select o.row_id, o.issue_ref, o.input_quality_ref from governance_candidate_object o where o.row_id = any (:row_ids::bigint[])
) as c
cross join lateral (values ('coverage', c.issue_ref), ('input', c.input_quality_ref)) as r(about, ref)
join system_issues i on i.id = r.ref
