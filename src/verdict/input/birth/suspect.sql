-- use: ../../../inventory/tail/births.sql

-- fragment: suspect
-- A coarse filter, cheap enough for every row of a sweep. INVARIANT: it includes every birth that a
-- contract could reject.
(b.collection_name = any (:individual::text[]) or b.collection_name = any (:strict::text[])
    or b.entity_code = '' or octet_length(b.entity_code) > :code_length::int4
    or :printable::boolean and b.entity_code::text collate "C" ~ '[\u0001-\u001f\u007f-\u009f]'
    or b.born_at < :born_after::timestamptz or b.born_at > :at::timestamptz + make_interval(secs => :future_seconds::int4)
    or (b.species_code <> '') is not true or (b.status <> '') is not true or (b.governance_role <> '') is not true)

-- fragment: unvouched
-- Births from unvouched sources. A sweep leaves them to the pass over all sources.
(b.dot_origin <> all (:origins::text[]) or b.dot_origin is null and b.collection_name <> all (:sources::text[]))
