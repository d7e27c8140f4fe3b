-- The SHA-256 of one row of birth_registry `b`, as four signed words. The row is written as a JSON array, which no setting of
-- the session changes; a time is its microseconds since 1970.
cross join lateral (
  select sha256(convert_to(jsonb_build_array('gcos-row-1', b.id, b.entity_code, b.collection_name, b.species_code,
    b.composition_level, b.dot_origin, extract(epoch from b.born_at), b.governance_role, b.certified, b.status,
    b.canonical_address)::text, 'UTF8')) as digest
  -- Not flattened: once per row, not once per word.
  offset 0
) as d
cross join lateral (
  select ('x' || encode(substr(d.digest, 1, 8), 'hex'))::bit(64)::bigint as w1,
    ('x' || encode(substr(d.digest, 9, 8), 'hex'))::bit(64)::bigint as w2,
    ('x' || encode(substr(d.digest, 17, 8), 'hex'))::bit(64)::bigint as w3,
    ('x' || encode(substr(d.digest, 25, 8), 'hex'))::bit(64)::bigint as w4
) as w
