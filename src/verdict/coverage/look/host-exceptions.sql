-- The host's own list of exceptions.
select t.{{code}}::text as code, nullif(t.{{approval}}::text, '') as approval_ref, t.{{expires}}::timestamptz <= $1::timestamptz as is_over, {{status}} as status
from {{table}} t
order by 1
