-- The hash of one row of birth_registry `b` within its collection, species and status: two chains with different seeds through
-- the seed argument of the scalar hash functions. Both hold what tells rows apart, id and code; the first also holds what the
-- row says about its own governance. The functions are strict, so a NULL goes in as a number; a boolean goes into the seed.
-- Sub-selects without a table are flattened: this is one expression, and it runs in parallel.
cross join lateral (
  select hashtextextended(b.entity_code::text collate "C", gcos_hash_id(b.id,
    case when b.certified then 4703202606014703 when not b.certified then 1703202606014703 else 2703202606014703 end)) as h
) as c
cross join lateral (
  select
    case
      when b.governance_role is null then hashint8extended(-1, c.h)
      else hashtextextended(b.governance_role::text collate "C", c.h)
    end as h1,
    hashtextextended(b.entity_code::text collate "C", gcos_hash_id(b.id, 6152914691236517205)) as h2
) as r
