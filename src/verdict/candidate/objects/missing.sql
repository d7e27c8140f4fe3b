-- Live objects whose birth is no longer where it was, by its id; and tombstones that no longer hold, at $2 under rules $3. Then
-- whether another birth has the key, by the key. $1 null: of all collections.
with missing as materialized (
  select distinct o.collection_name, o.entity_code
  from governance_candidate_object o
  left join evolution_snapshots s on s.id = o.source_snapshot_ref
  where ($1::text[] is null or o.collection_name = any ($1::text[]))
    and (o.row_state = 'active' and o.birth_id is not null and not exists (
        select from birth_registry b
        where b.id = o.birth_id and b.collection_name = o.collection_name and b.entity_code = o.entity_code)
      or o.row_state = 'retired' and o.evidence ? 'source_row_gone'
        and (o.dirty or o.recompute_status <> 'ok' or o.stale_after <= $2::timestamptz or o.ruleset_version <> $3::text
          or s.id is null))
),
born as (
  select distinct m.collection_name, m.entity_code
  from missing m
  join birth_registry b on b.collection_name = m.collection_name and b.entity_code = m.entity_code
)
select m.collection_name, m.entity_code, b.entity_code is not null as born
from missing m
left join born b on b.collection_name = m.collection_name and b.entity_code = m.entity_code
