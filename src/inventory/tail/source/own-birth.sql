b.collection_name = 'system_issues' and starts_with(b.entity_code::text, 'GCOS-')
