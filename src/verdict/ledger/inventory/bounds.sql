select min(b.id)::bigint as first_id, max(b.id)::bigint as last_id from birth_registry b
