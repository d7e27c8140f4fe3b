-- name: readContracts
-- The collections with a contract. `strict`: the contract checks more than the presence of basic fields.
select c.collection_name,
  c.code_pattern is not null or c.code_length is not null or c.max_age is not null
    or c.required_fields && array['dot_origin', 'composition_level'] as strict
from governance_input_contract c
order by c.collection_name

-- name: readHome
-- Whether this is a home, whose births sources give.
select to_regclass('gcos_source') is not null as home

-- name: readTrust
select t.source_kind, t.source, t.scope, t.level
from governance_input_trust t

-- name: readWhole
-- Collections that are not accepted as a whole.
-- nullable: scopes
select s.collection_name, s.input_state, s.scopes
from governance_input_state s
where s.entity_code is null and s.cured_at is null
