  -- The inventory group of births `n`. The class is that of their collection and species, or the default
  -- class of the collection.
  left join lateral (
    select c.object_class, c.axis_family, c.inherits
    from catalogue c
    where c.collection_name = n.collection_name and (c.species_code = n.species_code or c.species_code is null)
    order by c.species_code is null
    limit 1
  ) as k on true
  cross join lateral (
    select coalesce(k.object_class, 'unresolved') as object_class, n.collection_name as source_registry, k.axis_family,
      coalesce(k.inherits, true) as inherits,
      case when coalesce(k.inherits, true) then n.status else coalesce(n.member_status, n.status) end as lifecycle_status
  ) as p
