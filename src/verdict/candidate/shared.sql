-- name: readReachedRegistries
-- The collections among :collections that the reach of a rule or a law names.
-- not null: source_registry
select distinct r.source_registry
from governance_rule_reach r
where r.source_registry = any (:collections::text[])
