-- Collections of which something was found to be wrong, or to be right again, at the time $1.
select distinct s.collection_name
from governance_input_state s
where s.since = $1::timestamptz or s.cured_at = $1::timestamptz
order by 1
