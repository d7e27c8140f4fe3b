-- name: openRow
-- Opens the request and records the waiting pass; an object has a collection and a code, a group a key.
-- nullable: pass_code, :collection, :code, :group, :as
select o.outcome, o.pass_code, o.login
from gcos_open_break_glass(:collection::text, :code::text, :group::text, :stage::text, :action::text, :minutes::int4, :reason::text, :as::text) as o

-- name: closeRow
-- nullable: :as
select c.outcome, c.login
from gcos_close_break_glass(:code::text, :as::text) as c

-- name: readSame
-- The pass for the same subject, stage and action that is in force at :at, else the one waiting for approval.
-- nullable: :collection, :code, :inventory_key
select s.pass_code
from governance_break_glass_status(:at::timestamptz) s
where s.collection_name is not distinct from :collection::text and s.entity_code is not distinct from :code::text
  and s.inventory_key is not distinct from :inventory_key::text and s.stage = :stage::text and s.action = :action::text
  and s.status in ('waiting', 'in_force')
order by s.status = 'in_force' desc, s.pass_code desc
limit 1

-- name: lock
-- Serializes requests: a second session that requests the same pass finds the first request.
select gcos_take_lock('break_glass') as locked

-- name: list
-- Passes with their status at :at, the latest first; :after is the code of the last pass of the previous
-- page, :code selects a single pass. verified_at is stored in the row: once set, it stays set.
-- nullable: collection_name, entity_code, inventory_key, began_at, ends_at, verified_at, :after, :code
select s.pass_code, s.collection_name, s.entity_code, s.inventory_key, s.stage, s.action, s.minutes, s.reason, s.requested_by, s.requested_at,
  s.approve_by, s.approval_ref, s.began_at, s.ends_at, s.status, p.verified_at
from governance_break_glass_status(:at::timestamptz) s
join governance_break_glass p on p.pass_code = s.pass_code
where (:after::text is null or p.pass_id < (select a.pass_id from governance_break_glass a where a.pass_code = :after::text))
  and (:code::text is null or p.pass_code = :code::text)
order by p.pass_id desc
limit :limit::bigint
