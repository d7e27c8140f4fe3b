-- Which of the optional tables of dimensions are there, whole and readable.
select t.relation,
  count(a.attname) = cardinality(t.columns) and bool_and(has_table_privilege(to_regclass(t.relation), 'select')) as usable
from (
  values
    ('axis_registry', array['axis_code', 'axis_family', 'object_class', 'status']),
    ('governance_responsibility_scope', array['scope_code', 'status'])
) as t(relation, columns)
left join pg_attribute a
  on a.attrelid = to_regclass(t.relation) and a.attname = any (t.columns) and a.attnum > 0 and not a.attisdropped
group by t.relation, t.columns
