-- Units that are given ($13 to $22), in the place of the rows that would be written about them; $12, the run, has no part in it.
foreseen_unit as materialized (
  select u.row_id, u.is_object, u.inventory_key, u.scope, u.object_class, u.source_registry, u.entity_code, u.birth_id, u.weight,
    u.risk_class, 'active'::text as row_state, 'relevant'::text as candidate_verdict
  from unnest($13::bigint[], $14::boolean[], $15::text[], $16::text[], $17::text[], $18::text[], $19::text[], $20::bigint[], $21::int4[],
    $22::text[])
    as u(row_id, is_object, inventory_key, scope, object_class, source_registry, entity_code, birth_id, weight, risk_class)
  where $12::text is not null
),
foreseen_state as (
  select u.row_id, u.inventory_key, u.scope, u.row_state, u.candidate_verdict, u.weight, u.risk_class
  from foreseen_unit u
  where not u.is_object
),
foreseen_object as (
  select u.row_id, u.inventory_key, u.scope, u.entity_code, u.birth_id, u.row_state, u.candidate_verdict, u.weight, u.risk_class
  from foreseen_unit u
  where u.is_object
),
foreseen_inventory as (
  select distinct u.inventory_key, u.object_class, u.source_registry
  from foreseen_unit u
)
