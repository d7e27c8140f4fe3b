union all
select 'unit', t.row_id, t.outcome, null, null, null, null, null, null, null, null, null, 1
from target t
union all
select 'unit', j.unit_no, j.outcome, null, null, null, null, null, null, null, null, null, 1
from judged j
where j.kind = 'object'
order by what, inventory_key, scope, code, link, kind
