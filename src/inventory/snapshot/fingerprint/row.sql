-- fragment: keyed
-- Whether birth `b` has every column by which GCOS counts: then it belongs to a group. All others are set
-- aside and counted as births without a key.
(b.id is not null and b.collection_name is not null and b.entity_code is not null and b.born_at is not null)

-- fragment: keyless
-- The opposite. If the host requires all these columns, the server evaluates the sub-select only.
((
    select count(*) filter (where a.attnotnull) < 4 from pg_attribute a
    where a.attrelid = 'birth_registry'::regclass and a.attname in ('id', 'collection_name', 'entity_code', 'born_at'))
  and not {{keyed}})

-- fragment: row_hash
-- The hash of one row of birth_registry `b` within its collection, species and status: two chains with
-- different seeds, through the seed argument of the scalar hash functions. Both chains include id and
-- code, which identify the row; the first also includes its governance columns. The functions are strict,
-- so a NULL is hashed as a number; a boolean goes into the seed. Sub-selects without a table are
-- flattened: the result is one expression that runs in parallel.
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

-- fragment: name_factor
-- The factor for the sums of one collection, species and status `n`: a hash of these three per chain. A
-- row counts as factor × hash, so a change of either is detected, and the names are hashed once per group
-- instead of once per row.
cross join lateral (
  select hashtextextended(n.collection_name collate "C", 4703202606014703) as h1,
    hashtextextended(n.collection_name collate "C", 6152914691236517205) as h2
) as f0
cross join lateral (
  select
    case when n.species_code is null then hashint8extended(-1, f0.h1) else hashtextextended(n.species_code collate "C", f0.h1) end as h1,
    case when n.species_code is null then hashint8extended(-1, f0.h2) else hashtextextended(n.species_code collate "C", f0.h2) end as h2
) as f1
cross join lateral (
  select
    case when n.status is null then hashint8extended(-1, f1.h1) else hashtextextended(n.status collate "C", f1.h1) end::numeric as h1,
    case when n.status is null then hashint8extended(-1, f1.h2) else hashtextextended(n.status collate "C", f1.h2) end::numeric as h2
) as f

-- fragment: row_words
-- The SHA-256 of one row of birth_registry `b`, as four signed words. The row is serialised as a JSON
-- array, which is independent of session settings; a time is serialised as seconds since 1970.
cross join lateral (
  select sha256(convert_to(jsonb_build_array('gcos-row-1', b.id, b.entity_code, b.collection_name, b.species_code,
    b.composition_level, b.dot_origin, extract(epoch from b.born_at), b.governance_role, b.certified, b.status,
    b.canonical_address)::text, 'UTF8')) as digest
  -- OFFSET 0 prevents flattening, so the digest is computed once per row and not once per word.
  offset 0
) as d
cross join lateral (
  select ('x' || encode(substr(d.digest, 1, 8), 'hex'))::bit(64)::bigint as w1,
    ('x' || encode(substr(d.digest, 9, 8), 'hex'))::bit(64)::bigint as w2,
    ('x' || encode(substr(d.digest, 17, 8), 'hex'))::bit(64)::bigint as w3,
    ('x' || encode(substr(d.digest, 25, 8), 'hex'))::bit(64)::bigint as w4
) as w
