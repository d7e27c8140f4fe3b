-- Which of these classes an axis in force names.
select distinct r.object_class::text as object_class
from axis_registry r
where r.status = 'active' and r.object_class = any ($1::text[])
