-- name: readInventoryRows
select i.inventory_key, i.object_class, i.source_registry
from governance_inventory i
where i.inventory_key = any (:keys::text[])

-- name: readWindow
select floor(extract(epoch from :at::timestamptz) / :seconds::float8)::bigint as window_no
