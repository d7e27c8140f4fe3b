-- The births of the whole table that are to be looked at, at most $7, by id: one pass, in parallel, instead of a look into every page.
select b.id::bigint as id
from birth_registry b
where {{suspect}}
limit $7::bigint
