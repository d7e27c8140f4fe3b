-- Checks that the number of units at the grain equals the ledger of run {{run}}. Returns one row per
-- scope that differs; no rows: they are equal. Reads tables of the host only: birth_registry, and the
-- registries of classes whose objects count one by one. The expected number is the inventory of the
-- ledger without tombstones, because the host no longer has those objects. 01-fingerprints.sql names the
-- groups that differ.
with {{there}},
expected (scope, units) as (
  {{expected_units}}
)
select e.scope, e.units as units_expected, f.units as units_found
from expected e
cross join (select coalesce(sum(t.units), 0)::bigint as units from there t) f
where e.units <> f.units
order by e.scope;
