-- Is there as much as the ledger of run {{run}} says there was, at the grain? One row per scope in which there is not; none: it holds.
-- Reads tables of the host alone: birth_registry, and the registries of classes whose objects count one by one. What it compares with is the
-- ledger's inventory without its tombstones, which are of objects that the host no longer has. 01-fingerprints.sql names the groups.
with {{there}},
expected (scope, units) as (
  {{expected_units}}
)
select e.scope, e.units as units_expected, f.units as units_found
from expected e
cross join (select coalesce(sum(t.units), 0)::bigint as units from there t) f
where e.units <> f.units
order by e.scope;
