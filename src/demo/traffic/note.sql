-- What a host writes down about its own changes.
with noted as (
  insert into registry_changelog (entity_type, entity_code, action, alert_level, resolved, changed_by)
  select n.collection_name, n.code, n.action, 'none', true, 'demo_traffic'
  from unnest($1::text[], $2::text[], $3::text[]) as n(collection_name, code, action)
  returning id
)
select count(*) as rows from noted
