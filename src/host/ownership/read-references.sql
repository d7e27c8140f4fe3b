-- What active ownership of any kind names: collections among $1, classes among $2, and objects of those classes. When it begins or
-- ends does not matter: somebody refers to it.
select distinct o.object_type::text as object_type, o.object_ref::text as object_ref
from governance_object_ownership o
where o.lifecycle_status = 'active'
  and (o.object_type = 'collection' and o.object_ref in (select unnest($1::text[]))
    or o.object_type = 'class' and o.object_ref in (select unnest($2::text[]))
    or o.object_type in (select unnest($2::text[])))
