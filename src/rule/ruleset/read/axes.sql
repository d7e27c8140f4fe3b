select a.axis_code::text as axis_code, a.axis_family::text as axis_family, a.object_class::text as object_class
from axis_registry a
where a.status::text = 'active'
order by a.axis_code::text collate "C"
