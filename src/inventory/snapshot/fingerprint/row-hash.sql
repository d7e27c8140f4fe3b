-- The hash of one row of birth_registry `b`: a chain through the seed argument of the scalar hash functions. The columns that
-- take few values come first and are hashed once (`k.h`); two chains with different seeds go on from there over the columns
-- that tell rows apart. The functions are strict, so NULL goes in as a word nobody uses. Sub-selects without a table are
-- flattened: this is one expression, it runs in parallel, and where rows are grouped by `k.h` that part is computed once.
cross join lateral (
  select hashint4extended(case when b.certified then 1 when not b.certified then 0 else -1 end,
    hashtextextended(case when b.dot_origin is null then 'gcos:null:5d1c2f90a7' else b.dot_origin::text end collate "C",
    hashtextextended(case when b.composition_level is null then 'gcos:null:5d1c2f90a7' else b.composition_level::text end collate "C",
    hashtextextended(case when b.governance_role is null then 'gcos:null:5d1c2f90a7' else b.governance_role::text end collate "C",
    hashtextextended(case when b.species_code is null then 'gcos:null:5d1c2f90a7' else b.species_code::text end collate "C",
    hashtextextended(case when b.status is null then 'gcos:null:5d1c2f90a7' else b.status::text end collate "C",
    hashtextextended(b.collection_name::text collate "C", 4703202606014703))))))) as h
) as k
cross join lateral (select b.born_at at time zone interval '0' as utc) as t
-- hashint8extended and timestamp_hash_extended fold 64 bits onto 32. Two ids, and two times within one hour, never fold
-- together once their upper half, or their hour, is in the chain. date_bin is date_trunc without parsing a word per row; it
-- overflows near the end of time.
cross join lateral (
  select timestamp_hash_extended(t.utc, timestamp_hash_extended(
    case
      when b.born_at < timestamptz '20000-01-01 00:00:00+00'
      then date_bin(interval '1 hour', t.utc, timestamp '4714-11-24 00:00:00 BC')
      else date_trunc('hour', t.utc)
    end,
    hashtextextended(b.entity_code::text collate "C", hashint8extended(b.id::bigint,
      case when b.id::bigint between 0 and 4294967295 then k.h else hashint8extended(b.id::bigint >> 32, k.h) end)))) as h
) as told
cross join lateral (
  select case
    when b.canonical_address is null then told.h else hashtextextended(b.canonical_address::text collate "C", told.h)
  end as h
) as r1
cross join lateral (
  select hashtextextended(b.entity_code::text collate "C", hashint8extended(b.id::bigint, k.h # 6152914691236517205)) as h
) as r2
