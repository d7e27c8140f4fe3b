-- What the sums of the rows of one collection, species and status `n` are multiplied by: a hash of these three per chain. A row
-- counts as factor × hash, so a change of either shows, and the names are hashed once per group instead of once per row.
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
