-- Whether the table of profiles is there, whole and readable.
select count(a.attname) = cardinality(t.columns) and bool_and(has_table_privilege(to_regclass('coverage_profile'), 'select')) as usable
from (
  values (array['profile_code', 'class_pattern', 'risk_class', 'ttl', 'class_0', 'inherits', 'primary_axis_family',
    'required_links', 'status'])
) as t(columns)
left join pg_attribute a
  on a.attrelid = to_regclass('coverage_profile') and a.attname = any (t.columns) and a.attnum > 0 and not a.attisdropped
group by t.columns
