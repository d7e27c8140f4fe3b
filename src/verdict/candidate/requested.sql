-- name: readReasons
-- The objects for which an exception, a finding or a question to the gate is now a reason for a row. With
-- :any_class, whether or not their class inherits.
-- nullable: object_class
select r.collection_name, r.entity_code, r.object_class, r.reason
from gcos_object_reasons(statement_timestamp(), :any_class::boolean) as r

-- name: readReasonsOf
-- The same for one object, with what each reason refers to, at :at.
-- nullable: object_class
select r.reason, r.object_class, r.ref
from gcos_object_reasons(:at::timestamptz) as r
where r.collection_name = :collection::text and r.entity_code = :code::text
order by r.reason, r.ref

-- name: readHeld
-- The objects with a row for such a reason.
select distinct o.collection_name, o.entity_code
from governance_candidate_object o
where o.row_state = 'active' and o.reasons && array['high_risk_write', 'exception', 'open_finding']

-- name: readChanged
-- The objects whose row does not have exactly these reasons, with their inventory group: rows to write, of
-- objects with a birth that a container represents, and rows whose reason has ended. The look-up by birth
-- is only for objects that lack a reason.
-- nullable: birth_id
with wanted as materialized (
  select distinct r.collection_name, r.entity_code, r.object_class, r.reason, gcos_object_key(r.collection_name, r.entity_code) as object_key
  from gcos_object_reasons(statement_timestamp()) as r
),
held as materialized (
  select distinct o.object_key, o.collection_name, o.entity_code, o.birth_id, o.inventory_key, i.object_class, h.reason
  from governance_candidate_object o
  join governance_inventory i on i.inventory_key = o.inventory_key
  cross join unnest(o.reasons) as h(reason)
  where o.row_state = 'active' and o.reasons && array['high_risk_write', 'exception', 'open_finding']
    and h.reason in ('high_risk_write', 'exception', 'open_finding')
),
missing as materialized (
  select w.collection_name, w.entity_code, w.object_class, w.reason, row_number() over () as no
  from wanted w
  where not exists (
    select from held h
    where h.object_key = w.object_key and h.reason = w.reason and (w.object_class is null or w.object_class = h.object_class))
),
placed as (
  select m.collection_name, m.entity_code, m.reason, g.inventory_key
  from gcos_groups_of(array(select m.collection_name from missing m order by m.no), array(select m.entity_code from missing m order by m.no)) g
  join missing m on m.no = g.no
  join governance_inventory i on i.inventory_key = g.inventory_key
  where g.inherits and (m.object_class is null or m.object_class = i.object_class)
)
select p.collection_name, p.entity_code, p.inventory_key, p.reason, false as ended, (
    select min(b.id)::bigint from birth_registry b where b.collection_name = p.collection_name and b.entity_code = p.entity_code) as birth_id
from placed p
union all
select h.collection_name, h.entity_code, h.inventory_key, h.reason, true, h.birth_id
from held h
where not exists (
  select from wanted w
  where w.object_key = h.object_key and w.reason = h.reason and (w.object_class is null or w.object_class = h.object_class))
order by 3, 1, 2, 4

-- name: forgetConsulted
-- Deletes the questions to the gate that are no longer a reason at :at.
with forgotten as (
  delete from governance_consulted_object o
  where not exists (select from gcos_consulted_objects(:at::timestamptz) c where c.object_key = o.object_key)
  returning o.object_key
)
select count(*) as objects from forgotten f
