-- Bulk births :first to :last, in order of id. Each position maps to a slot, and the slot determines the
-- strain and the member. The mapping is one to one, so every member is born exactly once.
insert into birth_registry (
  id, entity_code, collection_name, species_code, composition_level, dot_origin, born_at, governance_role, certified,
  certified_at, status)
select
  :registry_births + position,
  prefix || lpad(number::text, greatest(width, length(number::text)), '0'),
  collection_name, species_code, composition_level,
  coalesce(origin, (array['DOT-001', 'DOT-014', 'DOT-052', 'DOT-103'])[1 + hash % 4]),
  born_at, coalesce(role, 'observed'), certified,
  case when certified then born_at + interval '1 day' end,
  case
    when ages and number % 50 = 8 then 'retired'
    when ages and number % 80 = 10 then 'superseded'
    when ages and number % 200 = 12 then 'merged'
    else coalesce(status, 'born')
  end
from (
  select placed.position, placed.hash, s.*, s.base + placed.slot - s.first_slot + 1 as number,
    -- Evenly distributed, with exactly the requested number.
    placed.position * :certified / :bulk <> (placed.position - 1) * :certified / :bulk as certified,
    -- One birth in 97 is back-dated by two hours, so that the order of ids differs from the order of time.
    timestamptz '2026-02-17 06:00:00+00' + interval '1 microsecond' * greatest(0,
      placed.position * :step + placed.hash % :step
      - case when placed.hash / 128 % 97 = 0 then 7200000000 else 0 end) as born_at
  from (
    select position, position * :stride % :bulk as slot,
      hashint8extended(position, :seed) & 9223372036854775807 as hash
    from generate_series(:first::bigint, :last::bigint) as position
  ) as placed
  join pg_temp.estate_strain s on s.ordinal = width_bucket(placed.slot, :first_slots::bigint[])
) as birth;
