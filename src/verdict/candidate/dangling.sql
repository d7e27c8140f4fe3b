-- name: readDangling
-- Missing snapshots that live rows refer to, with the number of rows and whether one of them
-- has a high risk. Few snapshots have many objects, so each is looked up once, by the next higher reference
-- in the index.
with recursive groups (ref) as (
  select distinct g.source_snapshot_ref from governance_candidate_state g where g.row_state in ('active', 'retired')
),
objects (ref) as (
  select min(o.source_snapshot_ref) from governance_candidate_object o where o.row_state in ('active', 'retired')
  union all
  select (select min(o.source_snapshot_ref) from governance_candidate_object o
    where o.row_state in ('active', 'retired') and o.source_snapshot_ref > p.ref)
  from objects p where p.ref is not null
)
select d.ref as snapshot_ref,
  (select count(*) from governance_candidate_state g where g.row_state in ('active', 'retired') and g.source_snapshot_ref = d.ref)
    + (select count(*) from governance_candidate_object o where o.row_state in ('active', 'retired') and o.source_snapshot_ref = d.ref) as rows,
  exists (select from governance_candidate_state g
    where g.row_state in ('active', 'retired') and g.source_snapshot_ref = d.ref and g.risk_class = 'write_high')
  or exists (select from governance_candidate_object o
    where o.row_state in ('active', 'retired') and o.source_snapshot_ref = d.ref and o.risk_class = 'write_high') as high_risk
from (select g.ref from groups g union select o.ref from objects o) as d
where d.ref is not null and not exists (select from evolution_snapshots s where s.id = d.ref)
order by d.ref

-- name: markDangling
-- Marks the verdicts whose snapshot is missing as dirty at :at, so that the next scan renews them; returns
-- their number.
with groups as (
  update governance_candidate_state g
  set dirty = true, dirty_reason = 'snapshot_gone', dirtied_at = :at::timestamptz, updated_at = :at::timestamptz
  where g.row_state = 'active' and not g.dirty
    and not exists (select from evolution_snapshots s where s.id = g.source_snapshot_ref)
  returning g.row_id
),
objects as (
  update governance_candidate_object o
  set dirty = true, dirty_reason = 'snapshot_gone', dirtied_at = :at::timestamptz, updated_at = :at::timestamptz
  where o.row_state = 'active' and not o.dirty
    and not exists (select from evolution_snapshots s where s.id = o.source_snapshot_ref)
  returning o.row_id
)
select (select count(*) from groups) + (select count(*) from objects) as marked

-- name: findRetired
-- The groups with a retired row whose snapshot is missing.
select g.inventory_key
from governance_candidate_state g
where g.row_state = 'retired' and not exists (select from evolution_snapshots s where s.id = g.source_snapshot_ref)
union
select o.inventory_key
from governance_candidate_object o
where o.row_state = 'retired' and not exists (select from evolution_snapshots s where s.id = o.source_snapshot_ref)

-- name: citeRetired
-- No scan evaluates what is retired, so these rows get the newest snapshot of their groups :inventory_keys.
with groups as (
  update governance_candidate_state g
  set source_snapshot_ref = p.snapshot_ref, evidence_fingerprint = p.fingerprint, updated_at = :at::timestamptz
  from governance_inventory_snapshot p
  where p.inventory_key = g.inventory_key and g.inventory_key = any (:inventory_keys::text[]) and g.row_state = 'retired'
    and not exists (select from evolution_snapshots s where s.id = g.source_snapshot_ref)
  returning g.row_id
),
objects as (
  update governance_candidate_object o
  set source_snapshot_ref = p.snapshot_ref, evidence_fingerprint = p.fingerprint, updated_at = :at::timestamptz
  from governance_inventory_snapshot p
  where p.inventory_key = o.inventory_key and o.inventory_key = any (:inventory_keys::text[]) and o.row_state = 'retired'
    and not exists (select from evolution_snapshots s where s.id = o.source_snapshot_ref)
  returning o.row_id
)
select (select count(*) from groups) + (select count(*) from objects) as cited
