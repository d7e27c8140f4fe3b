-- name: listBodies
select g.code::text as code from governance_registry g where g.code is not null order by g.code::text collate "C"

-- name: listScopeDefaults
-- The contacts of scopes.
select distinct s.default_owner_hint::text collate "C" as owner
from governance_responsibility_scope s
where s.default_owner_hint is not null
order by 1

-- name: listScopeCodes
select s.scope_code::text as scope from governance_responsibility_scope s where s.scope_code is not null order by s.scope_code::text collate "C"

-- name: listOwners
-- The bodies that rows of ownership name, in force or not.
select distinct o.owner_gov_code::text collate "C" as owner
from governance_object_ownership o
where o.owner_gov_code is not null
order by 1

-- name: listCollections
select c.collection_name::text as collection from collection_registry c where c.collection_name is not null order by c.collection_name::text collate "C"
