select t.changed from gcos_set_types_active($1::text[], $2::boolean, $3::text) as t(changed)
