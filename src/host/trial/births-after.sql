select count(*) as births from birth_registry where id > $1::int8
