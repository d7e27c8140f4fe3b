-- name: appendRows
select gcos_audit_work(:entity_types::text[], :entity_codes::text[], :actions::text[], :details::text[]) as written
