-- name: appendRows
-- nullable: :actor
select gcos_audit(:entity_types::text[], :entity_codes::text[], :actions::text[], :details::text[], :alert_level::text, :actor::text) as written
