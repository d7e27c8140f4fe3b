select w.id
from unnest($2::int8[]) as w(id)
where not exists (select from governance_delivery d where d.id = w.id and d.recipient_ref = $1::text)
order by w.id
