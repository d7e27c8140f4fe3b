select current_schema()::text as schema
