-- Which of the two tables are there, whole and readable.
select t.relation,
  count(a.attname) = cardinality(t.columns) and bool_and(has_table_privilege(to_regclass(t.relation), 'select')) as usable
from (
  values
    ('governance_object_ownership', array['object_type', 'object_ref', 'scope', 'owner_kind', 'owner_gov_code',
      'is_inherited_anchor', 'effective_from', 'effective_to', 'lifecycle_status']),
    ('governance_responsibility_scope', array['scope_code', 'default_owner_hint'])
) as t(relation, columns)
left join pg_attribute a
  on a.attrelid = to_regclass(t.relation) and a.attname = any (t.columns) and a.attnum > 0 and not a.attisdropped
group by t.relation, t.columns
